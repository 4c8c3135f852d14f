import { Migration } from '@mikro-orm/migrations';

/** What segments leave for later: customers of many events, and a store that records more than they can follow. */
export class SegmentPace extends Migration {
  override up(): void {
    // How many events there were at the last look, until when nobody looks again, and what has happened meanwhile.
    this.addSql('alter table segment_due add column events int');
    this.addSql('alter table segment_due add column not_before timestamptz(3)');
    this.addSql('alter table segment_due add column happened jsonb');
    this.addSql(`
      create index segment_due_large on segment_due (store_id, profile_id) where not_before is not null`);
    this.addSql('alter table segment_store add column rest_until timestamptz(3)');
  }
}
