import { compatSurface } from '../compat/index.ts';
import { openOrm, settingsOfRequests } from '../db/orm.ts';
import { ApiKeys } from '../domain/api-keys/api-keys.ts';
import { AuditLog } from '../domain/audit/audit-log.ts';
import { VersionCache } from '../domain/automations/stored/version-cache.ts';
import { HOOKS } from '../domain/messages/hook-token.ts';
import { findEvent } from '../domain/reading/events.ts';
import type { FindReplay } from '../domain/record-event.ts';
import { Secrets } from '../domain/secrets/secrets.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { openTemplateTools } from '../domain/templates/template-tools.ts';
import { TRACKED_LINKS } from '../domain/tracking/tracked-links.ts';
import { Networks } from '../domain/webhooks/endpoints/networks.ts';
import { GroupCommit } from '../domain/write/group-commit.ts';
import { Deadline } from '../http/deadline.ts';
import { parseBody } from '../http/json-body.ts';
import type { LargeReply, LargeRequest } from '../http/large-request-types.ts';
import { readFromReplica } from '../http/read-from-replica.ts';
import { encodeBody } from '../http/respond.ts';
import type { Surface } from '../http/surface.ts';
import { toServiceError } from '../http/to-service-error.ts';
import { nativeSurface } from '../native/index.ts';
import { dnsRecords } from '../outbound/dns-records.ts';
import { freeNow } from '../process/free-now.ts';
import { describeError } from '../process/log.ts';
import { serveThread, type ThreadTools, type Work } from '../threads/serve-thread.ts';
import type { ThreadNotice, ThreadSetup } from './large-requests.ts';

async function openRequests({
  data,
  log,
  notify,
}: ThreadTools<ThreadSetup, ThreadNotice>): Promise<Work<LargeRequest, LargeReply>> {
  const database = await openOrm(data.address, data.connections, settingsOfRequests(data.databaseTimeout));
  const { orm, stores } = database;
  const groupCommit = new GroupCommit(stores, { observe: (...batch) => notify({ batch }) });
  const findReplay: FindReplay = (caller, id) => findEvent(stores.of(caller.storeId), caller, id);
  // A large request already holds a permit.
  const withConnection: WithConnection = (storeId, work) => work(stores.of(storeId), database.sql);
  const onJob = (storeId: string) => notify({ jobOf: storeId });
  const reader = readFromReplica(stores, undefined);
  const keys = new ApiKeys(database);
  const templates = openTemplateTools(log);
  const secrets = new Secrets(data.secretKeys);
  const auditLog = new AuditLog(withConnection, log);
  // What depends on it is read on the thread that serves.
  const background = { isComplete: () => false };
  const surfaces = [
    await nativeSurface({
      groupCommit,
      findReplay,
      writing: withConnection,
      reading: withConnection,
      onJob,
      stores,
      background,
      reader,
      keys,
      auditLog,
      rateLimitUses: () => Promise.reject(new Error('Only the process knows the windows')),
      streams: { subscribe: () => Promise.reject(new Error('Only the process serves streams')) },
      versions: new VersionCache(),
      templates,
      // Requests for them are small.
      // Requests for these are small.
      senders: {
        secrets,
        handOver: {
          send: () => Promise.reject(new Error('Only the process sends messages')),
          check: () => Promise.reject(new Error('Only the process checks senders')),
        },
        sendWebhook: () => Promise.reject(new Error('Only the process checks senders')),
        dns: dnsRecords(),
        networks: new Networks(),
        hasExceptions: false,
        publicUrl: data.publicUrl,
        linkBase: data.publicUrl ?? '',
        hookTokens: secrets.derive(HOOKS),
        dkimKeys: { draw: () => Promise.reject(new Error('Only the process draws keys')) },
        twilioUrl: '',
        maxPerSecond: 0,
        shared: undefined,
      },
      making: {
        maker: { render: () => Promise.reject(new Error('Only the process makes messages')) },
        tokens: secrets.derive('message-tokens'),
        trackedLinks: secrets.derive(TRACKED_LINKS),
      },
      feeds: {
        rules: { allowHttp: false, networks: new Networks() },
        open: () => Promise.reject(new Error('Only the process reads feeds')),
        secrets,
      },
      webhooks: {
        rules: { allowHttp: false, networks: new Networks() },
        send: () => Promise.reject(new Error('Only the process sends webhooks')),
        secrets: { secrets, isSealing: () => false },
      },
    }),
    await compatSurface(
      {
        groupCommit,
        findReplay,
        writing: withConnection,
        reading: withConnection,
        onJob,
        reads: orm.em,
        stores,
        background,
        reader,
        keys,
        auditLog,
        versions: new VersionCache(),
      },
      data.compatAuthSchemes,
    ),
  ];
  return {
    async answer(request) {
      const surface = surfaces.find(({ name }) => name === request.surface) as Surface;
      const answer = await performRequest(surface, request);
      return { answer, transfer: [answer.body.buffer] };
    },
    stop: async () => {
      await templates.stop();
      await database.close();
    },
  };
}

/** Parses, validates, calls the handler and serialises the response. */
async function performRequest(surface: Surface, request: LargeRequest): Promise<LargeReply> {
  const { operationId, caller, base, facts, requestId, budget, path, query, header, body } = request;
  try {
    const operation = surface.operations.find(({ id }) => id === operationId);
    if (!operation) throw new Error(`There is no operation ${operationId}`);
    const requestBody = body && { requestBody: parseBody(Buffer.from(body.buffer)) };
    if (body) freeNow(body);
    const deadline = new Deadline(budget);
    const call = operation.call({ path, query, header, ...requestBody }, caller, deadline, () => base, facts);
    const reply = await deadline.enforce(call);
    const { status, headers = {}, isRepeatable = false } = reply;
    return { status, headers, body: encode(encodeBody(reply.body)), isRepeatable, error: undefined };
  } catch (thrown) {
    const error = toServiceError(thrown);
    const { code, message, violations, retryAfter } = error;
    return {
      status: surface.statusOf(code),
      headers: {},
      body: encode(encodeBody(surface.renderError(error, requestId))),
      isRepeatable: true,
      error: { code, message, violation: violations[0], retryAfter, cause: describeError(error.cause) },
    };
  }
}

/** Encodes into a buffer of its own, which can be transferred. */
function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

serveThread(openRequests, { isAwaited: true });
