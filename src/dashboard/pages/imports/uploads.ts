import { useSyncExternalStore } from 'react';
import type { Client } from '../../../client/index.ts';
import { patientClient } from '../../api/client.tsx';
import { type FilePart, partsOf } from './file-text.ts';

/** How far the file of an import is sent. */
export interface Upload {
  /** Bytes of the file that are sent, of `size`. */
  sent: number;
  size: number;
  error?: Error;
}

/** What this tab knows of the file of an import, also after it is loaded anew. */
interface Remembered {
  size: number;
  lastModified: number;
  encoding?: string | undefined;
  /** How many parts of it, read in that encoding, are stored. */
  parts: number;
  isWhole: boolean;
}

const TOO_MANY =
  'More was sent for this import before: another file, or this one in another encoding. Cancel it and begin a new one.';

/** Those of this tab, which go on while other pages are looked at. */
const uploads = new Map<string, Upload>();
const running = new Map<string, AbortController>();
const listeners = new Set<() => void>();

/** The upload of an import that is under way in this tab, or has failed there. */
export function useUpload(importId: string): Upload | undefined {
  return useSyncExternalStore(subscribe, () => uploads.get(importId));
}

/** Whether all of the file is known to be stored. */
export function isWhole(importId: string): boolean {
  return remembered(importId)?.isWhole === true;
}

/** The encoding in which this tab has last read the file, if one was chosen. */
export function encodingOf(importId: string): string | undefined {
  return remembered(importId)?.encoding;
}

/**
 * Sends the file of an import. If this tab began with the same file in the same encoding before, it goes on after the parts
 * that are stored; else it begins anew, and `onNewBeginning` is called once the first part is stored.
 */
export async function upload(
  importId: string,
  file: File,
  encoding?: string,
  onNewBeginning?: () => void,
): Promise<void> {
  if (running.has(importId)) return;
  const { size, lastModified } = file;
  const before = remembered(importId);
  const isSame = before?.size === size && before.lastModified === lastModified && before.encoding === encoding;
  const stored = isSame ? before.parts : 0;
  const keep = (parts: number, whole = false) => {
    const known: Remembered = { size, lastModified, encoding, parts, isWhole: whole };
    sessionStorage.setItem(keyOf(importId), JSON.stringify(known));
  };
  const onStored = (number: number) => {
    keep(number);
    if (number === 1) onNewBeginning?.();
  };
  const client = patientClient();
  const stopping = new AbortController();
  running.set(importId, stopping);
  addEventListener('beforeunload', warn);
  set(importId, { sent: 0, size });
  try {
    keep(stored);
    const last = await send(client, importId, partsOf(file, encoding), {
      size,
      stored,
      onStored,
      signal: stopping.signal,
    });
    if (last === 0) throw new Error('The file is empty.');
    const { parts } = await client.getImport({ id: importId });
    if (parts !== last) throw new Error(TOO_MANY);
    keep(last, true);
    set(importId, undefined);
  } catch (error) {
    set(importId, stopping.signal.aborted ? undefined : { sent: 0, size, error: error as Error });
  } finally {
    running.delete(importId);
    if (running.size === 0) removeEventListener('beforeunload', warn);
  }
}

/** Sends no more of it. */
export function stopUpload(importId: string): void {
  running.get(importId)?.abort();
}

/** Sends the parts after the first `stored`. Returns the number of the last part. */
async function send(
  client: Client,
  id: string,
  parts: AsyncIterable<FilePart>,
  {
    size,
    stored,
    onStored,
    signal,
  }: { size: number; stored: number; onStored: (number: number) => void; signal: AbortSignal },
): Promise<number> {
  let number = 0;
  for await (const { text, read } of parts) {
    number += 1;
    if (number > stored) {
      await client.putImportPart({ id, number: String(number), text }, { signal });
      onStored(number);
    }
    set(id, { sent: read, size });
  }
  return number;
}

function remembered(importId: string): Remembered | undefined {
  return JSON.parse(sessionStorage.getItem(keyOf(importId)) ?? 'null') ?? undefined;
}

const keyOf = (importId: string) => `footfall-upload-${importId}`;

function set(importId: string, to: Upload | undefined): void {
  if (to) uploads.set(importId, to);
  else uploads.delete(importId);
  for (const tell of listeners) tell();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Browsers ask whether the page is to be left. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
