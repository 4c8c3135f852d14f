import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Import, ImportColumn, ImportedColumn, ImportPreview } from '../../generated/native/types.gen.ts';
import { type Client, pages } from '../../src/client/index.ts';
import { printable } from '../../src/domain/printable.ts';
import { UsageError } from '../keys/arguments.ts';
import type { Arguments } from './arguments.ts';
import { writeErrors } from './errors-file.ts';
import { openText, type TextFile } from './file.ts';

const POLL_MS = 500;
const ERRORS_PER_PAGE = 1_000;
/** Parts that a preview reads. */
const PREVIEWED = 1;

/** What is told on the way. */
export interface Output {
  say(text: string): void;
  progress(done: number, what: string): void;
}

/** Imports a file to its end. Returns whether all rows were written. */
export async function runImport(client: Client, given: Arguments, output: Output): Promise<boolean> {
  const file = await openFile(given, output);
  const listIds = await findLists(client, given.lists);
  let current = await openImport(client, given, file, listIds);
  if (current.status === 'open') current = await start(client, given, file, current, output);
  else if (current.ended_at === null) output.say('Goes on with the import that was started before.');
  else output.say(`This file was imported before, on ${current.ended_at}. To import it again: --again 2`);
  while (current.ended_at === null) {
    output.progress(current.progress_ratio, `${current.rows.read.toLocaleString('en')} rows`);
    await sleep(POLL_MS);
    current = await client.getImport({ id: current.id });
  }
  return await report(client, given, current, output);
}

async function openFile({ file, encoding }: Arguments, output: Output): Promise<TextFile> {
  const opened = await openText(file, encoding);
  if (opened.isGuess) {
    output.say(
      `The file is not in UTF-8: it is read as ${opened.encoding}. If letters are wrong, name its --encoding.`,
    );
  }
  return opened;
}

/** Shows what would be written, by way of an import that is not started. */
export async function previewFile(client: Client, given: Arguments, output: Output): Promise<void> {
  const file = await openFile(given, output);
  await findLists(client, given.lists);
  const { id } = await client.createImport({ name: nameOf(given.file), ...optional('delimiter', given.delimiter) });
  try {
    await upload(client, id, file, 0, PREVIEWED, () => {});
    const mapping = toMapping(given, await client.previewImport({ id }));
    const { rows } = await client.previewImport({ id, mapping });
    output.say(describeMapping(mapping));
    for (const { line, identifiers, attributes, consent, error } of rows) {
      const what = error
        ? `${error.column ?? 'the row'} ${error.message}`
        : JSON.stringify({ ...known(identifiers), ...attributes, ...(consent.length > 0 && { consent }) });
      output.say(`  line ${line}: ${printable(what)}`);
    }
    output.say('Nothing was written.');
  } finally {
    await client.cancelImport({ id });
  }
}

/** Uploads what is missing of the file, and starts the import. */
async function start(
  client: Client,
  given: Arguments,
  file: TextFile,
  { id, parts }: Import,
  output: Output,
): Promise<Import> {
  if (parts > 0) output.say(`Goes on after part ${parts} of the file, which was sent before.`);
  await upload(client, id, file, parts, Number.POSITIVE_INFINITY, (sent) => output.progress(0, `part ${sent} sent`));
  const mapping = toMapping(given, await client.previewImport({ id }));
  output.say(describeMapping(mapping));
  return await client.startImport({ id, mapping });
}

async function upload(
  client: Client,
  id: string,
  file: TextFile,
  from: number,
  to: number,
  onPart: (number: number) => void,
): Promise<void> {
  let number = 0;
  for await (const text of file.parts()) {
    number += 1;
    if (number > to) return;
    if (number <= from) continue;
    await client.putImportPart({ id, number: String(number), text });
    onPart(number);
  }
  if (number === 0) throw new UsageError('The file is empty');
}

