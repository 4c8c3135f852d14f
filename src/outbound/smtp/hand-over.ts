import type { Envelope, HandOverResult, MailHandOver, RelayUser } from '../../domain/senders/hand-over.ts';
import type { Networks } from '../../domain/webhooks/endpoints/networks.ts';
import { type Resolve, resolveByServers } from '../checked-lookup.ts';
import { AttemptEnded } from '../errors.ts';
import { connectTo } from './connect.ts';
import { Pool } from './pool.ts';
import { refusal, resultOf } from './result.ts';
import { Session, type SmtpTimes } from './session.ts';

const TIMES: SmtpTimes = { setUp: 15_000, envelope: 30_000, message: 60_000, answer: 120_000 };
/** Senders whose connections are kept at a time. */
const MAX_POOLS = 200;

export interface SmtpOptions {
  networks: Pick<Networks, 'permits' | 'excepts'>;
  /** The name by which servers are greeted, if not that of the machine. */
  name?: string | undefined;
  resolve?: Resolve;
  times?: Partial<SmtpTimes>;
  ca?: string;
}

/**
 * Hands messages over by SMTP, to servers that nobody trusts. Each attempt costs a bounded time and memory. Nodemailer speaks
 * the protocol, and nothing else of it is used: neither its composer nor its parser of addresses.
 */
export class SmtpHandOver implements MailHandOver {
  /** By the sender. The one that was used last is at the end. */
  readonly #pools = new Map<string, { key: string; pool: Pool }>();
  readonly #options: SmtpOptions;
  readonly #resolve: Resolve;
  readonly #times: SmtpTimes;

  constructor(options: SmtpOptions) {
    this.#options = options;
    this.#resolve = options.resolve ?? resolveByServers();
    this.#times = { ...TIMES, ...options.times };
  }

  async send(user: RelayUser, envelope: Envelope, raw: Uint8Array, signal?: AbortSignal): Promise<HandOverResult> {
    if (!isAddress(envelope.from)) return refusal(553, '553 5.1.7 Malformed address of the sender', 'MAIL FROM');
    if (!isAddress(envelope.to)) return refusal(553, '553 5.1.3 Malformed address', 'RCPT TO');
    const pool = this.#poolOf(user);
    for (let isRepeated = false; ; isRepeated = true) {
      try {
        const { session, isReused } = await pool.acquire(signal);
        const { result, isBegun, isTidy } = await session.send(envelope, raw, signal);
        isTidy.then(() => pool.release(session));
        // The server has closed a connection that was kept, and most likely the others with it; it has read nothing.
        const isStale = isReused && result.outcome === 'failed' && result.reason === 'connection_closed' && !isBegun;
        if (!isStale || isRepeated) return result;
        pool.closeIdle();
      } catch (error) {
        return signal?.aborted ? { outcome: 'failed', reason: 'aborted', maybeSent: false } : resultOf(error, false);
      }
    }
  }

  async check({ relay }: RelayUser, signal?: AbortSignal): Promise<HandOverResult> {
    try {
      const session = await this.#open(relay, signal);
      const response = session.lastResponse;
      session.end();
      return { outcome: 'accepted', response };
    } catch (error) {
      return signal?.aborted ? { outcome: 'failed', reason: 'aborted', maybeSent: false } : resultOf(error, false);
    }
  }

  close(): void {
    for (const { pool } of this.#pools.values()) pool.close();
    this.#pools.clear();
  }

  async #open(relay: RelayUser['relay'], signal: AbortSignal | undefined): Promise<Session> {
    const { networks, name, ca } = this.#options;
    const ending = new AbortController();
    const onAbort = () => ending.abort(new AttemptEnded('timeout'));
    const timer = setTimeout(onAbort, this.#times.setUp);
    signal?.addEventListener('abort', onAbort);
    try {
      signal?.throwIfAborted();
      const route = await connectTo(relay, networks, this.#resolve, ending.signal);
      return await Session.open(relay, route, { name, ca, times: this.#times }, ending.signal);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #poolOf({ id, relay, maxConcurrent }: RelayUser): Pool {
    const key = JSON.stringify([relay, maxConcurrent]);
    const known = this.#pools.get(id);
    // It has been changed.
    if (known && known.key !== key) known.pool.close();
    const pool = known?.key === key ? known.pool : new Pool((signal) => this.#open(relay, signal), maxConcurrent);
    this.#pools.delete(id);
    this.#pools.set(id, { key, pool });
    if (this.#pools.size > MAX_POOLS) this.#forgetOldest();
    return pool;
  }

  #forgetOldest(): void {
    for (const [id, { pool }] of this.#pools) {
      if (pool.isUsed) continue;
      this.#pools.delete(id);
      pool.close();
      return;
    }
  }
}

/** Whether it can be written between angle brackets as it is; the server decides on the rest. */
function isAddress(address: string): boolean {
  return address.length <= 320 && /^[^\s\p{Cc}\p{Cf}<>@"(),:;\\[\]]+@[^\s\p{Cc}\p{Cf}<>@"(),:;\\[\]]+$/u.test(address);
}
