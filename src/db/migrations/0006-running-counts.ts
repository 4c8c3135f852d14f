import { Migration } from '@mikro-orm/migrations';

/** Counts of a day as they grow: any part of it is the difference of two, instead of the sum of up to 96. */
export class RunningCounts extends Migration {
  override up(): void {
    // `running` has one element for each quarter of an hour: what was counted in the day until its end.
    this.addSql('alter table event_day rename column counts to running');
    this.addSql(`
      update event_day set running = array(
        select (sum(count) over (order by quarter))::int
        from unnest(running) with ordinality as q (count, quarter)
        order by quarter)`);
  }
}
