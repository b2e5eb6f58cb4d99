// @fastify/rate-limit. Options: limit, window (ms), headers, ban (-1 is never).
import limiter from '@fastify/rate-limit';
import fastify from 'fastify';
import { ask, options } from './provider.mjs';

const each = (names) => Object.fromEntries(names.map((name) => [name, options.headers]));
const LEVEL = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

const app = fastify();
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => done(null, body));
await app.register(limiter, {
  max: options.limit,
  timeWindow: options.window,
  ban: options.ban,
  addHeadersOnExceeding: each(LEVEL),
  addHeaders: each([...LEVEL, 'retry-after']),
});
app.all('/*', async (request, reply) => {
  const answer = await ask(request.raw, request.body ?? Buffer.alloc(0));
  return reply.code(answer.status).headers(answer.headers).send(answer.body);
});
await app.listen({ port: options.port, host: '127.0.0.1' });
