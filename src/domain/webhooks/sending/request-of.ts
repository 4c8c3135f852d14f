import type { WebhookRequest } from '../deliveries/attempt.ts';
import type { CallRequest } from '../deliveries/call-request.ts';
import { signedHeaders } from '../endpoints/signing.ts';

/** Where deliveries go, opened. */
export interface Target {
  endpointId: string;
  url: string;
  /** Secret ones, by their names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** By which it is signed, the latest first. */
  secrets: readonly string[];
}

/** The request of an attempt. A call goes to the host of its endpoint, whatever its path. */
export function requestOf(
  { endpointId, url, headers: secret, secrets }: Target,
  { id, body, request }: { id: string; body: Uint8Array; request: CallRequest | null },
  at: Date,
): WebhookRequest {
  const signed = signedHeaders(id, at, body, secrets);
  if (!request) return { endpointId, url, headers: { ...secret, ...signed }, body };
  const { method, path, headers: own, isSigned } = request;
  return {
    endpointId,
    method,
    url: path === null ? url : new URL(url).origin + path,
    headers: { ...own, ...secret, ...(isSigned ? signed : { 'webhook-id': id }) },
    body,
    readsAnswer: true,
  };
}
