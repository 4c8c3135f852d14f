import { Migration } from '@mikro-orm/migrations';

/** Counts of a day in one row: the many rows of a year took long to read, and those of a backfill to write. */
export class CountsByDay extends Migration {
  override up(): void {
    // `counts` has one element for each quarter of an hour of the day, which is that of UTC.
    this.addSql(`
      create table event_day (
        store_id uuid not null,
        day date not null,
        event_type text not null,
        month timestamptz(3) not null,
        counts int[] not null check (cardinality(counts) = 96),
        primary key (store_id, day, event_type, month)
      )`);
    this.addSql(`
      insert into event_day (store_id, day, event_type, month, counts)
      select store_id, (d.start at time zone 'UTC')::date, event_type, month, array(
        select coalesce((
          select q.count from event_count q
          where q.store_id = d.store_id and q.minutes = 15 and q.start = d.start + n * interval '15 minutes'
            and q.event_type = d.event_type and q.month = d.month
        ), 0) from generate_series(0, 95) as n order by n)
      from event_count d where d.minutes = 1440`);
    this.addSql('drop table event_count');
  }
}
