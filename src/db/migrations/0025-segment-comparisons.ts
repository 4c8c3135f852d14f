import { Migration } from '@mikro-orm/migrations';

/** How far the nightly comparison of a store's segments has come. */
export class SegmentComparisons extends Migration {
  override up(): void {
    const lowest = "uuid not null default '00000000-0000-0000-0000-000000000000'";
    // The last night that has begun, where it began among the customers, whom it has reached, and how many are left.
    this.addSql('alter table segment_store add column compared_on date not null default current_date');
    this.addSql(`alter table segment_store add column compare_first ${lowest}`);
    this.addSql(`alter table segment_store add column compare_after ${lowest}`);
    this.addSql('alter table segment_store add column compare_left int not null default 0');
  }
}
