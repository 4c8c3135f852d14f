import { sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import type { AudienceKind } from '../conditions/audience.ts';
import { invalid } from '../service-error.ts';
import { audiencesNamed } from './core/definition/audiences.ts';
import type { Definition } from './core/definition/definition.ts';

/** Throws `validation_error` unless the store has all lists and segments that a definition names. */
export async function expectAudiences(tx: Sql, storeId: string, definition: Definition): Promise<void> {
  const named = audiencesNamed(definition);
  const idsOf = (kind: AudienceKind) => [...new Set(named.flatMap((one) => (one.kind === kind ? [one.id] : [])))];
  const found = {
    list: await lockAudiences(tx, storeId, 'list', idsOf('list')),
    segment: await lockAudiences(tx, storeId, 'segment', idsOf('segment')),
  };
  for (const { kind, id, path } of named) {
    if (!found[kind].has(id)) throw invalid({ path, problem: `is not the id of a ${kind} of the store` });
  }
}

/** Whoever deletes one meanwhile waits until the transaction ends, and then finds who names it. */
async function lockAudiences(
  tx: Sql,
  storeId: string,
  kind: AudienceKind,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(kind)} where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[])
    order by id for key share`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}
