/** Whether this code was built by `npm run build`. */
export const IS_RELEASE = import.meta.url.endsWith('.js');

/** The command line of a command, up to its arguments. */
export function callOf(name: string): string {
  return IS_RELEASE ? `npx footfall ${name}` : `npm run -s ${name} --`;
}

/** Prints a command's purpose and usage and exits, if help was asked for. */
export function exitWithHelpIfAsked(text: string): void {
  if (!process.argv.slice(2).some((word) => word === '--help' || word === '-h')) return;
  console.log(text);
  process.exit(0);
}
