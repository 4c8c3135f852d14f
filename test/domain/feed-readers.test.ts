import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { CompiledQuery } from 'kysely';
import { type Database, openDatabase, type Sql } from '../../src/db/orm.ts';
import { withSavepoint } from '../../src/db/savepoint.ts';
import type { PositionedChange } from '../../src/domain/feed/changes.ts';
import { deleteOldAdditions } from '../../src/domain/feed/delete-old.ts';
import { assignAllPositions } from '../../src/domain/feed/positions.ts';
import {
  addFeedReader,
  type FeedReader,
  readNext,
  removeFeedReader,
  type Unread,
} from '../../src/domain/feed/readers.ts';
import type { Client } from '../support/client.ts';
import { record } from '../support/reading.ts';
import { TestService } from '../support/service.ts';

const KINDS = ['event', 'rejection', 'profile'] as const;
type Kind = (typeof KINDS)[number];
const LIMITS = { items: 7, bytes: 1_000_000 };

const idOf = (change: PositionedChange<Kind>): string => {
  if (change.kind === 'event') return change.event.id;
  return change.kind === 'rejection' ? change.rejection.id : change.profileId;
};

describe('Readers of the change feed', () => {
  let service: TestService;
  let database: Database;
  let db: Sql;
  let client: Client;
  let reader: FeedReader<Kind>;

  before(async () => {
    service = await TestService.start();
    database = await openDatabase(service.database.address, 12);
  });
  after(async () => {
    await database.close();
    await service.stop();
  });
  beforeEach(async () => {
    const { storeId } = await service.newKey();
    client = await service.client({ storeId });
    reader = { storeId, name: 'test', kinds: KINDS };
    db = database.stores.of(storeId);
    await addFeedReader(db, reader);
  });

  const run = (statement: string, parameters: unknown[] = []) =>
    db.executeQuery(CompiledQuery.raw(statement, parameters));

  /** Reads until nothing is new, and returns what was read. */
  async function readAll(each: FeedReader<Kind> = reader): Promise<PositionedChange<Kind>[]> {
    const all: PositionedChange<Kind>[] = [];
    while (
      await readNext(db, each, LIMITS, async (_, { changes }) => {
        all.push(...changes);
      })
    );
    return all;
  }
  const read = async (each?: FeedReader<Kind>) => (await readAll(each)).map(idOf);
  const visit = (n: number) => ({ event_type: 'visit', profile: { external_id: `c${n % 3}` }, properties: { n } });

  it('read each event, refusal, and profile that was created or changed, once and in order', async () => {
    const [first] = await record(client, visit(1));
    const { body: profile } = await client.post('/v1/profiles/upsert', { identifiers: { email: 'ada@example.com' } });
    const [again] = await record(client, visit(1));
    await client.post('/v1/profiles/upsert', {
      identifiers: { email: 'ada@example.com' },
      attributes: { plan: 'pro' },
    });
    const changes = await readAll();
    const ofEvents = changes.filter(({ kind }) => kind === 'event').map(idOf);
    expect(ofEvents).to.deep.equal([first, again]);
    const ofProfiles = changes.filter(({ kind }) => kind === 'profile').map(idOf);
    const [event] = changes.filter((change) => change.kind === 'event');
    expect(ofProfiles).to.deep.equal([event?.event.profileId, profile.id, profile.id]);
    expect(await read()).to.deep.equal([]);
  });

  it('read whole batches, some items at a time', async () => {
    const ids = await record(client, ...Array.from({ length: 100 }, (_, n) => visit(n)));
    const changes = await readAll();
    expect(changes.filter(({ kind }) => kind === 'event').map(idOf)).to.deep.equal(ids);
    expect(changes.filter(({ kind }) => kind === 'profile')).to.have.length(3);
    expect(new Set(changes.map(({ position }) => JSON.stringify(position))).size).to.equal(changes.length);
  });

  const id = (n: number) => `${'0'.repeat(8)}-0000-7000-8000-${String(n).padStart(12, '0')}`;
  /** Writes an entry of one profile, by default as this server does. */
  const write = (n: number, others: Record<string, string> = {}, on = db) => {
    const values = { store_id: reader.storeId, first_id: id(n), last_id: id(n), kind: 'profile', ...others };
    const names = Object.keys(values);
    const places = names.map((_, at) => `$${at + 1}`);
    const statement = `insert into addition (${names.join(', ')}, ids) values (${places}, array['${id(n)}'::uuid])`;
    return on.executeQuery(CompiledQuery.raw(statement, Object.values(values)));
  };

  it('read what was moved here from another server before what was written here since', async () => {
    await write(1);
    // Transactions of other servers have numbers of their own.
    await write(2, { xid: '9000000', added_at: '2026-01-01T00:00:02Z' });
    await write(3, { xid: '9000001', added_at: '2026-01-01T00:00:01Z' });
    await write(4);
    expect(await read()).to.deep.equal([3, 2, 1, 4].map(id));
  });

  it('read what was written after a savepoint where it was written, whatever became of the work under that', async () => {
    await write(1);
    await db.transaction().execute(async (tx) => {
      await withSavepoint(tx, () => tx.executeQuery(CompiledQuery.raw('select 1')));
      await write(2, {}, tx);
    });
    await write(3);
    await db.transaction().execute(async (tx) => {
      const refused = await withSavepoint(tx, () => tx.executeQuery(CompiledQuery.raw('select 1 / 0'))).catch(String);
      expect(refused).to.include('division by zero');
      await write(4, {}, tx);
    });
    expect(await read()).to.deep.equal([1, 2, 3, 4].map(id));
  });

  it('read each change once and in one order, whichever transaction commits first', async () => {
    const orders: string[][] = [[], []];
    const readers = orders.map((_, n) => ({ ...reader, name: `reader ${n}` }));
    for (const each of readers) await addFeedReader(db, each);
    let isWriting = true;
    const written: string[] = [];
    const write = async (writer: number) => {
      for (let n = 0; n < 20; n += 1) {
        const id = `${'0'.repeat(8)}-0000-7000-8000-${String(writer * 100 + n).padStart(12, '0')}`;
        await db.transaction().execute(async (tx) => {
          await tx.executeQuery(
            CompiledQuery.raw(
              `insert into addition (store_id, first_id, last_id, kind, ids)
               values ($1, $2, $2, 'profile', array[$2::uuid])`,
              [reader.storeId, id],
            ),
          );
          await sleep(Math.random() * 20);
        });
        written.push(id);
      }
    };
    const follow = async (n: number) => {
      for (;;) {
        const wasWriting = isWriting;
        const ids = await read(readers[n]);
        orders[n]?.push(...ids);
        // Readers wait for every transaction that began before, in other databases of the server too.
        if (!wasWriting && ids.length === 0 && orders[n]?.length === written.length) return;
        await sleep(Math.random() * 10);
      }
    };
    const writing = Promise.all([1, 2, 3, 4, 5].map(write)).finally(() => {
      isWriting = false;
    });
    await Promise.all([writing, follow(0), follow(1)]);
    expect(orders[0]).to.have.members(written);
    expect(orders[1]).to.deep.equal(orders[0]);
    expect(await read()).to.deep.equal(orders[0]);
    // Of one writer, each began after the one before was committed.
    for (const writer of [1, 2, 3, 4, 5]) {
      const own = written.filter((id) => id.slice(-4, -2) === `0${writer}` || Number(id.slice(-12)) / 100 === writer);
      expect(orders[0]?.filter((id) => own.includes(id))).to.deep.equal(own.toSorted());
    }
  });

  it('read what is left where old entries are deleted just as they get their positions', async () => {
    const entries = async () =>
      (
        await run('select first_id as id, position::int as position from addition where store_id = $1 order by xid', [
          reader.storeId,
        ])
      ).rows as { id: string; position: number | null }[];
    for (let n = 0; n < 3; n += 1) await record(client, { event_type: 'visit', profile: { external_id: 'c' } });
    const before = await entries();
    let reading: Promise<string[]> | undefined;
    await db.transaction().execute(async (tx) => {
      const second = before[1] as { id: string };
      await tx.executeQuery(CompiledQuery.raw('delete from addition where first_id = $1', [second.id]));
      reading = read();
      await sleep(200);
    });
    const first = await reading;
    const [last] = await record(client, { event_type: 'visit', profile: { external_id: 'c' } });
    expect(await read()).to.deep.equal([last]);
    expect(first).to.have.length(before.length - 1);
    const positions = (await entries()).map(({ position }) => position);
    expect(new Set(positions).size).to.equal(positions.length);
  });

  it('move on only with what they write', async () => {
    await record(client, visit(1));
    await run('create table if not exists handled (id uuid primary key)');
    const handle =
      (fails: boolean) =>
      async (tx: Sql, { changes }: Unread<Kind>): Promise<undefined> => {
        for (const change of changes) {
          await tx.executeQuery(CompiledQuery.raw('insert into handled values ($1)', [idOf(change)]));
        }
        if (fails) throw new Error('fails');
      };
    const outcome = await readNext(db, reader, LIMITS, handle(true)).catch((error: Error) => error.message);
    expect(outcome).to.equal('fails');
    expect((await run('select from handled')).rows).to.have.length(0);
    expect(await readNext(db, reader, LIMITS, handle(false))).to.equal('end');
    expect((await run('select from handled')).rows).to.have.length(2);
    expect(await read()).to.deep.equal([]);
    await run('drop table handled');
  });

  it('are read for by one process at a time', async () => {
    await record(client, visit(1));
    let handled = 0;
    const handle = async (): Promise<undefined> => {
      handled += 1;
      await sleep(100);
    };
    // Else one that found nothing yet may hold the position just as another one looks for it.
    await assignAllPositions(db, reader.storeId);
    const moved = await Promise.all(Array.from({ length: 5 }, () => readNext(db, reader, LIMITS, handle)));
    expect([handled, moved.filter(Boolean).length]).to.deep.equal([1, 1]);
  });

  it('find what they have not read for a week, are told of a gap after that, and keep nothing once removed', async () => {
    const age = (interval: string) =>
      run(`update addition set added_at = now() - interval '${interval}' where store_id = $1`, [reader.storeId]);
    const kept = async () => (await run('select from addition where store_id = $1', [reader.storeId])).rows.length;
    const gaps: boolean[] = [];
    const handle = async (_: Sql, { hasGap }: Unread<Kind>): Promise<undefined> => {
      gaps.push(hasGap);
    };

    await record(client, visit(1));
    await age('6 days');
    await deleteOldAdditions(db, 60_000);
    expect(await kept()).to.equal(2);
    await readNext(db, reader, LIMITS, handle);
    await deleteOldAdditions(db, 60_000);
    expect(await kept()).to.equal(0);

    await record(client, visit(1));
    await age('8 days');
    await record(client, visit(1));
    await deleteOldAdditions(db, 60_000);
    expect(await kept()).to.equal(1);
    await readNext(db, reader, LIMITS, handle);
    expect(gaps).to.deep.equal([false, true]);

    await record(client, visit(1));
    await removeFeedReader(db, reader, async () => true);
    await age('20 minutes');
    await deleteOldAdditions(db, 60_000);
    expect(await kept()).to.equal(0);
  });
});
