import { type RawBuilder, sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import { isId } from '../../ids/uuid-v7.ts';
import type { AudienceKind } from '../conditions/audience.ts';
import { chosenSender } from '../senders/chosen-sender.ts';
import { ServiceError, type Violation } from '../service-error.ts';
import { expectSendable } from '../templates/sendable.ts';
import { audiencesNamed } from './core/definition/audiences.ts';
import type { Definition } from './core/definition/definition.ts';
import { channelOf, isMessageStep, type MessageStep, sendsToEndpoint } from './core/definition/steps.ts';

/** What a store has of all that a definition names. */
export interface NamedParts {
  /** What it does not have, or not so that it can be used; paths begin at the root of the definition. */
  problems: Violation[];
  /** The versions of templates that are sent, by the ids of steps. */
  versions: Map<string, number>;
}

/**
 * Looks up all that a definition names. With `locks`, nobody deletes any of it before the transaction ends: whoever wants to
 * waits, and then finds who names it; and there has to be a sender for each message, if only the default one.
 */
export async function checkNamed(
  db: Sql,
  storeId: string,
  definition: Definition,
  { locks }: { locks: boolean },
): Promise<NamedParts> {
  const endpoints = await endpointProblems(db, storeId, definition, locks ? sql`order by id for share` : sql``);
  const audiences = await audienceProblems(db, storeId, definition, locks ? sql`order by id for key share` : sql``);
  const pools = await poolProblems(db, storeId, definition, locks ? sql`order by id for share` : sql``);
  if (locks) await lockSenders(db, storeId, definition);
  const { problems, versions } = await checkMessages(db, storeId, definition, locks);
  return { problems: [...endpoints, ...audiences, ...pools, ...problems], versions };
}

async function endpointProblems(
  db: Sql,
  storeId: string,
  { steps }: Definition,
  lock: RawBuilder<unknown>,
): Promise<Violation[]> {
  const named = steps.flatMap((step, i) => (sendsToEndpoint(step) ? [{ id: step.endpoint_id, i }] : []));
  const ids = idsAmong(named.map(({ id }) => id));
  if (named.length === 0) return [];
  const { rows } = await sql<{ id: string; isDisabled: boolean }>`
    select id, disabled_at is not null as "isDisabled" from webhook_endpoint
    where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[]) and deleted_at is null ${lock}`.execute(db);
  const found = new Map(rows.map((row) => [row.id, row]));
  return named.flatMap(({ id, i }): Violation[] => {
    const endpoint = found.get(id);
    if (endpoint && !endpoint.isDisabled) return [];
    const problem = endpoint ? 'is disabled' : 'is not the id of an endpoint';
    return [{ path: ['steps', i, 'endpoint_id'], problem }];
  });
}

async function audienceProblems(
  db: Sql,
  storeId: string,
  definition: Definition,
  lock: RawBuilder<unknown>,
): Promise<Violation[]> {
  const named = audiencesNamed(definition);
  const find = async (kind: AudienceKind): Promise<ReadonlySet<string>> => {
    const ids = idsAmong(named.flatMap((one) => (one.kind === kind ? [one.id] : [])));
    if (ids.length === 0) return new Set();
    const { rows } = await sql<{ id: string }>`
      select id from ${sql.table(kind)} where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[]) ${lock}`.execute(
      db,
    );
    return new Set(rows.map(({ id }) => id));
  };
  const found = { list: await find('list'), segment: await find('segment') };
  return named.flatMap(({ kind, id, path }): Violation[] =>
    found[kind].has(id) ? [] : [{ path, problem: `is not the id of a ${kind} of the store` }],
  );
}

async function poolProblems(
  db: Sql,
  storeId: string,
  { steps }: Definition,
  lock: RawBuilder<unknown>,
): Promise<Violation[]> {
  const named = steps.flatMap((step, i) =>
    step.type === 'assign_coupon' ? [{ id: step.pool_id.toLowerCase(), i }] : [],
  );
  if (named.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select id from coupon_pool
    where store_id = ${storeId} and id = any(${uuids(idsAmong(named.map(({ id }) => id)))}::uuid[]) ${lock}`.execute(
    db,
  );
  const found = new Set(rows.map(({ id }) => id));
  return named.flatMap(({ id, i }): Violation[] =>
    found.has(id) ? [] : [{ path: ['steps', i, 'pool_id'], problem: 'is not the id of a coupon pool of the store' }],
  );
}

async function lockSenders(tx: Sql, storeId: string, { steps }: Definition): Promise<void> {
  const ids = idsAmong(steps.flatMap((step) => (isMessageStep(step) && step.sender_id ? [step.sender_id] : [])));
  if (ids.length === 0) return;
  await sql`
    select from sender where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[])
    order by id for share`.execute(tx);
}

/** Templates have to be published and for the channel of the step, and senders ready for such messages. */
async function checkMessages(
  db: Sql,
  storeId: string,
  { steps }: Definition,
  needsDefault: boolean,
): Promise<NamedParts> {
  const problems: Violation[] = [];
  const versions = new Map<string, number>();
  // Many steps may send the same.
  const known = new Map<string, number | Violation[]>();
  for (const [i, step] of steps.entries()) {
    if (!isMessageStep(step)) continue;
    const key = JSON.stringify([step.type, step.template_id, step.template_version, step.sender_id]);
    const found = known.get(key) ?? (await findVersion(db, storeId, step, needsDefault));
    known.set(key, found);
    if (typeof found === 'number') versions.set(step.id, found);
    else problems.push(...found.map(({ path, problem }) => ({ path: ['steps', i, ...path], problem })));
  }
  return { problems, versions };
}

/** Returns the version that a step sends, or what is wrong with it. */
async function findVersion(
  db: Sql,
  storeId: string,
  { type, template_id, template_version, sender_id }: MessageStep,
  needsDefault: boolean,
): Promise<number | Violation[]> {
  try {
    const version = await expectSendable(db, storeId, template_id, template_version, channelOf(type));
    if (needsDefault || sender_id !== undefined) await chosenSender(db, storeId, sender_id, version);
    return version.number;
  } catch (error) {
    if (error instanceof ServiceError && error.violations.length > 0) return [...error.violations];
    throw error;
  }
}

/** Each once. What is no id is named by the check of the definition alone. */
function idsAmong(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter(isId);
}
