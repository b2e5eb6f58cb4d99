// The way to the server: the admin token, questions, and the live stream.

const PLACE = 'flyball-token';

/** The token comes behind the # of the address, which no server ever sees, and leaves it at once. */
export function takeToken() {
  const given = /[#&]token=([^&]+)/.exec(location.hash);
  if (given) {
    sessionStorage.setItem(PLACE, decodeURIComponent(given[1]));
    const view = /[#&]view=([a-z]+)/.exec(location.hash)?.[1] ?? '';
    history.replaceState(null, '', location.pathname + '#/' + view);
  }
}

export function keepToken(token) {
  sessionStorage.setItem(PLACE, token);
}

export function forgetToken() {
  sessionStorage.removeItem(PLACE);
}

export class Unauthorized extends Error {}

let leaving = new AbortController();

/** The page goes away, perhaps to come back: what it listened to must not hold a connection. */
export function leave() {
  leaving.abort();
  leaving = new AbortController();
}

async function call(path, options = {}) {
  const headers = {...options.headers};
  const token = sessionStorage.getItem(PLACE);
  if (token) {
    headers.authorization = 'Bearer ' + token;
  }
  const reply = await fetch(path, {...options, headers, cache: 'no-store', credentials: 'omit'});
  if (reply.status === 401) {
    throw new Unauthorized();
  }
  return reply;
}

export async function ask(path) {
  const reply = await call(path);
  if (!reply.ok) {
    throw new Error(await reason(reply));
  }
  return reply.json();
}

export async function order(path, body) {
  const reply = await call(path, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify(body ?? {}),
  });
  if (!reply.ok) {
    throw new Error(await reason(reply));
  }
  return reply.json();
}

async function reason(reply) {
  try {
    return (await reply.json()).error.message;
  } catch {
    return 'the server answered ' + reply.status;
  }
}

/**
 * Reads the stream of states for ever, and comes back when it breaks. `fetch` and not EventSource,
 * because that one can send no header, and a token in an address ends up in logs.
 */
export async function follow(path, heard, state) {
  for (let pause = 500; ; pause = Math.min(pause * 2, 10_000)) {
    try {
      const reply = await call(path, {headers: {accept: 'text/event-stream'}, signal: leaving.signal});
      if (!reply.ok) {
        throw new Error(await reason(reply));
      }
      const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      for (;;) {
        const {done, value} = await reader.read();
        if (done) break;
        rest += value;
        let end;
        while ((end = rest.indexOf('\n\n')) >= 0) {
          const event = rest.slice(0, end);
          rest = rest.slice(end + 2);
          const data = event.split('\n').filter(line => line.startsWith('data:')).map(line => line.slice(5).trim()).join('\n');
          if (data) {
            pause = 500;
            heard(JSON.parse(data));
          }
        }
      }
    } catch (trouble) {
      if (trouble instanceof Unauthorized) {
        throw trouble;
      }
    }
    state('off');
    await new Promise(resume => setTimeout(resume, pause));
  }
}
