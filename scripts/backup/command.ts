import { parseArgs } from 'node:util';
import { describeStartError } from '../../src/command/describe-error.ts';
import { callOf, exitWithHelpIfAsked } from '../../src/command/help.ts';
import { StartError } from '../../src/process/start-error.ts';

/**
 * Runs a command that takes one file and prints its result; and perhaps another file by an option. If it fails, prints the reason to
 * stderr and exits with 1.
 */
export async function runWithFile(
  name: string,
  what: string,
  work: (file: string, other: string | undefined) => Promise<string>,
  option?: string,
): Promise<void> {
  const usage = `Usage: ${callOf(name)} <file>${option === undefined ? '' : ` [--${option} <file>]`}`;
  exitWithHelpIfAsked(`${what}\n${usage}`);
  try {
    const { file, other } = filesIn(process.argv.slice(2), option, usage);
    console.error(await work(file, other));
  } catch (error) {
    const described = describeStartError(error);
    const { syscall, message } = described as NodeJS.ErrnoException;
    console.error(syscall === undefined ? described : message);
    process.exitCode = 1;
  }
}

function filesIn(
  args: string[],
  option: string | undefined,
  usage: string,
): { file: string; other: string | undefined } {
  try {
    const options = option === undefined ? {} : { [option]: { type: 'string' as const } };
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [file, ...others] = positionals;
    if (file && others.length === 0) return { file, other: Object.values(values)[0] };
  } catch {
    // Says the same as what follows.
  }
  throw new StartError(usage);
}
