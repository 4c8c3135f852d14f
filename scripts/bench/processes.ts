import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** A process started by the benchmark. */
export interface Started {
  pid: number;
  output(): string;
  stop(): Promise<void>;
}

/** Starts a program and waits until its output says that it is ready. */
export async function start(
  command: string,
  args: string[],
  { env = {}, ready, cwd }: { env?: NodeJS.ProcessEnv; ready: RegExp; cwd?: string },
): Promise<Started> {
  const child: ChildProcess = spawn(command, args, {
    env: { ...process.env, ...env },
    cwd,
    // A process group of its own: npm does not forward signals to what it runs.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const exited = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      // Later output is the log of requests: read, so that it does not block the process, but not kept.
      if (ready.test(output)) return printErrors(chunk);
      output += chunk;
      if (ready.test(output)) resolve();
    });
    exited.then(() => reject(new Error(`${command} ${args.join(' ')} ended:\n${output}`)));
  });
  const stop = async () => {
    process.kill(-(child.pid as number), 'SIGTERM');
    await exited;
  };
  return { pid: child.pid as number, output: () => output, stop };
}

/** Prints errors in a log. */
function printErrors(chunk: Buffer): void {
  if (!chunk.includes('"level":50')) return;
  for (const line of String(chunk).split('\n')) if (line.includes('"level":50')) console.error(line);
}

export async function startRedis(): Promise<Started & { url: string }> {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const redis = await start('redis-server', args, { ready: /Ready to accept connections/ });
  return { ...redis, url: `redis://127.0.0.1:${port}` };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Returns the CPU seconds of the processes of a service, and the memory in MB of the largest, at its peak and now, without
 * the npm that started it or its database.
 */
export function usage(pid: number): { cpu: number; memory: number; memoryNow: number } {
  const pids = [pid, ...descendantsOf(pid)].filter((id) => /^\S*node /.test(commandOf(id)));
  return {
    cpu: pids.reduce((sum, id) => sum + cpuOf(id), 0),
    memory: Math.max(0, ...pids.map((id) => memoryOf(id, 'VmHWM'))),
    memoryNow: Math.max(0, ...pids.map((id) => memoryOf(id, 'VmRSS'))),
  };
}

/** Returns the CPU seconds of a process, those that it has started, and those that have ended since. */
export function treeUsage(pid: number): number {
  return [pid, ...descendantsOf(pid)].reduce((sum, id) => sum + cpuOf(id), 0) + cpuOf(pid, 13);
}

function descendantsOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  const children = stdout.split('\n').filter(Boolean).map(Number);
  return [...children, ...children.flatMap(descendantsOf)];
}

const TICKS_PER_SECOND = 100;

function commandOf(pid: number): string {
  return readIfThere(`/proc/${pid}/cmdline`).split('\0').join(' ');
}

/** `field`: of the first of user and system time. */
function cpuOf(pid: number, field = 11): number {
  const fields = readIfThere(`/proc/${pid}/stat`)
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[field] ?? 0) + Number(fields[field + 1] ?? 0)) / TICKS_PER_SECOND;
}

function memoryOf(pid: number, figure: 'VmHWM' | 'VmRSS'): number {
  return Number(new RegExp(`${figure}:\\s+(\\d+)`).exec(readIfThere(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}

/** Returns an empty text if there is no such file: on systems other than Linux, or if the process has exited. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