/** The same file with the same options is the same import, whoever began it. */
async function openImport(client: Client, given: Arguments, file: TextFile, listIds: string[]): Promise<Import> {
  const { consent, isBackfill, delimiter, again, columns, encoding } = given;
  const parts = [file.hash, listIds, [...columns], consent, delimiter, encoding, again];
  // What was begun before there were backfills is found again.
  const options = JSON.stringify(isBackfill ? [...parts, 'backfill'] : parts);
  return await client.createImport({
    name: nameOf(given.file),
    idempotency_key: `file ${createHash('sha256').update(options).digest('hex')}`,
    list_ids: listIds,
    backfill: isBackfill,
    ...optional('consent', consent),
    ...optional('delimiter', delimiter),
  });
}

async function findLists(client: Client, wanted: readonly string[]): Promise<string[]> {
  if (wanted.length === 0) return [];
  const found = new Map<string, string[]>(wanted.map((one) => [one, []]));
  for await (const { lists } of pages(client.listLists, { limit: 100 })) {
    for (const { id, name } of lists) for (const one of new Set([id, name])) found.get(one)?.push(id);
  }
  return wanted.map((one) => {
    const [id, ...others] = found.get(one) ?? [];
    if (id === undefined) throw new UsageError(`There is no list "${printable(one)}"`);
    if (others.length > 0) throw new UsageError(`Several lists are called "${printable(one)}"; give the id of one`);
    return id;
  });
}

/** What was asked for, and for the other columns what they look like. */
function toMapping({ columns }: Arguments, preview: ImportPreview): ImportColumn[] {
  const missing = [...columns.keys()].find((name) => !preview.columns.some(({ column }) => column === name));
  if (missing !== undefined) throw new UsageError(`The file has no column "${printable(missing)}"`);
  const targets = new Set([...columns.values()].flatMap((one) => one ?? []).map(targetOf));
  const mapping = preview.columns.flatMap(({ column, suggestion }) => {
    if (columns.has(column)) return columns.get(column) ?? [];
    return suggestion && !targets.has(targetOf(suggestion)) ? suggestion : [];
  });
  if (mapping.every(({ identifier }) => identifier === undefined)) {
    throw new UsageError(
      'No column looks like an e-mail address, a phone number or an id; name one, as --map Contact=email',
    );
  }
  // The service suggests what it takes.
  return mapping as ImportColumn[];
}

function targetOf({ identifier, attribute, consent }: ImportedColumn): string {
  if (consent !== undefined) return `consent ${consent}`;
  return identifier ?? `attribute ${attribute}`;
}

function describeMapping(mapping: readonly ImportedColumn[]): string {
  const lines = mapping.map((one) => {
    const { type = one.attribute === undefined ? undefined : 'text' } = one;
    return `  ${printable(one.column)} → ${printable(targetOf(one))}${type === undefined ? '' : `, ${type}`}`;
  });
  return ['Columns:', ...lines].join('\n');
}

async function report(client: Client, given: Arguments, ended: Import, output: Output): Promise<boolean> {
  const { id, status, failure, rows } = ended;
  const count = (n: number) => n.toLocaleString('en');
  output.say(
    `Rows: ${count(rows.read)}; customers created: ${count(rows.created)}, updated: ${count(rows.updated)}; rows not written: ${count(rows.failed)}`,
  );
  if (rows.failed > 0) {
    const listed = await writeErrors(given.errors, pages(client.listImportErrors, { id, limit: ERRORS_PER_PAGE }));
    output.say(`${listed < rows.failed ? `The first ${count(listed)} of them` : 'They'} are in ${given.errors}`);
  }
  if (status !== 'complete') throw new UsageError(failure ?? `The import was ${status}`);
  return rows.failed === 0;
}

function nameOf(file: string): string {
  return printable(basename(file)).slice(-255).toWellFormed();
}

function known(identifiers: object | null): object {
  return Object.fromEntries(Object.entries(identifiers ?? {}).filter(([, value]) => value !== null));
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined): { [N in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [N in Name]?: Value });
}
