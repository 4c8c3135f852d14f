/** The trace that a request belongs to, with the names of the log. */
export interface TraceContext {
  trace_id: string;
  /** The client's span, which made the request. */
  span_id: string;
}

/** Version, trace id, parent id and flags; versions after 00 may append more. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** Parses a `traceparent` header of W3C Trace Context; undefined if it is missing or malformed. */
export function parseTraceparent(header: string | string[] | undefined): TraceContext | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, traceId, spanId, more] = TRACEPARENT.exec(header) ?? [];
  if (!traceId || !spanId || (version === '00' && more !== undefined)) return undefined;
  return { trace_id: traceId, span_id: spanId };
}
