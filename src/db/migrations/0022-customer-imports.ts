import { Migration } from '@mikro-orm/migrations';

/** Imports of customers from CSV files: what they are, the text that is not imported yet, and what they are worked at as. */
export class CustomerImports extends Migration {
  override up(): void {
    this.addSql(`
      create table customer_import (
        store_id uuid not null,
        id uuid not null,
        name text,
        idempotency_key text,
        state text not null check (state in ('open', 'queued', 'processing', 'complete', 'cancelled', 'failed')),
        failure text,
        delimiter text,
        -- As it was sent, and once it is started, with the place of each column and the number of all.
        mapping json,
        plan json,
        consent json,
        list_ids uuid[] not null,
        parts int not null default 0,
        bytes int not null default 0,
        -- What is done, up to a place in a part and a line.
        bytes_done int not null default 0,
        next_part int not null default 1,
        next_offset int not null default 0,
        next_line int not null default 1,
        rows_read int not null default 0,
        rows_created int not null default 0,
        rows_updated int not null default 0,
        rows_failed int not null default 0,
        rows_broken int not null default 0,
        errors_kept int not null default 0,
        created_at timestamptz(3) not null,
        started_at timestamptz(3),
        ended_at timestamptz(3),
        expires_at timestamptz(3),
        primary key (store_id, id),
        constraint customer_import_key unique (store_id, idempotency_key)
      )`);
    this.addSql('create index customer_import_unfinished on customer_import (store_id, id) where ended_at is null');
    this.addSql('create index customer_import_expiry on customer_import (expires_at) where expires_at is not null');
    this.addSql(`
      create table customer_import_part (
        store_id uuid not null,
        import_id uuid not null,
        number int not null,
        bytes int not null,
        content bytea not null,
        primary key (store_id, import_id, number),
        foreign key (store_id, import_id) references customer_import on delete cascade
      )`);

    // The queue's entry for an import has the same id.
    this.addSql('alter table import_job drop constraint import_job_kind_check');
    this.addSql(
      "alter table import_job add constraint import_job_kind_check check (kind in ('events', 'profiles', 'customers'))",
    );
    // What the file has where the error is.
    this.addSql('alter table import_error add column value text');
  }
}
