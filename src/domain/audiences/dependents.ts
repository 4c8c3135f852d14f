import { sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import { expectScopesToDefine as expectScopesOfAutomation } from '../automations/access/scopes.ts';
import { definitionsNaming } from '../automations/stored/unnamed.ts';
import type { Caller } from '../caller.ts';
import { readDefinition } from '../segments/definition.ts';
import { expectScopesToDefine } from '../segments/scopes.ts';

/**
 * Throws `forbidden` unless the caller may read what the segments and automations ask for that name a segment, themselves or
 * by other segments: whoever decides who is in it would learn from their counts what else is true of each customer.
 */
export async function expectScopesOfDependents(tx: Sql, caller: Caller, id: string): Promise<void> {
  const { storeId } = caller;
  const { rows } = await sql<{ id: string; definition: RawJson }>`
    with recursive dependent (id) as (
      select id from segment where store_id = ${storeId} and ${id}::uuid = any(segment_ids)
      union
      select s.id from segment s join dependent d on d.id = any(s.segment_ids) where s.store_id = ${storeId}
    )
    select id, definition from segment where store_id = ${storeId} and id in (select id from dependent)`.execute(tx);
  for (const { definition } of rows) expectScopesToDefine(caller, readDefinition(definition));
  for (const segmentId of [id, ...rows.map((row) => row.id)]) {
    for (const definition of await definitionsNaming(tx, storeId, { kind: 'segment', id: segmentId })) {
      expectScopesOfAutomation(caller, definition);
    }
  }
}
