import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../config.ts';
import { ServiceError } from '../domain/service-error.ts';
import {
  KEEP_ALIVE_MS,
  LATE_CHECK_MS,
  LINGER_MS,
  MAX_HEADER_BYTES,
  MAX_WAITING_READS,
  SILENCE_MS,
} from '../process/limits.ts';
import { limitConnections } from './connection-limit.ts';
import { uncountedHeaders } from './rate-limit.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import { type Surface, surfaceOf } from './surface.ts';
import { pathFromRoot } from './surface-host.ts';

/** Methods of read-only requests. */
const READING = new Set<string | undefined>(['GET', 'HEAD']);

const PROBLEMS: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time',
  HPE_HEADER_OVERFLOW: `The headers are larger than ${MAX_HEADER_BYTES / 1024} KB`,
};

/**
 * Creates a server that bounds the time and memory of every connection. What is not HTTP, or arrives too slowly, gets
 * an error of the surface it was meant for: clients that parse JSON receive JSON.
 */
export function createHttpServer(
  handle: RequestListener,
  config: Config,
  surfaces: readonly [Surface, ...Surface[]],
): Server {
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    // Node requires `headersTimeout` not to exceed `requestTimeout`.
    headersTimeout: Math.min(config.headersTimeout, config.requestTimeout) * 1000,
    requestTimeout: config.requestTimeout * 1000,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: LATE_CHECK_MS,
    // The pipeline refuses it, like any other mistake.
    requireHostHeader: false,
  });
  server.maxConnections = config.maxConnections;
  server.timeout = SILENCE_MS;
  limitConnections(server, config);

  const inFlight = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>();
  const waitingReads = new WeakMap<Socket, number>();
  const receive: RequestListener = (request, response) => {
    const { socket } = request;
    const before = READING.has(request.method) ? inFlight.get(socket)?.response : undefined;
    inFlight.set(socket, { request, response });
    if (!before || before.writableFinished) return handle(request, response);
    const reads = (waitingReads.get(socket) ?? 0) + 1;
    waitingReads.set(socket, reads);
    // Nothing is sent meanwhile, so nothing would slow down a client that pipelines more than the memory holds.
    if (reads > MAX_WAITING_READS) return socket.destroy();
    // A client that pipelines read requests gets each response once it has read the one before.
    before.once('close', () => {
      waitingReads.set(socket, (waitingReads.get(socket) as number) - 1);
      if (!socket.destroyed) handle(request, response);
    });
  };
  server.on('request', receive);
  // Unknown expectations may be ignored; without this Node would respond with a page of its own.
  server.on('checkExpectation', receive);

  const refused = new WeakSet<Socket>();
  server.on('clientError', (error: ClientError, socket: Socket) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    const refuse = (target = '', host = '') => {
      const path = pathFromRoot(config.compatHosts, host, target) ?? target;
      const surface = surfaceOf(surfaces, path) ?? surfaces[0];
      const problem = PROBLEMS[error.code ?? ''] ?? 'The request is not valid HTTP';
      closeAfter(socket, rawRefusal(surface, config, problem));
    };
    const { request, response } = inFlight.get(socket) ?? {};
    if (response?.writableFinished && !request?.complete) socket.destroy();
    else if (response === undefined || response.writableFinished) refuse(targetOf(error), hostOf(error));
    // The body of a request that waits for it arrives too slowly; its path is already the surface's.
    else if (!request?.complete && !response.headersSent) refuse(request?.url);
    // The response to the earlier request goes out first.
    else response.once('finish', () => refuse(targetOf(error), hostOf(error)));
  });
  return server;
}

interface ClientError extends NodeJS.ErrnoException {
  rawPacket?: Buffer;
}

/** Returns the target of a malformed request, by which its surface is found. */
function targetOf({ rawPacket }: ClientError): string | undefined {
  return /^[A-Za-z]+ +(\S+)/.exec(rawPacket?.toString('latin1') ?? '')?.[1];
}

/** Returns the host name of a malformed request. */
function hostOf({ rawPacket }: ClientError): string | undefined {
  return /\r?\nhost:[ \t]*([^\s:]+)/i.exec(rawPacket?.toString('latin1') ?? '')?.[1];
}

/**
 * Sends a last response, then discards input for a moment: closing a connection with unread bytes resets it, and the
 * client might not see the response.
 */
function closeAfter(socket: Socket, response: string): void {
  if (!socket.writable || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  socket.end(response);
  socket.once('end', () => socket.destroy());
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Returns a `validation_error` as bytes, for a connection without a response object. */
function rawRefusal(surface: Surface, { rateLimitTiers }: Config, message: string): string {
  const requestId = randomUUID();
  const body = JSON.stringify(surface.renderError(new ServiceError('validation_error', message), requestId));
  const headers = {
    ...SECURITY_HEADERS,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': requestId,
    ...uncountedHeaders(rateLimitTiers),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return ['HTTP/1.1 400 Bad Request', ...lines, '', body].join('\r\n');
}
