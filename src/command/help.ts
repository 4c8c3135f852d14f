/** Prints a command's purpose and usage and exits, if help was asked for. */
export function exitWithHelpIfAsked(text: string): void {
  if (!process.argv.slice(2).some((word) => word === '--help' || word === '-h')) return;
  console.log(text);
  process.exit(0);
}
