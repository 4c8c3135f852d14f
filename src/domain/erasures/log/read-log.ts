import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { StartError } from '../../../process/start-error.ts';
import type { LoggedErasure, LogLine } from './log.ts';

/** What a list of erasures says of a store. */
export interface StoreLog {
  innerPad: Buffer;
  outerPad: Buffer;
  erasures: LoggedErasure[];
  /** Until when nobody is created with an identifier, by its digest in hex; null for ever. */
  suppressed: Map<string, string | null>;
}

/** A list of erasures. */
export interface ErasureList {
  stores: Map<string, StoreLog>;
  /** Whether a store of which it says nothing has erased nobody. */
  isOfAll: boolean;
}

/** Reads a whole list. Throws a `StartError` for a file that is none, or not whole. */
export async function readLog(file: string): Promise<ErasureList> {
  const stores = new Map<string, StoreLog>();
  let [lines, isBegun, isEnded, isOfAll] = [0, false, false, false];
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    const line = lineOf(text, file);
    if (line.kind === 'begin') {
      isBegun = line.format === 'footfall erasures' && line.version === 1;
      isOfAll = line.all_stores === true;
    }
    if (!isBegun) throw new StartError(`${file} is not a list of erasures that this version knows`);
    if (line.kind === 'end') isEnded = line.lines === lines;
    else take(stores, line);
    lines += 1;
  }
  if (!isEnded) throw new StartError(`${file} is not a whole list of erasures: make it anew`);
  return { stores, isOfAll };
}

function lineOf(text: string, file: string): LogLine {
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    throw new StartError(`${file} is not a list of erasures`);
  }
}

function take(stores: Map<string, StoreLog>, line: LogLine): void {
  if (line.kind === 'store') {
    const [innerPad, outerPad] = [Buffer.from(line.inner_pad, 'hex'), Buffer.from(line.outer_pad, 'hex')];
    stores.set(line.store_id, { innerPad, outerPad, erasures: [], suppressed: new Map() });
  }
  if (line.kind === 'erasure') stores.get(line.store_id)?.erasures.push(line);
  if (line.kind === 'suppressed') stores.get(line.store_id)?.suppressed.set(line.digest, line.until);
}
