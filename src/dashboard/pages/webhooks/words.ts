import type { WebhookAttempt, WebhookDeliveryStatus, WebhookEndpointStatus } from '../../../client/index.ts';
import { wordsOf } from '../../components/words-of.ts';

export const ENDPOINT_COLORS: Readonly<Record<WebhookEndpointStatus, string>> = {
  active: 'green',
  resting: 'yellow',
  disabled: 'red',
  deleted: 'gray',
};
export const DELIVERY_COLORS: Readonly<Record<WebhookDeliveryStatus, string>> = {
  pending: 'indigo',
  sending: 'indigo',
  delivered: 'green',
  failed: 'red',
  expired: 'orange',
  held: 'yellow',
};
/** What each status of a delivery means. */
export const DELIVERY_WORDS: Readonly<Record<WebhookDeliveryStatus, string>> = {
  pending: 'It is to be sent, or to be sent again.',
  sending: 'It is under way.',
  delivered: 'It was answered with a 2xx.',
  failed: 'All attempts have failed. It is sent again only if you replay it.',
  expired: 'It could not be delivered within the time that its step gives it.',
  held: 'Its endpoint was disabled. It is sent once you replay it.',
};

export const DISABLED_WORDS: Readonly<Record<string, string>> = {
  gone: 'it answered 410, which means that it wants no more messages',
  failing: 'it has done nothing but fail for five days',
  requested: 'somebody has disabled it',
  secret_lost: 'the key of the service that its secret was encrypted with is gone: rotate the secret',
};

const ERROR_WORDS: Readonly<Record<string, string>> = {
  address_refused: 'The URL leads to a private or reserved address, or is not https',
  name_not_found: 'The name of the host was not found',
  connection_refused: 'The connection was refused',
  connection_closed: 'The connection was closed before an answer came',
  connection_failed: 'The connection failed',
  connect_timeout: 'No connection within 5 seconds',
  timeout: 'No answer in time',
  tls_failed: 'The certificate is not valid, or TLS failed otherwise',
  malformed_answer: 'The answer was not HTTP',
};

/** What came of an attempt, in words: the status of the answer, or why there was none. */
export function resultWords({ status, error }: Pick<WebhookAttempt, 'status' | 'error'>): string {
  if (status !== null) return `Answered ${status}`;
  if (error === null) return 'No answer';
  return wordsOf(ERROR_WORDS, error);
}

export function isSuccess({ status }: Pick<WebhookAttempt, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** A duration as people say it: `38 ms`, `1.2 s`. */
export function millisecondWords(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
