import type { FeedFormat } from './read-records.ts';

/** What a server may say that it has sent already. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

export interface FeedRequest {
  feedId: string;
  url: string;
  /** Those of what was read before; with them, an unchanged file is not sent. */
  known?: Validators | undefined;
  signal: AbortSignal;
}

/** A file that is being sent, inflated. */
export type OpenedFeed = 'unchanged' | (Validators & { chunks: AsyncIterable<Buffer> });

/** Asks a server for a file. Throws `FeedUnavailable`, and so may what reads its chunks. */
export type OpenFeed = (request: FeedRequest) => Promise<OpenedFeed>;

/** A server does not send a file, or not all of it. The message is a sentence. */
export class FeedUnavailable extends Error {
  override readonly name = 'FeedUnavailable';
}

export interface FeedSource {
  url: string;
  /** Null where it is what the file looks like. */
  format: FeedFormat | null;
  /** Of prices without one. */
  currency: string | null;
}
