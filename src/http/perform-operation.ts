import type { FairSemaphore } from '../concurrency/fair-semaphore.ts';
import { Oversized } from '../db/raw-json.ts';
import type { Caller } from '../domain/caller.ts';
import { newId } from '../ids/uuid-v7.ts';
import { LARGE_BODY_BYTES } from '../process/limits.ts';
import type { RequestFacts } from './audited.ts';
import { type AnyReply, authorise, type BoundOperation, type Parameters } from './bind-contract.ts';
import type { AddressOf } from './client-address.ts';
import { jsonBody, parseBody } from './json-body.ts';
import type { LargeRequestHandler } from './large-request-types.ts';
import type { LoadShedder } from './load-shedder.ts';
import { encodeBody, sendRendered } from './respond.ts';
import type { ResponseBudget } from './response-budget.ts';
import type { Ctx, Surface } from './surface.ts';
import { baseOf } from './surface-host.ts';

/** Characters from which a text is sent as bytes, so that only they stay in memory until the client has read them. */
const LARGE_TEXT = 4 * 1024;

export interface PerformOptions {
  loadShedder: LoadShedder;
  responses: ResponseBudget;
  /** Guards the connections for reading. */
  readConnections: FairSemaphore;
  largeRequests: LargeRequestHandler;
  addressOf: AddressOf;
}

/**
 * Performs one operation: scope, body, validation, handler, response. Large requests are handled in a separate thread.
 */
export function performOperation(
  surface: Surface,
  operation: BoundOperation,
  { loadShedder, responses, readConnections, largeRequests, addressOf }: PerformOptions,
): (ctx: Ctx & { params: Record<string, string> }) => Promise<void> {
  const readBody = operation.hasBody ? jsonBody(bodyTypesOf(surface, operation), operation.maxBodyBytes) : undefined;

  /** Whether a request refused now would have changed nothing. */
  const isReading = operation.method === 'get';

  const sendResponse = (ctx: Ctx, status: number, json: string | Buffer, isRepeatable: boolean | undefined): void => {
    const bytes = typeof json === 'string' && json.length > LARGE_TEXT ? Buffer.from(json) : json;
    responses.holdUntilSent((ctx.state.caller as Caller).storeId, ctx.res, bytes.length, !(isReading || isRepeatable));
    sendRendered(ctx, surface, status, bytes);
  };

  /** Where the store keeps that, what the caller changes says what it came by. */
  const callerOf = (ctx: Ctx): Caller => {
    const { caller, client } = ctx.state;
    if (isReading || !caller?.keepsHistory) return caller as Caller;
    const name = client ? 'client' : surface.name;
    return { ...caller, origin: { surface: name, operation: operation.id, actor: caller.actor.id } };
  };

  const factsOf = (ctx: Ctx): RequestFacts | undefined =>
    operation.isAudited
      ? { entryId: newId(), requestId: ctx.state.requestId, address: ctx.state.client?.address ?? addressOf(ctx) }
      : undefined;

  const performHere = (
    ctx: Ctx,
    parameters: Parameters,
    body: Buffer | undefined,
    facts: RequestFacts | undefined,
  ): Promise<AnyReply> => {
    const { deadline } = ctx.state;
    const call = async () => {
      if (body) parameters.requestBody = parseBody(body);
      return operation.call(parameters, callerOf(ctx), deadline, () => baseOf(ctx, surface), facts);
    };
    return loadShedder.run(async () => {
      if (!isReading) return deadline.enforce(call());
      const { storeId } = ctx.state.caller as Caller;
      const start = performance.now();
      if (!readConnections.tryAcquire(storeId)) await readConnections.acquire(storeId);
      deadline.spend(performance.now() - start);
      // The permit is held as long as the work goes on, even past the deadline.
      return deadline.enforce(call().finally(() => readConnections.release(storeId)));
    });
  };

  const performInThread = async (
    ctx: Ctx,
    { path, query, header }: Parameters,
    body: Buffer | undefined,
    facts: RequestFacts | undefined,
  ): Promise<void> => {
    const { requestId, deadline } = ctx.state;
    const request = {
      surface: surface.name,
      operationId: operation.id,
      requestId,
      caller: callerOf(ctx),
      base: baseOf(ctx, surface),
      facts,
      path,
      query,
      header: { ...header },
      body: body && toTransferable(body),
    };
    const reply = await loadShedder.run(() => largeRequests.perform(request, deadline));
    ctx.set(reply.headers);
    sendResponse(ctx, reply.status, Buffer.from(reply.body.buffer), reply.isRepeatable);
  };

  return async (ctx) => {
    ctx.state.operationId = operation.id;
    const caller = ctx.state.caller as Caller;
    const parameters: Parameters = { path: ctx.params, query: { ...ctx.query }, header: ctx.headers };
    const facts = factsOf(ctx);
    try {
      authorise(operation, caller);
    } catch (refusal) {
      if (facts) await ctx.state.deadline.enforce(operation.auditRefusal(parameters, caller, facts, refusal));
      throw refusal;
    }
    responses.check(caller.storeId);
    const { client } = ctx.state;
    const bodyBudget = client
      ? loadShedder.clientBodyBudget(caller.storeId, client.address)
      : loadShedder.bodyBudget(caller.storeId);
    try {
      const body = readBody && (await readBody(ctx, bodyBudget));
      if (body && body.length > LARGE_BODY_BYTES) return await performInThread(ctx, parameters, body, facts);
      try {
        const reply = await performHere(ctx, parameters, body, facts);
        if (reply.headers) ctx.set(reply.headers);
        if (reply.stream) Object.assign(ctx, { status: reply.status, body: reply.stream });
        else sendResponse(ctx, reply.status, encodeBody(reply.body), reply.isRepeatable);
      } catch (error) {
        // The request is small but the data it needs is not. What it has written it can write again idempotently.
        if (!(error instanceof Oversized)) throw error;
        await performInThread(ctx, parameters, body, facts);
      }
    } finally {
      bodyBudget.release();
    }
  };
}

function bodyTypesOf({ bodyTypes, clientPaths }: Surface, { path }: BoundOperation): readonly string[] {
  return clientPaths && path.startsWith(clientPaths.prefix) ? [...bodyTypes, ...clientPaths.bodyTypes] : bodyTypes;
}

/** The bytes in a buffer of their own: the body's, unless that is shared. */
function toTransferable(body: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = body;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(body);
}
