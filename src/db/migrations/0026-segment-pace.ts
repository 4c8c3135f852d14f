import { Migration } from '@mikro-orm/migrations';

/** What segments leave for later: customers of many events, and stores that record more than they can follow. */
export class SegmentPace extends Migration {
  override up(): void {
    // How many events were read at the last look, until when nobody looks again, and what has happened meanwhile since.
    this.addSql(`
      create table segment_postponed (
        store_id uuid not null,
        profile_id uuid not null,
        events int not null,
        not_before timestamptz(3) not null,
        since timestamptz(3),
        happened json,
        primary key (store_id, profile_id)
      )`);
    this.addSql(`
      create index segment_postponed_ready on segment_postponed (store_id, not_before) where since is not null`);
    this.addSql(`
      create index segment_postponed_since on segment_postponed (store_id, since) where since is not null`);
    this.addSql('alter table segment_store add column rest_until timestamptz(3)');
  }
}
