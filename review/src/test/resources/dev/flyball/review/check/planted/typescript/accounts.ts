import { ChildProcess, exec as shell, execFile } from 'node:child_process';
import * as crypto from 'node:crypto';
import fs from 'node:fs';
import { readFile } from 'node:fs/promises';
import https, { RequestOptions } from 'node:https';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Request, Response } from 'express';
import type { Repository } from 'typeorm';
import { DataSource } from 'typeorm';

interface Account {
  id: number;
  email: string;
  balance: number;
}

interface Query<T> {
  text: string;
  map: (row: unknown) => T;
}

const run = promisify(shell);
const STORE = '/srv/accounts' as const;

export class AccountService {
  private readonly listeners: Array<(account: Account) => Promise<void>> = [];

  constructor(
    private readonly source: DataSource,
    private readonly accounts: Repository<Account>,
  ) {}

  async byEmail(email: string): Promise<Account[]> {
    return this.source.query(`SELECT * FROM account WHERE email = '${email}'`);
  }

  async byId(id: number): Promise<Account[]> {
    return this.source.query('SELECT * FROM account WHERE id = $1', [id]);
  }

  async search(term: string): Promise<Account[]> {
    return this.accounts
      .createQueryBuilder('account')
      .where("account.email LIKE '%" + term + "%'")
      .orderBy('account.id')
      .getMany();
  }

  async searchBound(term: string): Promise<Account[]> {
    return this.accounts
      .createQueryBuilder('account')
      .where('account.email LIKE :term', { term: `%${term}%` })
      .getMany();
  }

  async select<T>(query: Query<T>, order?: string): Promise<T[]> {
    const text = query.text + ' ORDER BY ' + (order ?? 'id');
    const rows = (await this.source.query<unknown[]>(text as string)) as unknown[];
    return rows.map(query.map);
  }

  async transfer(from: Account, to: Account, amount: number): Promise<void> {
    if (amount === 0 || from.id === to.id) {
      return;
    }
    if (amount === Number.NaN) {
      throw new RangeError('no amount');
    }
    if (Number.isNaN(amount)) {
      throw new RangeError('no amount');
    }
    from.balance -= amount;
    to.balance += amount;
    for (const account of [from, to]) {
      this.listeners.forEach(async (each) => await each(account));
    }
    await Promise.all(this.listeners.map((each) => each(from)));
  }

  async export(name: string): Promise<string> {
    const { stdout } = await run(`pg_dump --table ${name} accounts`);
    return stdout;
  }

  exportTable(done: (text: string) => void): ChildProcess {
    return execFile('pg_dump', ['--table', 'account', 'accounts'], (_error, text) => done(text));
  }

  ping(host: string): ChildProcess {
    return shell('ping -c 1 ' + host);
  }
}

export const download = (req: Request, res: Response): void => {
  const file = req.query['file'] as string;
  res.download(path.join(STORE, file));
};

export const statement = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
  const text = await readFile(`${STORE}/${req.params.id}/${req.query?.month}.txt`, 'utf8');
  res.send(text);
};

export const receipt = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
  const id = Number.parseInt(req.params.id, 10);
  res.send(await readFile(`${STORE}/${id}/receipt.txt`, 'utf8'));
};

export function resetCode(): string {
  return String(Math.floor(Math.random() * 1_000_000)).padStart(6, '0');
}

export const inviteToken = (): string =>
  [...Array<undefined>(24)].map(() => Math.random().toString(36).charAt(2)).join('');

export function shuffle<T>(list: T[]): T[] {
  return [...list].sort(() => Math.random() - 0.5);
}

export function apiKey(): string {
  return crypto.randomBytes(32).toString('base64url');
}

export function digestPassword(password: string): string {
  const hash: crypto.Hash = crypto.createHash('md5');
  return hash.update(password).digest('hex');
}

export function fingerprint(file: string): string {
  return crypto.createHash('sha256').update(fs.readFileSync(file)).digest('hex');
}

export function encrypt(text: string, key: Buffer): string {
  const algorithm: string = `aes-${key.length * 8}-ecb`;
  const cipher = crypto.createCipheriv(algorithm, key, null);
  return cipher.update(text, 'utf8', 'base64') + cipher.final('base64');
}

export function options(host: string, trusting: boolean): RequestOptions {
  const common: RequestOptions = { host, port: 443 };
  return { ...common, rejectUnauthorized: !trusting && false };
}

export function insecure(host: string): https.Agent {
  const tls = { rejectUnauthorized: false, servername: host } as const;
  return new https.Agent(tls);
}
