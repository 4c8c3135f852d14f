import * as http from 'node:http';
import * as https from 'node:https';
import type { AttemptResult, WebhookRequest } from '../domain/webhooks/deliveries/attempt.ts';
import type { Networks } from '../domain/webhooks/endpoints/networks.ts';
import { addressOf } from '../domain/webhooks/endpoints/url.ts';
import { restAsked } from '../domain/webhooks/sending/schedule.ts';
import { Agents } from './agents.ts';
import { readAnswer } from './answer.ts';
import { RefusedAddress, type Resolve, resolveByServers } from './checked-lookup.ts';
import { AttemptEnded, errorOf } from './errors.ts';

/** Milliseconds to connect, look-up and TLS included; and for all of an attempt. */
const CONNECT_MS = 5_000;
const ATTEMPT_MS = 15_000;
/** Bytes of an answer's headers. */
const MAX_HEADERS = 16 * 1024;
/** Interim answers (1xx): each is parsed, and some receivers may send nothing else, as fast as they can. */
const MAX_INTERIM = 100;

export interface TransportOptions {
  networks: Networks;
  /** Whether `http` is allowed beside `https`. The rule may have changed since a URL was accepted. */
  allowHttp: boolean;
  resolve?: Resolve;
  connectMs?: number;
  attemptMs?: number;
}

/**
 * Sends requests to receivers that nobody trusts. Each costs a bounded time and memory, whatever they answer; redirects
 * are not followed. An answer counts once its headers are complete.
 */
export class Transport {
  readonly #agents: Agents;
  readonly #networks: Networks;
  readonly #allowHttp: boolean;
  readonly #connectMs: number;
  readonly #attemptMs: number;

  constructor({ networks, allowHttp, resolve = resolveByServers(), connectMs, attemptMs }: TransportOptions) {
    this.#agents = new Agents(networks, resolve);
    this.#networks = networks;
    this.#allowHttp = allowHttp;
    this.#connectMs = connectMs ?? CONNECT_MS;
    this.#attemptMs = attemptMs ?? ATTEMPT_MS;
  }

  /** Never rejects. Undefined if the time had come before anything of the request was sent. */
  async sendBefore(expiresAt: number | null, request: WebhookRequest): Promise<AttemptResult | undefined> {
    let [isSent, hasExpired] = [false, false];
    const result = await this.send(request, this.#attemptMs, () => {
      hasExpired ||= expiresAt !== null && Date.now() >= expiresAt;
      isSent ||= !hasExpired;
      return !hasExpired;
    });
    return hasExpired && !isSent ? undefined : result;
  }

  /**
   * Never rejects. `attemptMs` is for one that somebody waits for. `mayBegin` is asked on each connection, just before
   * anything is sent.
   */
  async send(
    request: WebhookRequest,
    attemptMs = this.#attemptMs,
    mayBegin: () => boolean = () => true,
  ): Promise<AttemptResult> {
    const start = performance.now();
    const elapsed = () => Math.round(performance.now() - start);
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new AttemptEnded('timeout')), attemptMs);
    let times = 0;
    const begin = () => {
      const may = mayBegin();
      if (may) times += 1;
      return may;
    };
    try {
      const response = await this.#request(request, begin, deadline.signal);
      const status = response.statusCode as number;
      const { excerpt, answer } = await readAnswer(response, request.readsAnswer);
      const restMs = restAsked(status, response.headers['retry-after'], Date.now()) ?? null;
      return { status, error: null, ms: elapsed(), excerpt, restMs, isResent: times > 1, answer };
    } catch (error) {
      const isResent = times > 1;
      return { status: null, error: errorOf(error), ms: elapsed(), excerpt: null, restMs: null, isResent };
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#agents.close();
  }

  /**
   * Sends it once more, on a new connection, where one that was kept has been closed meanwhile: most likely nobody has read
   * the request. The others that are kept were most likely closed with it.
   */
  async #request(
    request: WebhookRequest,
    mayBegin: () => boolean,
    deadline: AbortSignal,
  ): Promise<http.IncomingMessage> {
    const sent = this.#open(request, deadline);
    try {
      return await this.#answerTo(sent, request, mayBegin, deadline);
    } catch (error) {
      if (!sent.reusedSocket || errorOf(error) !== 'connection_closed') throw error;
    }
    this.#agents.closeIdle(request.endpointId, new URL(request.url));
    return await this.#answerTo(this.#open(request, deadline), request, mayBegin, deadline);
  }

  async #answerTo(
    sent: http.ClientRequest,
    { body }: WebhookRequest,
    mayBegin: () => boolean,
    deadline: AbortSignal,
  ): Promise<http.IncomingMessage> {
    try {
      return await answerTo(sent, () => (mayBegin() ? sent.end(body) : sent.destroy()), deadline, this.#connectMs);
    } catch (error) {
      sent.destroy();
      throw error;
    }
  }

  /** Connects; nothing is sent yet. */
  #open(
    { endpointId, method = 'POST', url: text, headers, body }: WebhookRequest,
    signal: AbortSignal,
  ): http.ClientRequest {
    signal.throwIfAborted();
    const url = new URL(text);
    if (url.protocol !== 'https:' && !this.#allowHttp) throw new RefusedAddress('Not https');
    const address = addressOf(url);
    // Sockets do not look up what is an address already.
    if (address !== undefined && !this.#networks.permits(address)) throw new RefusedAddress('Not permitted');
    const { request } = url.protocol === 'https:' ? https : http;
    return request(url, {
      method,
      agent: this.#agents.of(endpointId, url),
      headers: {
        ...(body.byteLength > 0 && { 'content-type': 'application/json' }),
        ...(hasBody(method, body) && { 'content-length': body.byteLength }),
        'user-agent': 'Footfall-Webhooks/1',
        accept: '*/*',
        'accept-encoding': 'identity',
        ...headers,
      },
      maxHeaderSize: MAX_HEADERS,
      signal,
    });
  }
}

/** What has none says so, where one is usual. */
function hasBody(method: string, body: Uint8Array): boolean {
  return body.byteLength > 0 || !['GET', 'DELETE'].includes(method);
}

/** Begins once there is a connection, and resolves once the headers of the answer are complete. */
function answerTo(
  sent: http.ClientRequest,
  begin: () => void,
  deadline: AbortSignal,
  connectMs: number,
): Promise<http.IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const connecting = setTimeout(() => sent.destroy(new AttemptEnded('connect_timeout')), connectMs);
  sent.once('socket', (socket) => {
    const onConnection = () => {
      clearTimeout(connecting);
      if (!socket.destroyed) begin();
    };
    if (sent.reusedSocket) onConnection();
    else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', onConnection);
  });
  sent.once('response', resolve);
  let interim = 0;
  sent.on('information', () => {
    interim += 1;
    if (interim > MAX_INTERIM) sent.destroy(new AttemptEnded('malformed_answer'));
  });
  sent.once('upgrade', (_, socket) => {
    socket.destroy();
    reject(new AttemptEnded('malformed_answer'));
  });
  sent.on('error', (error) => reject(deadline.aborted ? deadline.reason : error));
  sent.once('close', () => {
    clearTimeout(connecting);
    reject(new AttemptEnded('connection_closed'));
  });
  return promise;
}
