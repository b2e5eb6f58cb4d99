// express-rate-limit. Options: limit, window (ms), standard (draft-6, draft-7, draft-8 or false), legacy.
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { ask, bodyOf, options } from './provider.mjs';

const app = express();
app.use(
  rateLimit({
    limit: options.limit,
    windowMs: options.window,
    standardHeaders: options.standard,
    legacyHeaders: options.legacy,
  }),
);
app.use(async (request, response) => {
  const reply = await ask(request, await bodyOf(request));
  response.status(reply.status).set(reply.headers).send(reply.body);
});
app.listen(options.port, '127.0.0.1');
