import type { IncomingMessage } from 'node:http';
import { parseAnswer } from '../domain/webhooks/deliveries/parse-answer.ts';

/** Bytes of an answer that are read, and that are kept of one that people may look at. */
const MAX_READ = 64 * 1024;
const MAX_KEPT = 4 * 1024;

/**
 * Returns the beginning of an answer as text, and with `isRead` all of it as JSON; undefined where it is none. Compressed
 * ones are not inflated, and have neither. One that is longer, or does not end in time, is cut, with its connection.
 */
export async function readAnswer(
  response: IncomingMessage,
  isRead = false,
): Promise<{ excerpt: string | null; answer: unknown }> {
  const isText = (response.headers['content-encoding'] ?? 'identity') === 'identity';
  const most = isRead ? MAX_READ : MAX_KEPT;
  const kept: Buffer[] = [];
  let [read, keptBytes, isWhole] = [0, 0, false];
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      read += chunk.length;
      if (keptBytes < most && isText) {
        kept.push(chunk.subarray(0, most - keptBytes));
        keptBytes += Math.min(chunk.length, most - keptBytes);
      }
      if (isRead ? read > MAX_READ : read >= MAX_READ) break;
    }
    isWhole = read <= MAX_READ;
  } catch {
    // The status stands.
  }
  if (!isText || keptBytes === 0) return { excerpt: null, answer: undefined };
  const bytes = Buffer.concat(kept);
  const answer = isRead && isWhole ? parseAnswer(bytes.toString('utf8')) : undefined;
  // Postgres can't store NUL.
  return { excerpt: bytes.subarray(0, MAX_KEPT).toString('utf8').replaceAll('\0', '\uFFFD'), answer };
}
