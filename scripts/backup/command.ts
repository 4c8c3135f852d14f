import { describeStartError } from '../../src/command/describe-error.ts';
import { callOf, exitWithHelpIfAsked } from '../../src/command/help.ts';
import { StartError } from '../../src/process/start-error.ts';

/**
 * Runs a command that takes one file and prints its result. If it fails, prints the reason to stderr and exits with 1.
 */
export async function runWithFile(name: string, what: string, work: (file: string) => Promise<string>): Promise<void> {
  const usage = `Usage: ${callOf(name)} <file>`;
  exitWithHelpIfAsked(`${what}\n${usage}`);
  try {
    const [file, ...others] = process.argv.slice(2);
    if (!file || file.startsWith('-') || others.length > 0) throw new StartError(usage);
    console.error(await work(file));
  } catch (error) {
    const described = describeStartError(error);
    const { syscall, message } = described as NodeJS.ErrnoException;
    console.error(syscall === undefined ? described : message);
    process.exitCode = 1;
  }
}
