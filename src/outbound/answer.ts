import type { IncomingMessage } from 'node:http';

/** Bytes of an answer that are read, and that are kept. */
const MAX_READ = 64 * 1024;
const MAX_KEPT = 4 * 1024;

/**
 * Returns the beginning of an answer as text. Compressed ones are not inflated, and have none. One that is longer, or does
 * not end in time, is cut, with its connection.
 */
export async function readAnswer(response: IncomingMessage): Promise<string | null> {
  const isText = (response.headers['content-encoding'] ?? 'identity') === 'identity';
  const kept: Buffer[] = [];
  let [read, keptBytes] = [0, 0];
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      read += chunk.length;
      if (keptBytes < MAX_KEPT && isText) {
        kept.push(chunk.subarray(0, MAX_KEPT - keptBytes));
        keptBytes += Math.min(chunk.length, MAX_KEPT - keptBytes);
      }
      if (read >= MAX_READ) break;
    }
  } catch {
    // The status stands.
  }
  if (!isText || keptBytes === 0) return null;
  // Postgres can't store NUL.
  return Buffer.concat(kept).toString('utf8').replaceAll('\0', '\uFFFD');
}
