import { spawnSync } from 'node:child_process';
import type { Context } from 'mocha';

/** Has a test, or in `before` those of a suite, be pending where a program is not on the `PATH`; in CI nothing may be. */
export function needPrograms(context: Context, ...names: string[]): void {
  if (names.some((name) => spawnSync(name, ['--version']).error)) context.skip();
}
