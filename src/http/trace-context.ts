/** The trace that a request belongs to, as the log names it. */
export interface TraceContext {
  trace_id: string;
  /** The client's span: what called the service. */
  span_id: string;
}

/** Version, trace id, parent id and flags; a later version than 00 may have more after them. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** Reads a `traceparent` header of W3C Trace Context; undefined where there is none, or it is not what that says. */
export function parseTraceparent(header: string | string[] | undefined): TraceContext | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, traceId, spanId, more] = TRACEPARENT.exec(header) ?? [];
  if (!traceId || !spanId || (version === '00' && more !== undefined)) return undefined;
  return { trace_id: traceId, span_id: spanId };
}
