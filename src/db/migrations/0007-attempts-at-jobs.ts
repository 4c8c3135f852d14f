import { Migration } from '@mikro-orm/migrations';

/** How often a job was begun in vain, and when it is worth trying again. */
export class AttemptsAtJobs extends Migration {
  override up(): void {
    this.addSql(`
      alter table import_job
        add column attempts int not null default 0,
        add column retry_at timestamptz(3)`);
    this.addSql(`create index import_job_of_store on import_job (store_id, id) where status <> 'complete'`);
  }
}
