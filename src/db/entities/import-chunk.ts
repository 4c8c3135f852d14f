import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { ImportJobEntity } from './import-job.ts';
import { RawJsonType } from './raw-json-type.ts';

/** Items of a job that are still to do. */
export const ImportChunkEntity = defineEntity({
  name: 'ImportChunk',
  tableName: 'import_chunk',
  properties: {
    storeId: p.uuid().primary(),
    jobId: p.uuid().primary(),
    /** That of the first item in the request. */
    position: p.integer().primary(),
    items: p.type(RawJsonType).columnType('json'),
    /** The foreign key. Of no type: Kysely's would have columns of it that there are not. */
    job: () =>
      p
        .manyToOne(ImportJobEntity)
        .joinColumns('store_id', 'job_id')
        .foreignKeyName('import_chunk_store_id_job_id_fkey')
        .updateRule('no action')
        .deleteRule('cascade')
        .index(false)
        .$type<never>(),
  },
});

export type ImportChunkRecord = InferEntity<typeof ImportChunkEntity>;
