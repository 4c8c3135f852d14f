import { Oversized } from '../db/raw-json.ts';
import type { Attempt, AuditLog, Ending } from '../domain/audit/audit-log.ts';
import type { Caller } from '../domain/caller.ts';
import type { ErrorCode } from '../domain/service-error.ts';
import { isId } from '../ids/uuid-v7.ts';
import { toServiceError } from './to-service-error.ts';

/** What a surface needs to have its changes audited. */
export interface Auditing {
  log: AuditLog;
  statusOf(code: ErrorCode): number;
}

/** What the audit log says of a request besides what it asks for. */
export interface RequestFacts {
  /** Of the entry, also where the request begins again in a thread. */
  entryId: string;
  requestId: string;
  /** Under which its client is counted. */
  address: string;
}

/** Calls a handler once the entry of the change is written, and completes that. */
export async function callAudited<Reply extends { status: number; body?: unknown; about?: string }>(
  { log, statusOf }: Auditing,
  attempt: Attempt,
  handle: () => Promise<Reply>,
): Promise<Reply> {
  return await log.around(attempt, handle, {
    result: ({ status, body, about }) => ({ outcome: 'done', status, created: about ?? createdId(body) }),
    // The thread for large requests goes on with it.
    error: (error) => (error instanceof Oversized ? undefined : endingOf(error, statusOf)),
  });
}

/** Of an error: one of the server leaves open whether something has changed. */
export function endingOf(error: unknown, statusOf: Auditing['statusOf']): Ending {
  const status = statusOf(toServiceError(error).code);
  return { outcome: status < 500 ? 'refused' : 'failed', status };
}

export function attemptOf(
  operation: string,
  { path, requestBody }: { path: Record<string, string>; requestBody?: unknown },
  { storeId, actor }: Caller,
  { entryId, ...facts }: RequestFacts,
): Attempt {
  const ids = Object.values(path);
  return {
    ...facts,
    ...{ storeId, operation, id: entryId, actor: { kind: actor.kind, id: actor.id } },
    target: ids.length > 0 ? ids.join('/') : null,
    fields: namesIn(requestBody),
  };
}

/** Of a request that was not looked at: what is no id, somebody may have put into the path. */
export function uncheckedAttemptOf(...of: Parameters<typeof attemptOf>): Attempt {
  const { path } = of[1];
  return { ...attemptOf(...of), ...(!Object.values(path).every(isId) && { target: null }) };
}

/** Names alone: values may be secrets, and what customers have said. Of a document of JSON:API, those of its attributes. */
function namesIn(body: unknown): string[] {
  if (!isObject(body)) return [];
  const { data } = body;
  const parts = isObject(data) ? [data.attributes, data.relationships].filter(isObject) : [];
  return Object.keys(parts.length > 0 ? Object.assign({}, ...parts) : body);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The id of what a response describes, which may be beside what is shown only once. */
function createdId(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const inside = Object.values(body).filter((value) => typeof value === 'object' && value !== null);
  for (const one of [body, ...inside]) if ('id' in one && typeof one.id === 'string') return one.id;
  return undefined;
}
