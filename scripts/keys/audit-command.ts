import type { OrmDatabase } from '../../src/db/orm.ts';
import { AuditLog } from '../../src/domain/audit/audit-log.ts';
import { newId } from '../../src/ids/uuid-v7.ts';

interface Command {
  /** As it is typed: `keys create`. */
  operation: string;
  storeId: string;
  target?: string;
  /** The names of its options. */
  fields?: readonly string[];
}

/** Runs a command that changes a store, of which the audit log has an entry before. `createdBy` tells the id of what it has made. */
export async function auditCommand<Result>(
  { stores, sql }: Pick<OrmDatabase, 'stores' | 'sql'>,
  { operation, storeId, target, fields = [] }: Command,
  run: () => Promise<Result>,
  createdBy: (result: Result) => string | undefined = () => undefined,
): Promise<Result> {
  const warn = () => console.error('The audit log does not say that this has ended');
  const log = new AuditLog((id, work) => work(stores.of(id), sql), { warn });
  const attempt = {
    ...{ id: newId(), storeId, operation, fields, address: null, requestId: null },
    ...{ actor: { kind: 'operator', id: null } as const, target: target ?? null },
  };
  return await log.around(attempt, run, {
    result: (result) => ({ outcome: 'done', status: null, created: createdBy(result) }),
    error: () => ({ outcome: 'failed', status: null }),
  });
}
