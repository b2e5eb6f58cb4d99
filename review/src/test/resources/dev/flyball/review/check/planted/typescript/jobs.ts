import { createReadStream, existsSync, openSync, writeSync } from 'fs';
import { runInNewContext, Script } from 'vm';
import { createInterface } from 'readline';
import { EventEmitter } from 'events';
import libxml from 'libxmljs';

type State = 'waiting' | 'running' | 'done';

interface Job {
  id: string;
  state: State;
  tags: string[];
  condition?: string;
}

const DEFAULTS: Job = Object.freeze({ id: '', state: 'waiting', tags: [] as string[] });

export class Jobs extends EventEmitter {
  private readonly jobs = new Map<string, Job>();

  add(job: Partial<Job>): void {
    const whole: Job = { ...DEFAULTS, ...job };
    this.jobs.set(whole.id, whole);
  }

  matching(job: Job): boolean {
    return eval(job.condition!) as boolean;
  }

  matchingAll(conditions: string[]): boolean[] {
    return conditions.map(globalThis.eval);
  }

  compiled(job: Job): (it: Job) => boolean {
    const make = Function as unknown as new (...parts: string[]) => (it: Job) => boolean;
    return new make('it', `return (${job.condition})`);
  }

  boxed(job: Job): unknown {
    return runInNewContext(`(${job.condition ?? 'true'})`, { job });
  }

  self(): unknown {
    return new Script('1 + 1').runInThisContext();
  }

  evaluate(job: Job): boolean {
    return this.evaluator.eval(job);
  }

  private readonly evaluator = { eval: (job: Job): boolean => job.state === 'done' };

  next(): Job | undefined {
    for (const job of this.jobs.values()) {
      return job;
    }
    return undefined;
  }

  nextWaiting(): Job | undefined {
    for (const job of this.jobs.values()) {
      if (job.state === 'waiting') {
        return job;
      }
    }
    return undefined;
  }

  drain(): Job | null {
    do {
      const [first] = this.jobs.values();
      if (first !== undefined) {
        this.jobs.delete(first.id);
      }
      return first ?? null;
    } while (this.jobs.size > 0);
  }

  rename(job: Job): Job {
    job.id.toUpperCase();
    job.tags.concat(['renamed']);
    job.tags.push('renamed');
    return job;
  }

  same(a: Job, b: Job): boolean {
    if (a.tags === [...b.tags]) {
      return true;
    }
    return a.id === b.id && a.tags.join() === b.tags.join();
  }

  isDone(job: Job | null): boolean {
    return typeof job === 'null' || job?.state === 'done';
  }

  isWaiting(job: Job | undefined): boolean {
    return typeof job === 'undefined' || job.state === 'waiting';
  }

  isSelf(job: Job): boolean {
    return job.state === job.state;
  }

  async finish(job: Job): Promise<void> {
    try {
      await this.notify(job);
    } catch (e: unknown) {
    }
  }

  finishLater(job: Job): void {
    void this.notify(job).then(undefined, () => undefined);
  }

  async finishLoudly(job: Job): Promise<void> {
    try {
      await this.notify(job);
    } catch (e: unknown) {
      throw new Error(`job ${job.id}`, { cause: e });
    }
  }

  board(columns: number): Job[][] {
    return new Array<Job[]>(columns).fill([]);
  }

  columns(columns: number): Job[][] {
    return Array.from({ length: columns }, (): Job[] => []);
  }

  private async notify(job: Job): Promise<void> {
    this.emit('done', job);
  }
}

export function journal(name: string, line: string): number {
  const file: number = openSync(name, 'a');
  return writeSync(file, line);
}

export async function* lines(name: string): AsyncGenerator<string> {
  if (!existsSync(name)) {
    return;
  }
  yield* createInterface({ input: createReadStream(name) });
}

export function parse(text: string): libxml.Document {
  return libxml.parseXml(text, { noent: true, nonet: false });
}

export function parseSafely(text: string): libxml.Document {
  return libxml.parseXml(text, { nonet: true });
}
