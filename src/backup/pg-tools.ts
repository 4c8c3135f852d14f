import { spawn } from 'node:child_process';
import { StartError } from '../process/start-error.ts';
import { WITHOUT_ROWS } from './excluded-tables.ts';

type Tool = 'pg_dump' | 'pg_restore';

/** Returns the major version of one of Postgres's own tools; undefined if it is not on the `PATH`. */
export async function versionOf(tool: Tool): Promise<number | undefined> {
  const output = await runTool(tool, ['--version']).catch(() => '');
  const [, version] = /\(PostgreSQL\) (\d+)/.exec(output) ?? [];
  return version === undefined ? undefined : Number(version);
}

export async function dumpTo(url: string, file: string): Promise<void> {
  const options = ['--format=custom', '--no-owner', '--no-privileges', '--no-comments'];
  // It may be there for a day after an upgrade, or be another application's: a restore would make a queue of it that nobody
  // works off.
  const without = ['--exclude-schema=graphile_worker', ...WITHOUT_ROWS.map((name) => `--exclude-table-data=${name}`)];
  await runTool('pg_dump', [...options, ...without, `--file=${file}`], url);
}

/** Restores all of a pg_dump file, or nothing. */
export async function restoreDump(url: string, file: string): Promise<void> {
  if ((await versionOf('pg_restore')) === undefined) {
    throw new StartError('The backup was made by pg_dump, and there is no pg_restore on the PATH');
  }
  const contents = await runTool('pg_restore', ['--list', file]);
  if (!/ TABLE DATA \S+ migration /.test(contents) || !/ TABLE DATA \S+ api_key /.test(contents)) {
    throw new StartError('The file is not a backup of Footfall');
  }
  const options = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges'];
  await runTool('pg_restore', [...options, file], url);
}

/** Runs a tool to completion and returns its output. Throws a `StartError` with the tool's message if it fails. */
function runTool(tool: Tool, args: string[], databaseUrl?: string): Promise<string> {
  const env = { ...process.env };
  if (databaseUrl !== undefined) {
    // Not the password: everybody can read the arguments of a process.
    const url = new URL(databaseUrl);
    if (url.password !== '') env.PGPASSWORD = decodeURIComponent(url.password);
    url.password = '';
    args = [...args, `--dbname=${url.href}`];
  }
  return new Promise((resolve, reject) => {
    const child = spawn(tool, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(stdout);
      else reject(new StartError(`${tool} failed:\n${stderr.trim()}`));
    });
  });
}
