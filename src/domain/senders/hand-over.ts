/** A server that takes messages for others. */
export interface Relay {
  host: string;
  port: number;
  /** `tls`: from the start; `starttls`: after a greeting in clear. */
  security: 'tls' | 'starttls';
  /** Null where it asks for none. */
  login: { user: string; password: string } | null;
  /** Whether it is the operator's own, which may be in any network and at any port. */
  isOperators: boolean;
}

/** Whose connections a message leaves by. */
export interface RelayUser {
  /** Connections are kept for it, and for nobody else. */
  id: string;
  relay: Relay;
  /** Connections at a time, of this process. */
  maxConcurrent: number;
}

/** Addresses as they are on the wire: without names, a domain in its ASCII form. */
export interface Envelope {
  from: string;
  to: string;
}

export type HandOverFailure =
  | 'name_not_found'
  | 'address_refused'
  | 'connection_refused'
  | 'connect_timeout'
  | 'connection_closed'
  | 'connection_failed'
  | 'tls_failed'
  | 'tls_not_offered'
  | 'malformed_answer'
  | 'server_error'
  | 'timeout'
  | 'aborted';

/** What came of handing a message over. Responses are shortened. */
export type HandOverResult =
  | { outcome: 'accepted'; response: string }
  | {
      outcome: 'refused';
      /** Whether trying again is in vain. */
      permanent: boolean;
      /** Of three digits, and the enhanced one (RFC 3463) if it was given: 550, `5.1.1`. */
      code: number;
      enhanced: string | null;
      response: string;
      /** What was refused: the sender, whatever it sends; the recipient; or the message. */
      of: 'us' | 'recipient' | 'message';
      /** Whether it is refused as the recipient has told the provider that they want nothing more. */
      hasOptedOut?: boolean;
    }
  | {
      outcome: 'failed';
      reason: HandOverFailure;
      /** Whether the server may have all of the message, as it was not told where it was lost. */
      maybeSent: boolean;
    };

/** Hands messages over to servers that nobody trusts. Neither rejects. */
export interface MailHandOver {
  /** `raw`: the whole message, its lines ended by CR LF. Aborting ends the attempt at once. */
  send(user: RelayUser, envelope: Envelope, raw: Uint8Array, signal?: AbortSignal): Promise<HandOverResult>;
  /** Connects and logs in, on a connection of its own, and sends nothing: `accepted` if that works. */
  check(user: RelayUser, signal?: AbortSignal): Promise<HandOverResult>;
}
