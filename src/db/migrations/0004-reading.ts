import { Migration } from '@mikro-orm/migrations';

/** What reading needs: lists by time, search by the beginning of an identifier, counts, refusals, and what is new. */
export class Reading extends Migration {
  override up(): void {
    this.addSql('drop index event_type');
    this.addSql('create index event_type on event (store_id, event_type, occurred_at, id)');
    this.addSql('create index event_time on event (store_id, occurred_at, id)');
    // In the order of bytes, the values that begin with a text lie side by side in the index.
    this.addSql('alter table profile_identifier alter column value type text collate "C"');
    this.addSql('create index api_key_store on api_key (store_id, id)');

    // How many events of each type happened in each day, hour and quarter of an hour, as UTC has them. Each batch of
    // events adds rows to event_count_new, by the quarter, which are summed up here now and then: a shared row would
    // make batches wait for each other. The month is that of the events' partition: counts go when it is dropped.
    this.addSql(`
      create table event_count (
        store_id uuid not null,
        minutes int not null check (minutes in (15, 60, 1440)),
        start timestamptz(3) not null,
        event_type text not null,
        month timestamptz(3) not null,
        count int not null,
        primary key (store_id, minutes, start, event_type, month)
      )`);
    this.addSql(`
      create table event_count_new (
        store_id uuid not null,
        start timestamptz(3) not null,
        event_type text not null,
        month timestamptz(3) not null,
        count int not null
      )`);
    this.addSql(`
      insert into event_count (store_id, minutes, start, event_type, month, count)
      select store_id, minutes, date_bin(make_interval(mins => minutes), occurred_at, '2000-01-01Z'), event_type,
        date_trunc('month', to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)
          at time zone 'UTC') at time zone 'UTC', count(*)
      from event, unnest(array[15, 60, 1440]) as minutes
      group by 1, 2, 3, 4, 5`);

    // The last refused requests of each store.
    this.addSql(`
      create table rejection (
        store_id uuid not null,
        id uuid not null,
        request_id uuid not null,
        operation text,
        key_id uuid not null,
        status int not null,
        code text not null,
        field text,
        message text not null,
        rejected_at timestamptz(3) not null,
        primary key (store_id, id)
      )`);

    // What each transaction of the last minutes has added, for those who follow: the rows of a table whose ids lie
    // between two, and whose xmin is this one's xid. Not the ids themselves, which would be as many as the events.
    this.addSql(`
      create table addition (
        store_id uuid not null,
        xid xid8 not null default pg_current_xact_id(),
        first_id uuid not null,
        last_id uuid not null,
        kind text not null check (kind in ('event', 'rejection')),
        added_at timestamptz(3) not null default now(),
        primary key (store_id, xid, first_id)
      )`);
  }
}
