import type { Event, Rejection } from '../../generated/native/types.gen.ts';
import { sleep } from './retry.ts';

/** A message of `streamEvents`. After a `reset` messages may be missing: load anew what is shown. */
export type StreamMessage =
  | { id: string; event: 'event'; data: Event }
  | { id: string; event: 'rejection'; data: Rejection }
  | { id: string; event: 'reset'; data: Record<never, never> };

const LONGEST_PAUSE_MS = 1_000;

/**
 * The messages of a stream without end: where a connection ends or breaks, or brings nothing for `silenceMs`, the next
 * one goes on after the last message. `connect` is given the id of that; what it throws ends the stream.
 */
export async function* messages(
  connect: (lastEventId: string | undefined) => Promise<Response>,
  silenceMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamMessage, never> {
  let lastEventId: string | undefined;
  for (;;) {
    const response = await connect(lastEventId);
    for await (const block of blocks(received(response, silenceMs))) {
      lastEventId = block.get('id') ?? lastEventId;
      const message = messageOf(block);
      if (message) yield message;
    }
    signal?.throwIfAborted();
    await sleep(Math.random() * LONGEST_PAUSE_MS, signal);
  }
}

/** The text of an answer, until it ends, breaks or falls silent. */
async function* received({ body }: Response, silenceMs: number): AsyncGenerator<string, void> {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  const stop = () => reader.cancel().catch(() => {});
  try {
    for (;;) {
      const timer = setTimeout(stop, silenceMs);
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      clearTimeout(timer);
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    await stop();
  }
}

/** The blocks of a text of server-sent events, each with its fields. */
async function* blocks(chunks: AsyncIterable<string>): AsyncGenerator<Map<string, string>> {
  // A message of megabytes comes in many chunks, and is put together once.
  let pieces = [''];
  for await (const chunk of chunks) {
    const isEnd = chunk.includes('\n\n') || (chunk.startsWith('\n') && pieces.at(-1)?.endsWith('\n'));
    if (chunk) pieces.push(chunk);
    if (!isEnd) continue;
    const whole = pieces.join('').split('\n\n');
    pieces = [whole.pop() ?? ''];
    for (const block of whole) {
      yield new Map(block.split('\n').map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
    }
  }
}

/** Nothing of a comment, which keeps the connection alive, and of a block that says but its id. */
function messageOf(block: Map<string, string>): StreamMessage | undefined {
  const data = block.get('data');
  if (data === undefined) return undefined;
  return { id: block.get('id'), event: block.get('event'), data: JSON.parse(data) } as StreamMessage;
}
