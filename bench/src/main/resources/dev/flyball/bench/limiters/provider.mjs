// The way from a limiter to the provider behind it, and what every limiter here is started with.
import http from 'node:http';

export const options = JSON.parse(process.argv[2]);

const agent = new http.Agent({ keepAlive: true });
const OF_ONE_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'host', 'content-length'];

function passedOn(headers) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_ONE_CONNECTION.includes(name)));
}

/** The whole body of a request. */
export async function bodyOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

/** Asks the provider, and gives back its status, headers and body. */
export function ask(request, body) {
  return new Promise((resolve, reject) => {
    const asked = http.request(
      {
        agent,
        host: '127.0.0.1',
        port: options.provider,
        method: request.method,
        path: request.url,
        headers: { ...passedOn(request.headers), 'content-length': body.length },
      },
      async (reply) => {
        try {
          resolve({ status: reply.statusCode, headers: passedOn(reply.headers), body: await bodyOf(reply) });
        } catch (cut) {
          reject(cut);
        }
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}
