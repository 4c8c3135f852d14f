import type { Sql } from '../../../db/orm.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { Unopenable } from '../../secrets/secrets.ts';
import { ServiceError } from '../../service-error.ts';
import {
  type ClaimedFeed,
  ClaimLost,
  claimFeed,
  endClaim,
  extendClaim,
  forgetValidators,
  type RunEnd,
} from './claim.ts';
import { FeedUnavailable, type OpenedFeed, type OpenFeed } from './fetch.ts';
import { readFile } from './files.ts';
import { countMissing, hideMissing } from './hide-missing.ts';
import { needsConfirmation } from './needs-confirmation.ts';
import { NotAFeed } from './not-a-feed.ts';
import { readProducts } from './read-products.ts';
import { placeOfUrl } from './url.ts';
import { ProductWriter } from './write-products.ts';

/** Products of a file. */
const MAX_RECORDS = 1_000_000;
/** Milliseconds for all of a run, and after which its claim is extended. */
const [RUN_MS, EXTEND_MS] = [15 * 60 * 1000, 15_000];

export interface RunTools {
  open: OpenFeed;
  secrets: Secrets;
  /** Aborted when the process is to stop. */
  stopping: AbortSignal;
  /** Is told of each run that has ended. */
  observe?: ObserveFeeds;
}

/** How runs of feeds end. */
export const RUN_OUTCOMES = ['complete', 'unchanged', 'needs_confirmation', 'failed'] as const;
/** What came of a run: how it has ended, and how many items it has hidden. */
export type ObserveFeeds = (run: { outcome: (typeof RUN_OUTCOMES)[number]; hidden: number }) => void;

/**
 * Reads the feed of a store that is due first, if any is. What it has written stays if it fails or the process is killed:
 * another run begins at the beginning of the file, and finds that unchanged. Returns whether there was one.
 */
export async function runDueFeed(db: Sql, storeId: string, tools: RunTools): Promise<boolean> {
  const feed = await claimFeed(db, storeId);
  if (!feed) return false;
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, tools.stopping, AbortSignal.timeout(RUN_MS)]);
  const extending = setInterval(() => {
    extendClaim(db, feed).then(
      (isOwn) => !isOwn && ending.abort(new ClaimLost()),
      // The next may succeed.
      () => undefined,
    );
  }, EXTEND_MS);
  const writer = new ProductWriter(db, feed);
  const end = async (ending: RunEnd) => {
    await endClaim(db, feed, { ...ending, counts: writer.counts });
    tools.observe?.({ outcome: ending.status, hidden: writer.counts.hidden });
  };
  try {
    await end(await readFeed(db, feed, writer, { ...tools, signal }));
  } catch (error) {
    if (error instanceof ClaimLost || ending.signal.aborted) return true;
    if (tools.stopping.aborted) {
      await end({ status: 'failed', error: 'The run was interrupted', isStopped: true });
      return true;
    }
    const known = signal.aborted ? 'The run took more than 15 minutes' : messageOf(error);
    await end({ status: 'failed', error: known ?? 'The run has failed' });
    if (known === undefined) throw error;
  } finally {
    clearInterval(extending);
    ending.abort();
  }
  return true;
}

function messageOf(error: unknown): string | undefined {
  if (error instanceof NotAFeed) return `The file ${error.message}`;
  if (error instanceof Unopenable) return 'The URL can not be decrypted any more: give it again';
  return error instanceof FeedUnavailable || error instanceof ServiceError ? error.message : undefined;
}

async function readFeed(
  db: Sql,
  feed: ClaimedFeed,
  writer: ProductWriter,
  tools: RunTools & { signal: AbortSignal },
): Promise<RunEnd> {
  const { mayHide } = feed;
  const { signal } = tools;
  const opened = await openSource(db, feed, tools);
  if (opened === 'unchanged') return { status: 'unchanged' };
  await forgetValidators(db, feed);
  for await (const product of readProducts(opened.chunks, feed)) {
    signal.throwIfAborted();
    await writer.add(product);
    if (writer.counts.records > MAX_RECORDS) {
      throw new NotAFeed(`has more than ${MAX_RECORDS.toLocaleString('en')} products`);
    }
  }
  await writer.flush();
  const { counts, seen } = writer;
  if (counts.records === counts.rejected) {
    throw new NotAFeed(counts.records === 0 ? 'has no products' : 'has no product without an error');
  }
  const found = await countMissing(db, feed, seen);
  counts.missing = found.missing;
  if (needsConfirmation(found, mayHide ?? 0)) return { status: 'needs_confirmation' };
  counts.hidden = await hideMissing(db, feed, seen);
  return { status: 'complete', etag: opened.etag, lastModified: opened.lastModified };
}

async function openSource(
  db: Sql,
  { storeId, id, source, url: sealed, etag, lastModified, mayHide }: ClaimedFeed,
  { open, secrets, signal }: RunTools & { signal: AbortSignal },
): Promise<OpenedFeed> {
  if (source === 'file') return { etag: null, lastModified: null, chunks: readFile(db, storeId, id) };
  const url = secrets.open(sealed, placeOfUrl(storeId, id));
  const known = mayHide === null && (etag !== null || lastModified !== null) ? { etag, lastModified } : undefined;
  return await open({ feedId: id, url, known, signal });
}
