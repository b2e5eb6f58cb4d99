// rate-limiter-flexible. Options: limit, window and block (seconds), headers (all, after or none), tokens (whether a call
// is charged by its longest answer and not by one), redis (a port; 0 keeps the counts in memory).
import http from 'node:http';
import Redis from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { ask, bodyOf, options } from './provider.mjs';

const rule = { points: options.limit, duration: options.window, blockDuration: options.block };
const limiter =
  options.redis > 0
    ? new RateLimiterRedis({ ...rule, storeClient: new Redis(options.redis, '127.0.0.1') })
    : new RateLimiterMemory(rule);

// As the package's own documentation sets them.
function told(state, refused) {
  const after = refused ? { 'retry-after': Math.ceil(state.msBeforeNext / 1000) } : {};
  if (options.headers === 'none') return {};
  if (options.headers === 'after') return after;
  return {
    ...after,
    'x-ratelimit-limit': options.limit,
    'x-ratelimit-remaining': state.remainingPoints,
    'x-ratelimit-reset': Math.ceil((Date.now() + state.msBeforeNext) / 1000),
  };
}

function charge(body) {
  return options.tokens ? JSON.parse(body).max_completion_tokens : 1;
}

async function serve(request, response) {
  const body = await bodyOf(request);
  let state;
  try {
    state = await limiter.consume('one key', charge(body));
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal;
    response.writeHead(429, { ...told(refusal, true), 'content-type': 'text/plain' });
    response.end('Too Many Requests');
    return;
  }
  const reply = await ask(request, body);
  response.writeHead(reply.status, { ...reply.headers, ...told(state, false) });
  response.end(reply.body);
}

http
  .createServer((request, response) =>
    serve(request, response).catch((error) => {
      console.error(error);
      response.destroy();
    }),
  )
  .listen(options.port, '127.0.0.1');
