import { sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import { isId } from '../../ids/uuid-v7.ts';
import { invalid } from '../service-error.ts';
import type { Definition } from './core/definition/definition.ts';

/** Throws `validation_error` unless the store has all endpoints that steps send to, and they take deliveries. */
export async function expectEndpoints(tx: Sql, storeId: string, { steps }: Definition): Promise<void> {
  const named = steps.flatMap((step, i) => (step.type === 'send_webhook' ? [{ id: step.endpoint_id, i }] : []));
  if (named.length === 0) return;
  const ids = [...new Set(named.map(({ id }) => id))].filter(isId);
  // Locked, so that none is deleted meanwhile.
  const { rows } = await sql<{ id: string; isDisabled: boolean }>`
    select id, disabled_at is not null as "isDisabled" from webhook_endpoint
    where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[]) and deleted_at is null
    order by id
    for share`.execute(tx);
  for (const { id, i } of named) {
    const found = rows.find((row) => row.id === id);
    const problem = !found ? 'is not the id of an endpoint' : found.isDisabled ? 'is disabled' : undefined;
    if (problem) throw invalid({ path: ['steps', i, 'endpoint_id'], problem });
  }
}
