import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import {
  type Arguments,
  type CallOptions,
  type Client,
  FootfallError,
  pages,
  type Result,
} from '../../client/index.ts';
import { patientClient, useClient } from './client.tsx';

type Reading = Extract<
  keyof Client,
  `get${string}` | `list${string}` | `estimate${string}` | `preview${string}` | `explain${string}` | `render${string}`
>;
type Listing = Extract<Reading, `list${string}` | `explain${string}`>;
type Page<I extends Listing> = Result<I> & { next_cursor: string | null };

/** Milliseconds after which what has failed is read again. */
const RECOVERY_MS = 15_000;

interface Options {
  enabled?: boolean;
  /** Milliseconds until it is read again; less often while that fails for what may pass by itself. */
  refetchInterval?: number;
  /** Milliseconds for which it need not be read again. */
  staleTime?: number;
}

/** Reads by one operation of the API. What is read is kept under `[id, args]`. */
export function useOperation<I extends Reading>(
  id: I,
  args: Arguments<I>,
  { enabled = true, refetchInterval, ...options }: Options = {},
) {
  const call = useCall(id);
  return useQuery({
    queryKey: [id, args],
    queryFn: ({ signal }) => call(args, { signal }),
    ...options,
    enabled,
    refetchInterval: ({ state }) => intervalAfter(state.error, refetchInterval),
  });
}

function intervalAfter(error: Error | null, refetchInterval: number | undefined): number | false {
  if (refetchInterval === undefined) return false;
  if (error === null) return refetchInterval;
  return mayPass(error) && Math.max(refetchInterval, RECOVERY_MS);
}

/** Whether the same request may succeed later: nothing answered, the service was at fault, or there were too many. */
function mayPass(error: Error): boolean {
  if (!(error instanceof FootfallError)) return false;
  return error.status === undefined || error.status === 429 || error.status >= 500;
}

/** Under what the pages of a list are kept: apart from a single answer, which has another form. */
export const pagesKey = <I extends Listing>(id: I, args: Arguments<I>) => [id, args, 'pages'];

/** Reads a list, page after page; `data` has the rows of all that were read, none twice, and `all` reads it as a whole. */
export function useRows<I extends Listing, Row extends { id: string }>(
  id: I,
  args: Arguments<I>,
  rowsOf: (page: Page<I>) => Row[],
  { refetchInterval }: Pick<Options, 'refetchInterval'> = {},
) {
  const call = useCall(id) as (args: Arguments<I>, options: CallOptions) => Promise<Page<I>>;
  const query = useInfiniteQuery({
    queryKey: pagesKey(id, args),
    queryFn: ({ pageParam, signal }) => call(pageParam ? { ...args, cursor: pageParam } : args, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    select: ({ pages }) => [...new Map(pages.flatMap(rowsOf).map((row) => [row.id, row])).values()],
    refetchInterval: ({ state }) => intervalAfter(state.error, refetchInterval),
  });
  async function* all(signal: AbortSignal): AsyncGenerator<Row> {
    const list = patientClient()[id] as unknown as (args: object, options?: CallOptions) => Promise<Page<I>>;
    for await (const page of pages(list, args as object, { signal })) yield* rowsOf(page);
  }
  return { ...query, all };
}

function useCall<I extends Reading>(id: I) {
  const client = useClient();
  return client[id] as unknown as (args: Arguments<I>, options: CallOptions) => Promise<Result<I>>;
}
