import { expect } from 'chai';
import { ShardNames } from '../../src/db/citus/shard-names.ts';

describe('The names of shards', () => {
  const names = new ShardNames(['event', 'event_day', 'profile', 'import_job', 'api_key']);
  const apply = (text: string) => names.apply(text, (table) => `${table}_7`);

  it('take the place of those of tables, which the rest of the statement goes on to use', () => {
    expect(apply('select event.id from event where store_id = $1')).to.equal(
      'select event.id from event_7 as "event" where store_id = $1',
    );
    expect(apply('select from event e join profile as p on true')).to.equal(
      'select from event_7 e join profile_7 as p on true',
    );
    expect(apply('delete from "event_day" where "month" = $1')).to.equal(
      'delete from event_day_7 as "event_day" where "month" = $1',
    );
    expect(apply('update import_job set failed = import_job.failed + 1')).to.equal(
      'update import_job_7 as "import_job" set failed = import_job.failed + 1',
    );
    expect(
      apply('insert into event_day (day) select d on conflict do update set running = event_day.running'),
    ).to.equal(
      'insert into event_day_7 as "event_day" (day) select d on conflict do update set running = event_day.running',
    );
    expect(apply('select from rejection r join api_key k on k.id = r.key_id for update of r')).to.equal(
      'select from rejection r join api_key_7 k on k.id = r.key_id for update of r',
    );
    expect(apply("select pg_relation_size('event'::regclass), 'event'")).to.equal(
      "select pg_relation_size('event_7'::regclass), 'event'",
    );
  });

  it('leave alone what only begins like a table, or is no table', () => {
    for (const text of ['select from events', 'select event from other', 'select extract(epoch from event.at)']) {
      expect(apply(text)).to.equal(text);
    }
  });

  it('tell statements that write or lock from those that only read', () => {
    for (const text of [
      'select from event order by id for update',
      'with w as (insert into event select) select',
      'delete from event',
      'create table note (text text)',
    ]) {
      expect(names.writes(text)).to.equal(true);
    }
    expect(names.writes('select updated_at, deleted from event')).to.equal(false);
  });
});
