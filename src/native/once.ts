import { stringify } from '../db/raw-json.ts';
import type { Caller } from '../domain/caller.ts';
import { always, digestOf, keepAnswer, type Once, Replay } from '../domain/kept-answers.ts';

interface Asked {
  operation: string;
  /** Of the body, or of the header for an operation without one. */
  key: string | undefined;
  /** What a repetition must ask for, too. */
  request: { path?: unknown; body?: unknown };
}

interface Reply {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  isRepeatable?: boolean;
}

interface Performing<Result, Answered extends Reply> {
  /** Performs the request; what it writes goes through `once`, in its transaction. */
  perform: (once: Once<Result>) => Promise<Result>;
  answer: (result: Result) => Answered | Promise<Answered>;
  /** Returns what is kept of the body, if that is not all of it. */
  keep?: (body: Answered['body']) => unknown;
  /** Returns the body of a replay, if it is not what was kept. */
  show?: (kept: unknown, isOwn: boolean) => Promise<Answered['body']>;
}

/**
 * Performs a request once, however often it is sent with its `idempotency_key`: the others get the response to the first,
 * with `Idempotency-Replayed`. Throws `validation_error` for a key that was used for another request.
 */
export async function performOnce<Result, Answered extends Reply>(
  { storeId, actor }: Caller,
  { operation, key, request }: Asked,
  { perform, answer, keep = (body) => body, show }: Performing<Result, Answered>,
): Promise<Answered> {
  if (key === undefined) return await answer(await perform(always));
  const { path, body } = request as { path?: unknown; body?: { idempotency_key?: string } };
  const { idempotency_key: _, ...asked } = body ?? {};
  const repeatable = { storeId, apiKeyId: actor.id, operation, key, digest: digestOf({ path, asked }) };
  let answered: Answered | undefined;
  try {
    await perform((tx, work) =>
      keepAnswer(tx, repeatable, work, async (done) => {
        answered = await answer(done);
        return { status: answered.status, body: stringify(keep(answered.body)) };
      }),
    );
    return { ...(answered as Answered), isRepeatable: true };
  } catch (error) {
    if (!(error instanceof Replay)) throw error;
    const body = show ? await show(JSON.parse(error.body.text), error.apiKeyId === actor.id) : error.body;
    return { status: error.status, body, headers: REPLAYED, isRepeatable: true } as Reply as Answered;
  }
}

export const REPLAYED = { 'Idempotency-Replayed': 'true' };
