import type { AttemptError } from '../domain/webhooks/deliveries/attempt.ts';
import { RefusedAddress } from './checked-lookup.ts';

const OF_CODES: Readonly<Record<string, AttemptError>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_closed',
  EPIPE: 'connection_closed',
  ETIMEDOUT: 'connect_timeout',
  ENOTFOUND: 'name_not_found',
  ENODATA: 'name_not_found',
  EBADNAME: 'name_not_found',
  ESERVFAIL: 'name_not_found',
  ETIMEOUT: 'name_not_found',
  EREFUSED: 'name_not_found',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_failed',
  EPROTO: 'tls_failed',
};

/** An attempt ended for a reason that is known. */
export class AttemptEnded extends Error {
  readonly reason: AttemptError;

  constructor(reason: AttemptError) {
    super(reason);
    this.reason = reason;
  }
}

export function errorOf(error: unknown): AttemptError {
  if (error instanceof AttemptEnded) return error.reason;
  if (error instanceof RefusedAddress) return 'address_refused';
  // Several addresses were tried, one after the other.
  if (error instanceof AggregateError) return errorOf(error.errors.at(-1));
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('HPE_')) return 'malformed_answer';
  if (/CERT|^ERR_SSL|^ERR_TLS|ISSUER|SELF_SIGNED|SIGNATURE/.test(code)) return 'tls_failed';
  return OF_CODES[code] ?? 'connection_failed';
}
