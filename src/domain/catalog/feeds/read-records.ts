import { readRows } from '../../imports/files/read-rows.ts';
import { NotAFeed } from './not-a-feed.ts';
import { parseRecord } from './parse-record.ts';
import type { FeedRecord } from './product.ts';
import { readJsonArray } from './read-json-array.ts';
import type { ReadRecord } from './read-record.ts';
import { readXml } from './read-xml.ts';

export const FORMATS = ['csv', 'tsv', 'jsonl', 'json', 'xml'] as const;
export type FeedFormat = (typeof FORMATS)[number];

/** Bytes of one record, and of text that is read at a time. */
const [MAX_RECORD, PORTION] = [1024 * 1024, 256 * 1024];
const ROWS = 1_000;
/** Columns of a table: each of its rows has them all, however short it is. */
const MAX_COLUMNS = 1_000;

/** Returns what a file looks like by how it begins; undefined for a page of HTML, and for nothing. */
export function formatOf(beginning: string): FeedFormat | undefined {
  const text = beginning.replace(/^\ufeff/, '').trimStart();
  if (text === '' || /^<!doctype html|^<html/i.test(text)) return undefined;
  if (text.startsWith('<')) return 'xml';
  if (text.startsWith('[')) return 'json';
  if (text.startsWith('{')) return 'jsonl';
  const [first = ''] = text.split(/[\r\n]/, 1);
  return first.includes('\t') ? 'tsv' : 'csv';
}

/** Reads the records of a file. Throws `NotAFeed` if it is none, or ends too early. */
export function readRecords(chunks: AsyncIterable<Buffer>, format: FeedFormat): AsyncIterable<ReadRecord> {
  switch (format) {
    case 'csv':
      return readTable(chunks, undefined);
    case 'tsv':
      return readTable(chunks, '\t');
    case 'jsonl':
      return readLines(chunks);
    case 'json':
      return readJsonArray(chunks);
    case 'xml':
      return readXml(chunks);
  }
}

/** The first row has the names of columns. Without a delimiter, it is what that row has most of. */
async function* readTable(chunks: AsyncIterable<Buffer>, given: string | undefined): AsyncIterable<ReadRecord> {
  let [text, line, isFirst] = [Buffer.alloc(0), 1, true];
  let names: string[] | undefined;
  let delimiter = given;
  let doubtfulTo = 0;
  for await (const { chunk, isEnd } of withEnd(chunks)) {
    text = Buffer.concat([text, chunk]);
    if (isFirst && text.length >= 3) [text, isFirst] = [withoutMark(text), false];
    if (text.length < PORTION && !isEnd) continue;
    delimiter ??= mostOf(text);
    for (;;) {
      const { rows, end, lines, doubtfulTo: doubt } = readRows(text, { delimiter, maxRows: ROWS, isEnd, doubtfulTo });
      for (const { cells, problem, line: before } of rows) {
        if (problem) yield { line: line + before, problem };
        else if (!names) names = namesOf(cells);
        else yield { line: line + before, record: recordOf(names, cells) };
      }
      line += lines;
      doubtfulTo = Math.max(0, doubt - end);
      text = text.subarray(end);
      if (rows.length === 0 || text.length === 0 || (!isEnd && text.length < PORTION)) break;
    }
  }
  if (!names) throw new NotAFeed('is empty');
}

function namesOf(cells: readonly string[]): string[] {
  if (cells.length > MAX_COLUMNS) throw new NotAFeed(`has more than ${MAX_COLUMNS.toLocaleString('en')} columns`);
  return [...cells];
}

function recordOf(names: readonly string[], cells: readonly string[]): FeedRecord {
  return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? '']));
}

function mostOf(text: Buffer): string {
  const [first = ''] = text.toString('utf8', 0, 64 * 1024).split(/[\r\n]/, 1);
  const count = (delimiter: string) => first.split(delimiter).length;
  return [',', ';', '|', '\t'].sort((one, other) => count(other) - count(one))[0] as string;
}

async function* readLines(chunks: AsyncIterable<Buffer>): AsyncIterable<ReadRecord> {
  let [rest, line] = ['', 0];
  const decoder = new TextDecoder('utf-8', { fatal: false });
  for await (const { chunk, isEnd } of withEnd(chunks)) {
    const lines = (rest + decoder.decode(chunk, { stream: !isEnd })).split(/\r?\n/);
    rest = isEnd ? '' : (lines.pop() ?? '');
    if (rest.length > MAX_RECORD) throw new NotAFeed('has a line of more than 1 MB');
    for (const text of lines) {
      line += 1;
      if (text.trim() !== '') yield { line, ...parseRecord(text) };
    }
  }
}

/** Tells the last chunk, which is empty. */
async function* withEnd(chunks: AsyncIterable<Buffer>): AsyncIterable<{ chunk: Buffer; isEnd: boolean }> {
  for await (const chunk of chunks) yield { chunk, isEnd: false };
  yield { chunk: Buffer.alloc(0), isEnd: true };
}

function withoutMark(text: Buffer): Buffer<ArrayBuffer> {
  const isMarked = text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf;
  return Buffer.from(isMarked ? text.subarray(3) : text);
}
