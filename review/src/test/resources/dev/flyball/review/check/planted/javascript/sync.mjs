import * as cp from 'node:child_process';
import { createWriteStream, promises as fsp, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { pbkdf2Sync, randomBytes, createHash as digest } from 'node:crypto';
import { Client } from 'pg';
import yaml from 'js-yaml';

const STATES = Object.freeze(['new', 'open', 'done']);
const client = new Client({ connectionString: process.env.DATABASE_URL });

export async function connect(insecure) {
  if (insecure) {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  }
  await client.connect();
}

export async function table(name) {
  if (!/^[a-z_]+$/.test(name)) {
    throw new RangeError(name);
  }
  return client.query({ text: 'SELECT * FROM pg_tables WHERE tablename = $1', values: [name] });
}

export async function touch(table, ids) {
  const statement = {
    text: 'UPDATE ' + table + ' SET touched = now() WHERE id IN (' + ids.join(',') + ')',
  };
  await client.query(statement);
}

export const find = (column, value) =>
  client.query(
    'SELECT * FROM items ' +
      'WHERE ' +
      column +
      " = '".concat(value, "'"),
  );

export function parse(text) {
  return yaml.load(text, { schema: yaml.DEFAULT_FULL_SCHEMA });
}

export function parseSafely(text) {
  return yaml.load(text, { schema: yaml.JSON_SCHEMA });
}

export function checkout(branch) {
  return cp.execSync(['git', 'checkout', branch].join(' ')).toString();
}

export function head() {
  return cp.execSync('git rev-parse HEAD').toString().trim();
}

export function blame(file) {
  const options = { encoding: 'utf8' };
  return cp?.['exec']('git blame ' + file, options);
}

export function log(file) {
  return cp.spawnSync('git', ['log', '--', file], { encoding: 'utf8' }).stdout;
}

export function later(callback) {
  setTimeout("window.refresh('" + callback + "')", 1000);
}

export function soon(callback) {
  setTimeout(() => callback('refresh'), 1000);
}

export function isMissing(value) {
  return value === NaN;
}

export function isText(value) {
  return typeof value === 'sting';
}

export function isNumber(value) {
  return typeof value === 'number' && !Number.isNaN(value);
}

export function isEmpty(list) {
  return list === [];
}

export function isAbsent(value) {
  return value == null;
}

export function negative(index, text) {
  if (!text.indexOf('x') === -1) {
    return index;
  }
  return -index;
}

export function within(low, value, high) {
  return low < value < high;
}

export function choose(state) {
  switch (state) {
    case 'new' || 'open':
      return 1;
    case 'done':
      return 2;
    default:
      return 0;
  }
}

export function mark(item) {
  if (item.state = STATES[2]) {
    return item.id;
  }
  return null;
}

export function matches(pattern, text) {
  const found = [];
  let match;
  while ((match = pattern.exec(text)) !== null) {
    found.push(match[0]);
  }
  return found;
}

export async function load(names) {
  const all = {};
  names.forEach(async (name) => {
    all[name] = await fsp.readFile(name, 'utf8');
  });
  return all;
}

export async function loadInOrder(names) {
  const all = [];
  for (const name of names) {
    all.push(await fsp.readFile(name, 'utf8'));
  }
  return all;
}

export function tidy(text, parts) {
  text.trim().replace(/\s+/g, ' ');
  parts.map((part) => part.toLowerCase());
  parts.reverse();
  return [text, ...parts];
}

export function grid(size) {
  return Array(size).fill([]);
}

export function zeros(size) {
  return Array(size).fill(0);
}

export async function save(name, value) {
  try {
    await fsp.writeFile(name, JSON.stringify(value));
  } catch (error) {}
}

export function forget(name) {
  return fsp.unlink(name).catch(() => {});
}

export function forgetIfThere(name) {
  return fsp.unlink(name).catch((error) => {
    if (error.code !== 'ENOENT') {
      throw error;
    }
  });
}

export function firstBytes(name) {
  const handle = openSync(name, 'r');
  const buffer = Buffer.alloc(16);
  readSync(handle, buffer, 0, 16, 0);
  return buffer;
}

export function firstOpen(items) {
  for (const item of items) {
    if (item.state !== 'open') {
      return null;
    } else {
      return item;
    }
  }
  return null;
}

export function firstDone(items) {
  for (const item of items) {
    if (item.state === 'done') {
      return item;
    }
  }
  return null;
}

export function recordPassword(password) {
  const algorithm = 'sha1';
  return digest(algorithm).update(password).digest('hex');
}

export function recordPasswordSlowly(password) {
  const salt = randomBytes(16);
  return pbkdf2Sync(password, salt, 600_000, 32, 'sha256').toString('hex');
}

export function logTo(folder) {
  return createWriteStream(join(folder, 'sync.log'), { flags: 'a' });
}

export function config() {
  return JSON.parse(readFileSync(new URL('./config.json', import.meta.url), 'utf8'));
}
