import { clip } from '../service-error.ts';
import { type AttemptResult, isDelivered, type Send } from '../webhooks/deliveries/attempt.ts';
import { signedHeaders } from '../webhooks/endpoints/signing.ts';
import type { HandOverResult } from './hand-over.ts';
import type { Receiver } from './receiver.ts';

/** Characters of an answer that are kept. */
const MAX_RESPONSE = 200;
/** The receiver does not know us, or is not there any more: nothing about one message, and it may be mended. */
const OF_US = new Set([401, 403, 404, 407, 410]);
/** It asks to be left alone for a while. */
const LATER = new Set([408, 425, 429]);

/**
 * Hands a message over by a signed webhook, whose id is that of the message however often it is tried: the receiver drops
 * repeats by it. Never rejects.
 */
export async function handOverByWebhook(
  send: Send,
  { endpointId, url, secrets, headers: secret }: Receiver,
  { id, body }: { id: string; body: Uint8Array },
  timeoutMs?: number,
): Promise<HandOverResult> {
  const headers = { ...secret, ...signedHeaders(id, new Date(), body, secrets) };
  let hasBegun = false;
  // Not once more on another connection by itself: whether that is right depends on what the message is.
  const result = await send({ endpointId, url, headers, body }, timeoutMs, () => {
    const isFirst = !hasBegun;
    hasBegun = true;
    return isFirst;
  });
  return resultOf(result, hasBegun);
}

function resultOf(result: AttemptResult, hasBegun: boolean): HandOverResult {
  const { status: code, error, excerpt } = result;
  if (code === null) return { outcome: 'failed', reason: error ?? 'connection_failed', maybeSent: hasBegun };
  const words = excerpt?.replace(/[\p{Cc}\s]+/gu, ' ').trim() ?? '';
  const response = clip(`${code} ${words}`.trim(), MAX_RESPONSE);
  if (isDelivered(result)) return { outcome: 'accepted', response };
  const isOfMessage = code >= 400 && code < 500 && !OF_US.has(code) && !LATER.has(code);
  const permanent = isOfMessage || OF_US.has(code);
  return { outcome: 'refused', permanent, code, enhanced: null, response, of: isOfMessage ? 'message' : 'us' };
}
