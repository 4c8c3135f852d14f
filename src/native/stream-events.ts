import type { Operations } from '../../generated/native/operations.gen.ts';
import { stringify } from '../db/raw-json.ts';
import { invalid } from '../domain/errors.ts';
import type { Feed, Script } from '../domain/following/feed.ts';
import { type Position, positionText, readPosition } from '../domain/following/position.ts';
import type { Handler } from '../http/handler.ts';
import { PacedStream } from '../http/paced-stream.ts';
import { toEvent } from './event.ts';
import { toRejection } from './rejection.ts';

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  // Asks proxies to pass on each message as it comes.
  'X-Accel-Buffering': 'no',
};

/** Server-sent events. */
export const EVENT_STREAM: Script = {
  added: (added, position) =>
    added.kind === 'event'
      ? message(position, 'event', toEvent(added.event))
      : message(position, 'rejection', toRejection(added.rejection)),
  reset: (position) => message(position, 'reset', {}),
  // With the id, which a client keeps although there is no data.
  heartbeat: (position) => `: nothing new\nid: ${positionText(position)}\n\n`,
};

export function streamEvents(feed: Pick<Feed, 'follow'>): Handler<Operations, 'streamEvents'> {
  return async ({ request, caller, deadline }) => {
    const from = toPosition(request.headers?.['Last-Event-ID']);
    const stream = new PacedStream();
    const leave = await feed.follow(caller, stream, from, deadline.signal);
    stream.once('close', leave);
    return { status: 200, stream, headers: HEADERS };
  };
}

function toPosition(id: string | undefined): Position | undefined {
  if (id === undefined) return undefined;
  const position = readPosition(id);
  if (!position) throw invalid({ path: ['Last-Event-ID'], problem: 'is not the id of a message in this stream' });
  return position;
}

function message(position: Position, type: string, data: unknown): string {
  return `id: ${positionText(position)}\nevent: ${type}\ndata: ${stringify(data)}\n\n`;
}
