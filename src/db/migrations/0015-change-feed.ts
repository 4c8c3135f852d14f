import { Migration } from '@mikro-orm/migrations';

/** The change feed gives each change a position, which any number of readers can keep. */
export class ChangeFeed extends Migration {
  override up(): void {
    // Additions name their rows: xmin is another one once a row has moved to another server.
    this.addSql('alter table addition add column ids uuid[]');
    this.addSql('alter table addition add column position bigint');
    this.addSql('alter table addition drop constraint addition_kind_check');
    this.addSql(
      "alter table addition add constraint addition_kind_check check (kind in ('event', 'rejection', 'profile'))",
    );
    // Also for those that have no position yet, in the order in which they will get one.
    this.addSql('create index addition_position on addition (store_id, position, xid)');
    this.addSql(`
      create table feed_head (
        store_id uuid primary key,
        position bigint not null
      )`);
    this.addSql(`
      create table feed_reader (
        store_id uuid not null,
        name text not null,
        entry bigint not null,
        items int not null,
        read_at timestamptz(3) not null,
        primary key (store_id, name)
      )`);
  }
}
