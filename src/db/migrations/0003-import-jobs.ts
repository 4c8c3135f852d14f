import { Migration } from '@mikro-orm/migrations';

/** Bulk jobs of the compatibility surface: what they are, what is left of them to do, and what went wrong. */
export class ImportJobs extends Migration {
  override up(): void {
    this.addSql(`
      create table import_job (
        store_id uuid not null,
        id uuid not null,
        kind text not null check (kind in ('events', 'profiles')),
        status text not null check (status in ('queued', 'processing', 'complete')),
        total int not null,
        completed int not null default 0,
        failed int not null default 0,
        created_at timestamptz(3) not null,
        started_at timestamptz(3),
        completed_at timestamptz(3),
        expires_at timestamptz(3) not null,
        touched_at timestamptz(3) not null,
        primary key (store_id, id)
      )`);
    this.addSql(`create index import_job_open on import_job (touched_at) where status <> 'complete'`);
    // The items that are still to do, by the position of the first in the request. json: nothing asks what is in it.
    this.addSql(`
      create table import_chunk (
        store_id uuid not null,
        job_id uuid not null,
        position int not null,
        items json not null,
        primary key (store_id, job_id, position),
        foreign key (store_id, job_id) references import_job on delete cascade
      )`);
    this.addSql(`
      create table import_error (
        store_id uuid not null,
        job_id uuid not null,
        position int not null,
        code text not null,
        path json not null,
        problem text not null,
        primary key (store_id, job_id, position),
        foreign key (store_id, job_id) references import_job on delete cascade
      )`);
  }
}
