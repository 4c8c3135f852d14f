/** Why an attempt had no answer. */
export type AttemptError =
  | 'address_refused'
  | 'name_not_found'
  | 'connection_refused'
  | 'connection_closed'
  | 'connect_timeout'
  | 'timeout'
  | 'tls_failed'
  | 'malformed_answer'
  | 'connection_failed';

/** What came of an attempt to send a delivery. Nothing of it is secret, or tells of addresses. */
export interface AttemptResult {
  /** Of the answer; null if there was none. */
  status: number | null;
  /** Why there was none. */
  error: AttemptError | null;
  /** Milliseconds that it took. */
  ms: number;
  /** The beginning of the answer, as text. */
  excerpt: string | null;
  /** Milliseconds for which the receiver asks to be left alone. */
  restMs: number | null;
  /** Whether the request was sent once more, as a connection that was kept had been closed: it may have arrived twice. */
  isResent: boolean;
  /** All of the answer as JSON, of a call whose answer is kept; absent if it is none. */
  answer?: unknown;
  /** Whether the answer refuses what was asked for, and says nothing of the endpoint: to ask again would change nothing. */
  isRefusal?: boolean;
}

export interface WebhookRequest {
  endpointId: string;
  /** By default POST. */
  method?: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  /** Whether all of the answer is to be read, as JSON. */
  readsAnswer?: boolean;
}

/** Sends a request; never rejects. `mayBegin` is asked just before anything is sent. */
export type Send = (request: WebhookRequest, timeoutMs?: number, mayBegin?: () => boolean) => Promise<AttemptResult>;

/** Sends a request; never rejects. Undefined if the time, in milliseconds, came before anything of it was sent. */
export type SendBefore = (expiresAt: number | null, request: WebhookRequest) => Promise<AttemptResult | undefined>;

export function isDelivered({ status }: Pick<AttemptResult, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** What a receiver says of one call: it is malformed, or what it is about is not there, is gone or is in the way. */
const OF_THE_CALL = new Set([400, 404, 409, 410, 422]);

export function refusesCall({ status }: Pick<AttemptResult, 'status'>): boolean {
  return status !== null && OF_THE_CALL.has(status);
}
