import { Migration } from '@mikro-orm/migrations';

/** Files at URLs that say what a store sells, each time that they are read, and what was wrong with them. */
export class CatalogFeeds extends Migration {
  override up(): void {
    this.addSql(`
      create table catalog_feed (
        store_id uuid not null,
        id uuid not null,
        name text not null,
        url text not null,
        url_shown text not null,
        format text constraint catalog_feed_format_check check (format in ('csv', 'tsv', 'jsonl', 'json', 'xml')),
        currency text,
        every_minutes int not null,
        is_paused boolean not null default false,
        etag text,
        last_modified text,
        due_at timestamptz(3),
        run_id uuid,
        may_hide int,
        failures int not null default 0,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        constraint catalog_feed_pkey primary key (store_id, id)
      )`);
    this.addSql('create index catalog_feed_due on catalog_feed (store_id, due_at) where due_at is not null');
    this.addSql(`
      create table catalog_feed_run (
        store_id uuid not null,
        id uuid not null,
        feed_id uuid not null,
        status text not null constraint catalog_feed_run_status_check
          check (status in ('running', 'complete', 'unchanged', 'needs_confirmation', 'confirmed', 'failed')),
        records int not null default 0,
        created int not null default 0,
        updated int not null default 0,
        unchanged int not null default 0,
        rejected int not null default 0,
        hidden int not null default 0,
        missing int not null default 0,
        error text,
        started_at timestamptz(3) not null,
        ended_at timestamptz(3),
        constraint catalog_feed_run_pkey primary key (store_id, id)
      )`);
    this.addSql('create index catalog_feed_run_of_feed on catalog_feed_run (store_id, feed_id, id)');
    this.addSql(`
      create table catalog_feed_error (
        store_id uuid not null,
        run_id uuid not null,
        number int not null,
        line int not null,
        column_name text,
        problem text not null,
        constraint catalog_feed_error_pkey primary key (store_id, run_id, number)
      )`);
  }
}
