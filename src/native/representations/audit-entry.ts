import type { AuditEntry as AuditEntryBody } from '../../../generated/native/types.gen.ts';
import type { AuditEntry } from '../../domain/audit/read-entries.ts';
import type { KeyNames } from '../../domain/reading/key-names.ts';

/** Renders entries with the names of those who made them. */
export async function renderAuditEntries(
  names: KeyNames,
  storeId: string,
  entries: readonly AuditEntry[],
): Promise<AuditEntryBody[]> {
  const named = await names.of(
    storeId,
    entries.flatMap(({ actor }) => actor.id ?? []),
  );
  return entries.map(({ id, begunAt, endedAt, actor, address, operation, target, fields, ...entry }) => ({
    ...{ id, begun_at: begunAt.toISOString(), ended_at: endedAt?.toISOString() ?? null },
    actor: { ...actor, name: named.get(actor.id ?? '') ?? null },
    ...{ address, operation, target, fields: [...fields] },
    ...{ outcome: entry.outcome, status: entry.status, request_id: entry.requestId },
  }));
}
