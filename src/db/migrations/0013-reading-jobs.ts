import { Migration } from '@mikro-orm/migrations';

/** Bulk jobs are listed, and so are the profiles that they created or updated. */
export class ReadingJobs extends Migration {
  override up(): void {
    this.addSql('create index import_job_of_kind on import_job (store_id, kind, status, id)');
    // One row for each part of a job that was recorded in one transaction: for each profile it would be 10,000.
    this.addSql(`
      create table import_profile (
        store_id uuid not null,
        job_id uuid not null,
        position int not null,
        profile_ids uuid[] not null,
        primary key (store_id, job_id, position),
        foreign key (store_id, job_id) references import_job on delete cascade
      )`);
  }
}
