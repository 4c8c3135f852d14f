import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { ImportJobEntity } from './import-job.ts';
import { RawJsonType } from './raw-json-type.ts';

/** Why an item of a job could not be stored. */
export const ImportErrorEntity = defineEntity({
  name: 'ImportError',
  tableName: 'import_error',
  properties: {
    storeId: p.uuid().primary(),
    jobId: p.uuid().primary(),
    /** That of the item in the request, over all groups. */
    position: p.integer().primary(),
    code: p.text(),
    path: p.type(RawJsonType).columnType('json'),
    problem: p.text(),
    /** What the file has there, of an import of customers. */
    value: p.text().nullable(),
    /** The foreign key. Of no type: Kysely's would have columns of it that there are not. */
    job: () =>
      p
        .manyToOne(ImportJobEntity)
        .joinColumns('store_id', 'job_id')
        .foreignKeyName('import_error_store_id_job_id_fkey')
        .updateRule('no action')
        .deleteRule('cascade')
        .index(false)
        .$type<never>(),
  },
});

export type ImportErrorRecord = InferEntity<typeof ImportErrorEntity>;
