import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

/** A bulk job of the compatibility surface, or that of an import of customers, which has its id. */
export const ImportJobEntity = defineEntity({
  name: 'ImportJob',
  tableName: 'import_job',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    kind: p.enum(['events', 'profiles', 'customers']),
    status: p.enum(['queued', 'processing', 'complete']),
    total: p.integer(),
    /** Items that are stored; those that were refused are `failed`. Both add up to `total` in the end. */
    completed: p.integer().default(0),
    failed: p.integer().default(0),
    createdAt: p.datetime(3),
    startedAt: p.datetime(3).strictNullable(),
    completedAt: p.datetime(3).strictNullable(),
    expiresAt: p.datetime(3),
    /** When it was last begun, or made progress: processes of the version before go by it. */
    touchedAt: p.datetime(3),
    /** How often it was begun in vain, and when it is worth trying again. */
    attempts: p.integer().default(0),
    retryAt: p.datetime(3).strictNullable(),
    /** The lists that it names, as it names them, which its profiles join. */
    listIds: p.array().columnType('text[]').lazy().nullable(),
  },
  indexes: [
    { name: 'import_job_of_kind', properties: ['storeId', 'kind', 'status', 'id'] },
    {
      name: 'import_job_due',
      expression: `create index import_job_due on import_job (store_id, retry_at nulls first) where status <> 'complete'`,
    },
    { name: 'import_job_of_store', properties: ['storeId', 'id'], where: `status <> 'complete'` },
  ],
});

export type ImportJobRecord = InferEntity<typeof ImportJobEntity>;
