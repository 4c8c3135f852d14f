/**
 * Imports customers from a CSV file, or a catalog, into a store of a running service:
 *
 *   FOOTFALL_KEY=ffk_… npm run -s import -- customers.csv --list Newsletter
 *   FOOTFALL_KEY=ffk_… npm run -s import -- --catalog products.xml --full
 *
 * It talks to the service over HTTP, and can be interrupted: the same command goes on.
 */

import { createClient, FootfallError } from '../src/client/index.ts';
import { exitWithHelpIfAsked } from '../src/command/help.ts';
import { printable } from '../src/domain/printable.ts';
import { HELP, readArguments } from './import/arguments.ts';
import { importCatalog } from './import/catalog.ts';
import { type Output, previewFile, runImport } from './import/run.ts';
import { UsageError } from './keys/arguments.ts';

/** Milliseconds for which a request is tried again while the service does not answer. */
const PATIENCE_MS = 5 * 60 * 1000;
const PATIENCE = { timeoutMs: PATIENCE_MS, maxAttempts: 60 };

/** Progress is for people: it stays on one line of a terminal. */
const output: Output = {
  say: (text) => console.log(process.stdout.isTTY ? `\u001b[2K${text}` : text),
  progress(done, what) {
    if (process.stdout.isTTY) process.stdout.write(`\u001b[2K${(100 * done).toFixed(0)} % · ${what}\r`);
  },
};

/** Says once that nothing answers, because the requests that are then tried again would be silent for minutes. */
function fetchFrom(url: string): typeof fetch {
  let isSilent = false;
  return async (...request) => {
    try {
      const response = await fetch(...request);
      isSilent = false;
      return response;
    } catch (error) {
      if (!isSilent) console.error(`No answer from ${printable(url)}; trying for ${PATIENCE_MS / 60_000} minutes…`);
      isSilent = true;
      throw error;
    }
  };
}

async function main(): Promise<void> {
  const given = readArguments(process.env);
  const client = createClient({ baseUrl: given.url, apiKey: given.key, fetch: fetchFrom(given.url), ...PATIENCE });
  if (given.isCatalog) {
    if (!(await importCatalog(client, given, output))) process.exitCode = 2;
  } else if (given.isDryRun) await previewFile(client, given, output);
  else if (!(await runImport(client, given, output))) process.exitCode = 2;
}

exitWithHelpIfAsked(HELP);
main().catch((error) => {
  const isExpected = error instanceof UsageError || error instanceof FootfallError || error?.syscall !== undefined;
  const misused = isExpected || error?.code?.startsWith('ERR_PARSE_ARGS');
  console.error(misused ? error.message : error);
  process.exitCode = 1;
});
