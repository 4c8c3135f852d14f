/** Where a command is asked for help, prints what it does and how it is called, and ends it. */
export function exitWithHelpIfAsked(text: string): void {
  if (!process.argv.slice(2).some((word) => word === '--help' || word === '-h')) return;
  console.log(text);
  process.exit(0);
}
