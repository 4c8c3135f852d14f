import { Migration } from '@mikro-orm/migrations';

/** Feeds whose files are uploaded, in parts; and runs of which somebody has said that they hide nothing. */
export class CatalogFeedFiles extends Migration {
  override up(): void {
    this.addSql(`alter table catalog_feed add column source text not null default 'url'`);
    this.addSql(`alter table catalog_feed add constraint catalog_feed_source_check check (source in ('url', 'file'))`);
    this.addSql('alter table catalog_feed_run drop constraint catalog_feed_run_status_check');
    this.addSql(`
      alter table catalog_feed_run add constraint catalog_feed_run_status_check check (status in
        ('running', 'complete', 'unchanged', 'needs_confirmation', 'confirmed', 'dismissed', 'failed'))`);
    this.addSql(`
      create table catalog_feed_part (
        store_id uuid not null,
        feed_id uuid not null,
        number int not null,
        bytes int not null,
        content bytea not null,
        put_at timestamptz(3) not null,
        constraint catalog_feed_part_pkey primary key (store_id, feed_id, number)
      )`);
    this.addSql('create index catalog_feed_part_put on catalog_feed_part (store_id, put_at)');
  }
}
