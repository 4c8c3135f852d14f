/** Whether this is what `npm run build` has made. */
export const IS_RELEASE = import.meta.url.endsWith('.js');

/** How one calls a command, up to its arguments. */
export function callOf(name: string): string {
  return IS_RELEASE ? `npx footfall ${name}` : `npm run -s ${name} --`;
}

/** Where a command is asked for help, prints what it does and how it is called, and ends it. */
export function exitWithHelpIfAsked(text: string): void {
  if (!process.argv.slice(2).some((word) => word === '--help' || word === '-h')) return;
  console.log(text);
  process.exit(0);
}
