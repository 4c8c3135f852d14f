import type { Envelope, HandOverResult, Relay } from '../../domain/senders/hand-over.ts';
import { AttemptEnded } from '../errors.ts';
import { BoundedConnection } from './bounded-connection.ts';
import type { Route } from './connect.ts';
import { Message } from './message.ts';
import { resultOf, shorten } from './result.ts';

/** Milliseconds that each part may take, however busily the server trickles. */
export interface SmtpTimes {
  /** To look up the name, connect, greet, encrypt and log in. */
  setUp: number;
  /** To take the addresses. */
  envelope: number;
  /** To read the message. */
  message: number;
  /** To answer that it was taken. */
  answer: number;
}

/** Messages after which a connection ends: many servers end it themselves at about as many. */
const MAX_MESSAGES = 100;
/** Milliseconds for the answer to a good-bye. */
const QUIT_MS = 2_000;
/** Nodemailer's own limit comes after all of ours. */
const NEVER_MS = 600_000;

export interface SessionOptions {
  /** The name by which we greet. */
  name: string | undefined;
  /** Certificates of authorities, in place of those that Node knows. */
  ca: string | undefined;
  times: SmtpTimes;
}

/** A connection to a server which is ready for a message, or is given one. */
export class Session {
  readonly #connection: BoundedConnection;
  readonly #times: SmtpTimes;
  #messages = 0;

  private constructor(connection: BoundedConnection, times: SmtpTimes) {
    this.#connection = connection;
    this.#times = times;
  }

  /** Greets, encrypts and logs in. Throws what `resultOf` takes. */
  static async open(
    relay: Relay,
    route: Route,
    { name, ca, times }: SessionOptions,
    signal: AbortSignal,
  ): Promise<Session> {
    const { socket, isInside } = route;
    const { host, port, security, login } = relay;
    const connection = new BoundedConnection({
      ...{ host, port, name, connection: socket },
      secure: security === 'tls',
      requireTLS: security === 'starttls' && !isInside,
      tls: { minVersion: 'TLSv1.2', rejectUnauthorized: !isInside, ...(ca === undefined ? {} : { ca }) },
      ...{ connectionTimeout: NEVER_MS, greetingTimeout: NEVER_MS, socketTimeout: NEVER_MS },
    });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    connection.on('error', (error) => reject(connection.isFlooded ? new AttemptEnded('malformed_answer') : error));
    connection.once('end', () => reject(new AttemptEnded('connection_closed')));
    const onReady = (error?: Error | null) => (error ? reject(error) : resolve());
    connection.connect((error) => {
      if (error || login === null) onReady(error);
      else connection.login({ user: login.user, pass: login.password }, onReady);
    });
    try {
      signal.throwIfAborted();
      await promise;
      return new Session(connection, times);
    } catch (error) {
      connection.close();
      socket.destroy();
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Whether another message may be sent by it. */
  get isUsable(): boolean {
    return !this.#connection.destroyed && this.#messages < MAX_MESSAGES;
  }

  /** What the server has said last. */
  get lastResponse(): string {
    return shorten(this.#connection.lastServerResponse || '');
  }

  onEnd(listener: () => void): void {
    this.#connection.once('end', listener);
  }

  /**
   * Never rejects. Also says whether anything of the message was sent, perhaps. `isTidy` resolves once another one may be
   * sent, or none at all.
   */
  async send(
    envelope: Envelope,
    raw: Uint8Array,
    signal: AbortSignal | undefined,
  ): Promise<{ result: HandOverResult; isBegun: boolean; isTidy: Promise<void> }> {
    this.#messages += 1;
    const connection = this.#connection;
    connection.expectReplies();
    const { promise, resolve } = Promise.withResolvers<HandOverResult>();
    const fail = (reason: 'timeout' | 'aborted' | 'malformed_answer' | 'connection_closed') =>
      resolve({ outcome: 'failed', reason, maybeSent: message.isSent });
    let timer = setTimeout(fail, this.#times.envelope, 'timeout');
    const message = new Message(raw, () => {
      clearTimeout(timer);
      timer = setTimeout(fail, this.#times[message.isSent ? 'answer' : 'message'], 'timeout');
      if (!message.isSent) this.#writeInOnePiece();
    });
    const onAbort = () => fail('aborted');
    const onEnd = () => setImmediate(fail, connection.isFlooded ? 'malformed_answer' : 'connection_closed');
    signal?.addEventListener('abort', onAbort);
    connection.once('end', onEnd);
    if (signal?.aborted) onAbort();
    const { from, to } = envelope;
    connection.send({ from, to: [to], size: raw.byteLength }, message, (error, info) => {
      if (error) resolve(resultOf(error, message.isSent));
      // An answer before the end of the message says nothing that could be relied on.
      else if (!message.isSent) fail('malformed_answer');
      else resolve({ outcome: 'accepted', response: shorten(info?.response ?? '') });
    });
    const result = await promise;
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    connection.off('end', onEnd);
    return { result, isBegun: message.isBegun, isTidy: this.#tidyUp(result, message) };
  }

  /** What is written in this turn of the event loop leaves together: a message with its end. */
  #writeInOnePiece(): void {
    const socket = this.#connection._socket;
    if (!socket) return;
    socket.cork();
    setImmediate(() => socket.uncork());
  }

  /** Says good-bye, and waits for no answer to it. */
  end(): void {
    if (this.#connection.destroyed) return;
    this.#connection.quit();
    setTimeout(() => this.close(), QUIT_MS).unref();
  }

  close(): void {
    const socket = this.#connection._socket;
    this.#connection.close();
    if (socket) socket.destroy();
  }

  /** After a refusal the next message begins anew; whatever else has happened, there is none. */
  async #tidyUp({ outcome }: HandOverResult, { isBegun, isSent }: Message): Promise<void> {
    if (outcome === 'accepted') return;
    if (outcome === 'failed' || isBegun !== isSent || !this.isUsable) {
      this.close();
      return;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, this.#times.envelope, false);
    const onEnd = () => resolve(false);
    this.#connection.once('end', onEnd);
    this.#connection.reset((error) => resolve(!error));
    const isReset = await promise;
    clearTimeout(timer);
    this.#connection.off('end', onEnd);
    if (!isReset) this.close();
  }
}
