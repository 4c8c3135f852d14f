import { describeStartError } from '../../src/command/describe-error.ts';
import { UsageError } from './arguments.ts';

/** Runs a command on the database. Where it fails, says so in words, and has the process end with 1. */
export function runCommand(main: () => Promise<void>): void {
  main().catch((error) => {
    const misused = error instanceof UsageError || error?.code?.startsWith('ERR_PARSE_ARGS');
    console.error(misused ? error.message : describeStartError(error));
    process.exitCode = 1;
  });
}
