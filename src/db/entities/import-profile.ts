import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { ImportJobEntity } from './import-job.ts';

/** The profiles that a job created or updated in one transaction. */
export const ImportProfileEntity = defineEntity({
  name: 'ImportProfile',
  tableName: 'import_profile',
  properties: {
    storeId: p.uuid().primary(),
    jobId: p.uuid().primary(),
    /** That of the first item in the request. */
    position: p.integer().primary(),
    profileIds: p.array().columnType('uuid[]'),
    /** The foreign key. Of no type: Kysely's would have columns of it that there are not. */
    job: () =>
      p
        .manyToOne(ImportJobEntity)
        .joinColumns('store_id', 'job_id')
        .foreignKeyName('import_profile_store_id_job_id_fkey')
        .updateRule('no action')
        .deleteRule('cascade')
        .index(false)
        .$type<never>(),
  },
});

export type ImportProfileRecord = InferEntity<typeof ImportProfileEntity>;
