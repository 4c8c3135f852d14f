import { Migration } from '@mikro-orm/migrations';

/** Customers for whom segments can't be evaluated in time, and how long the comparison of a night has taken. */
export class SetAside extends Migration {
  override up(): void {
    this.addSql(`
      create table segment_set_aside (
        store_id uuid not null,
        segment_id uuid not null,
        profile_id uuid not null,
        set_aside_at timestamptz(3) not null,
        primary key (store_id, segment_id, profile_id)
      )`);
    this.addSql('alter table segment_store add column compare_ms int not null default 0');
  }
}
