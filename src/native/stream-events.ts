import type { Operations } from '../../generated/native/operations.gen.ts';
import { stringify } from '../db/raw-json.ts';
import { invalid } from '../domain/service-error.ts';
import { requireScope } from '../http/bind-contract.ts';
import type { Handler } from '../http/handler.ts';
import { PacedStream } from '../http/paced-stream.ts';
import type { LiveStreams } from '../streams/live-streams.ts';
import { formatResumeToken, parseResumeToken, type ResumeToken } from '../streams/resume-token.ts';
import type { EventEncoder } from '../streams/sender.ts';
import { renderEvent } from './representations/event.ts';
import { renderRejection } from './representations/rejection.ts';
import { renderSegmentChange } from './representations/segment.ts';

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  // Asks proxies to pass on each message immediately.
  'X-Accel-Buffering': 'no',
};

/** As `listSegmentChanges` requires them. */
const SEGMENT_SCOPES = ['audiences:read', 'profiles:read'];

/** Encodes changes as server-sent events. */
export const EVENT_STREAM: EventEncoder = {
  change: (one, token) => {
    if (one.kind === 'event') return toMessage(token, one.kind, renderEvent(one.event));
    if (one.kind === 'rejection') return toMessage(token, one.kind, renderRejection(one.rejection));
    return toMessage(token, one.kind, { ...renderSegmentChange(one.change), segment_id: one.change.segmentId });
  },
  reset: (token) => toMessage(token, 'reset', {}),
  // Includes the id, which clients keep although there is no data.
  heartbeat: (token) => `: nothing new\nid: ${formatResumeToken(token)}\n\n`,
};

export function streamEvents(streams: Pick<LiveStreams, 'subscribe'>): Handler<Operations, 'streamEvents'> {
  return async ({ request, caller, deadline }) => {
    const from = toResumeToken(request.headers?.['Last-Event-ID']);
    const types = request.query?.types;
    if (types?.includes('segment_change')) {
      for (const scope of SEGMENT_SCOPES) requireScope(caller, scope);
    }
    const stream = new PacedStream();
    const leave = await streams.subscribe(caller, stream, from, deadline.signal, types?.toSorted());
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
