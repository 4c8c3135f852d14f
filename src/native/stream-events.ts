import type { Operations } from '../../generated/native/operations.gen.ts';
import { stringify } from '../db/raw-json.ts';
import type { ChangeFeed, EventEncoder } from '../domain/change-feed/change-feed.ts';
import { formatResumeToken, parseResumeToken, type ResumeToken } from '../domain/change-feed/resume-token.ts';
import { invalid } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { PacedStream } from '../http/paced-stream.ts';
import { renderEvent } from './representations/event.ts';
import { renderRejection } from './representations/rejection.ts';

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  // Asks proxies to pass on each message immediately.
  'X-Accel-Buffering': 'no',
};

/** Encodes changes as server-sent events. */
export const EVENT_STREAM: EventEncoder = {
  change: (change, token) =>
    change.kind === 'event'
      ? toMessage(token, 'event', renderEvent(change.event))
      : toMessage(token, 'rejection', renderRejection(change.rejection)),
  reset: (token) => toMessage(token, 'reset', {}),
  // Includes the id, which clients keep although there is no data.
  heartbeat: (token) => `: nothing new\nid: ${formatResumeToken(token)}\n\n`,
};

export function streamEvents(feed: Pick<ChangeFeed, 'subscribe'>): Handler<Operations, 'streamEvents'> {
  return async ({ request, caller, deadline }) => {
    const from = toResumeToken(request.headers?.['Last-Event-ID']);
    const stream = new PacedStream();
    const leave = await feed.subscribe(caller, stream, from, deadline.signal);
    stream.once('close', leave);
    return { status: 200, stream, headers: HEADERS };
  };
}

function toResumeToken(id: string | undefined): ResumeToken | undefined {
  if (id === undefined) return undefined;
  const token = parseResumeToken(id);
  if (!token) throw invalid({ path: ['Last-Event-ID'], problem: 'is not the id of a message in this stream' });
  return token;
}

function toMessage(token: ResumeToken, type: string, data: unknown): string {
  return `id: ${formatResumeToken(token)}\nevent: ${type}\ndata: ${stringify(data)}\n\n`;
}
