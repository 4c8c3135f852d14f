import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtProgram } from './programs.ts';
import { slowness } from './slowness.ts';
import { collectStandstills } from './standstills.ts';

const ROOT = join(import.meta.dirname, '../..');
/** As in `npm start`: the many processes of a test run start sooner. */
const NODE_COMPILE_CACHE = join(ROOT, 'node_modules/.cache/node');

/**
 * Time for thousands of requests at once on a machine that is busy: settings of services whose clients and whose database
 * are not what is tested.
 */
export const UNHURRIED = { HEADERS_TIMEOUT: '300', REQUEST_TIMEOUT: '300', DATABASE_TIMEOUT: '20' };
/** The patience with the database that the service promises, where that is what is tested. */
export const AS_PROMISED = { DATABASE_TIMEOUT: '' };

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/**
 * Milliseconds after the start of a service in which it runs most of its code for the first time, which takes many times as
 * long.
 */
const COLD_MS = 5_000;

/** A command, by default in the project's folder, run in a process group of its own, with nothing in its environment but what it is given. */
export class Command {
  readonly #child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** The code with which the process has ended, although its output may not be read to the end yet. */
  readonly code: Promise<number | null>;
  stdout = '';
  stderr = '';

  constructor(command: string, args: string[], env: NodeJS.ProcessEnv = {}, cwd: string = ROOT) {
    const { PATH, HOME } = process.env;
    let listensSince = Number.POSITIVE_INFINITY;
    this.#child = spawn(command, args, {
      cwd,
      env: { PATH, HOME, NODE_COMPILE_CACHE, ...env },
      detached: true,
      stdio: 'pipe',
    });
    this.#child.stdout?.on('data', (chunk) => {
      this.stdout += chunk;
      if (performance.now() - listensSince > COLD_MS * slowness()) collectStandstills(String(chunk));
      if (this.stdout.includes('listening on')) listensSince = Math.min(listensSince, performance.now());
    });
    this.#child.stderr?.on('data', (chunk) => {
      this.stderr += chunk;
    });
    this.code = once(this.#child, 'exit').then(([code]) => code);
    this.ended = once(this.#child, 'close').then(([code, signal]) => ({
      code,
      signal,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
  }

  /** No longer reads its output, for as long as `continueReading` is not called. */
  stopReading(): void {
    this.#child.stdout?.pause();
  }

  continueReading(): void {
    this.#child.stdout?.resume();
  }

  /** As a program at the other end of the pipe that has ended. */
  closeOutput(): void {
    this.#child.stdout?.destroy();
  }

  tell(text: string): void {
    this.#child.stdin?.write(text);
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** As Ctrl-C in a terminal does. */
  signalGroup(name: NodeJS.Signals): void {
    process.kill(-this.pid, name);
  }
}

/** Runs `scripts/keys.ts` to its end. */
export function runKeys(args: string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  return runScript('keys.ts', args, env);
}

/** Runs one of the commands under `scripts/`. */
export function runScript(name: string, args: string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Command(process.execPath, [builtProgram(`scripts/${name}`), ...args], env).ended;
}

/** The service as a process of its own. */
export class ServiceProcess extends Command {
  /** `env` as in the README's *Configuration*; the port is a free one. */
  constructor(
    env: NodeJS.ProcessEnv,
    command: [string, ...string[]] = [process.execPath, builtProgram('src/main.ts')],
    cwd: string = ROOT,
  ) {
    const [program, ...args] = command;
    super(program, args, { PORT: '0', ...UNHURRIED, ...env }, cwd);
  }

  /** Waits until it listens. */
  async url(): Promise<string> {
    const state = { ended: false };
    this.ended.then(() => {
      state.ended = true;
    });
    for (;;) {
      const [, url] = /listening on (\S+)/.exec(this.stdout) ?? [];
      if (url) return url;
      if (state.ended) throw new Error(`The service did not start:\n${this.stdout}${this.stderr}`);
      await sleep(10);
    }
  }

  /** The API key that the first start prints. */
  get key(): string | undefined {
    return /ffk_[0-9A-Za-z]+/.exec(this.stdout)?.[0];
  }

  async stop(): Promise<Ended> {
    this.signal('SIGTERM');
    return this.ended;
  }
}

/** Milliseconds after which nothing more is to be expected, however slow the machine is; less than a test may take. */
const HOPELESS_MS = 240_000;

/** Waits until a condition holds. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + HOPELESS_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Waited in vain until ${what}`);
    await sleep(20);
  }
}

/** An empty folder, and its removal. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'footfall test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
