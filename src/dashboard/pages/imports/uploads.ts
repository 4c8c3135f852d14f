import { useSyncExternalStore } from 'react';
import type { Client } from '../../../client/index.ts';
import { patientClient } from '../../api/client.tsx';
import { partsOf } from './file-text.ts';

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
  isWhole: boolean;
}

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

/**
 * Sends the file of an import. If this tab began with the same file before, it goes on after the `stored` parts; else it
 * begins anew.
 */
export async function upload(importId: string, file: File, encoding?: string, stored = 0): Promise<void> {
  if (running.has(importId)) return;
  const before = remembered(importId);
  const isSame = before?.size === file.size && before.lastModified === file.lastModified;
  const chosen = isSame ? before.encoding : encoding;
  const { size, lastModified } = file;
  const keep = (whole: boolean) =>
    sessionStorage.setItem(keyOf(importId), JSON.stringify({ size, lastModified, encoding: chosen, isWhole: whole }));
  const client = patientClient();
  const stopping = new AbortController();
  running.set(importId, stopping);
  addEventListener('beforeunload', warn);
  set(importId, { sent: 0, size });
  try {
    keep(false);
    const last = await send(client, importId, file, chosen, isSame ? stored : 0, stopping.signal);
    if (last === 0) throw new Error('The file is empty.');
    const { parts } = await client.getImport({ id: importId });
    if (parts !== last) throw new Error('Another file was sent for this import before. Cancel it and begin a new one.');
    keep(true);
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

/** Returns the number of the last part. */
async function send(
  client: Client,
  id: string,
  file: File,
  encoding: string | undefined,
  stored: number,
  signal: AbortSignal,
): Promise<number> {
  let number = 0;
  for await (const { text, read } of partsOf(file, encoding)) {
    number += 1;
    if (number > stored) await client.putImportPart({ id, number: String(number), text }, { signal });
    set(id, { sent: read, size: file.size });
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
