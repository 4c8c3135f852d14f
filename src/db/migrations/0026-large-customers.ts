import { Migration } from '@mikro-orm/migrations';

/** Customers of many events, at whom segments do not look again at once. */
export class LargeCustomers extends Migration {
  override up(): void {
    // How many there were at the last look, until when they are left alone, and what has happened to them meanwhile.
    this.addSql('alter table segment_due add column events int');
    this.addSql('alter table segment_due add column not_before timestamptz(3)');
    this.addSql('alter table segment_due add column happened jsonb');
    this.addSql(`
      create index segment_due_large on segment_due (store_id, profile_id) where not_before is not null`);
  }
}
