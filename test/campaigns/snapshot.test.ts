import { expect } from 'chai';
import pg from 'pg';
import { shareOf } from '../../src/domain/campaigns/due-times.ts';
import { derivedId } from '../../src/ids/derived-id.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';
import { ServiceProcess, until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { Campaigns } from './support/campaigns.ts';

/** Members of the list, more than two ranges; and of those, who are in the list that is left out. */
const [MEMBERS, LEFT_OUT] = [12_001, 100];
const STARTED_AT = Date.UTC(2026, 10, 20, 8);

describe('The recipients of a campaign', () => {
  let database: TestDatabase;
  /** Sends nothing itself. */
  let service: TestService;
  let campaigns: Campaigns;
  let list: string;
  let id: string;
  let timing: object | null;
  let blocker: pg.Client;
  const running = new Set<ServiceProcess>();

  before(async () => {
    database = await createUndividedDatabase();
    service = await TestService.start({ MESSAGE_CONCURRENCY: '0' }, database);
  });
  beforeEach(async function () {
    // Of one of them, messages are spread over two hours.
    timing = this.currentTest?.title.includes('killed') ? { spread: 'PT2H' } : null;
    campaigns = await Campaigns.open(service);
    list = await campaigns.list();
    const others = await campaigns.list();
    await campaigns.crowd(list, MEMBERS);
    await campaigns.shop.query(`
      insert into list_member (store_id, list_id, profile_id, joined_at, how)
      select store_id, '${others}', profile_id, now(), 'api' from list_member where list_id = '${list}'
      order by profile_id limit ${LEFT_OUT};
      update list set members = ${LEFT_OUT} where id = '${others}'`);
    // The second list of the audience has some of the first once more.
    const audience = { any: [{ list }, { list: others }], not: [{ list: others }] };
    id = await campaigns.draft(list, { audience, timing });
    await campaigns.schedule(id, '2035-01-01T08:00:00Z');
    // Whoever is found is not sent anything yet.
    await campaigns.rest();
    blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
  });
  afterEach(async () => {
    await blocker.end();
    for (const one of running) await kill(one);
  });
  after(() => service.stop());

  function start(): ServiceProcess {
    const settings = { DATABASE_URL: database.url, WORKER_CONCURRENCY: '0', AUTOMATION_CONCURRENCY: '0' };
    const one = new ServiceProcess({ ...settings, LOG_LEVEL: 'silent' });
    running.add(one);
    return one;
  }

  async function kill(one: ServiceProcess): Promise<void> {
    one.signal('SIGKILL');
    await one.ended;
    running.delete(one);
  }

  const begin = () =>
    campaigns.shop.query(`
      update campaign set status = 'preparing', started_at = to_timestamp(${STARTED_AT / 1000}), due_at = now()
      where id = '${id}'`);

  /** Customers of the list, in the order in which they are looked at. */
  const memberIds = async (): Promise<string[]> =>
    (await campaigns.shop.query(`select profile_id as id from list_member where list_id = '${list}' order by 1`)).map(
      (row) => row.id,
    );

  const recipients = async (): Promise<{ id: string; profile: string; due: number }[]> =>
    await campaigns.shop.query(`
      select id, profile_id as profile, (extract(epoch from due_at) * 1000)::float8 as due from message where source_id = '${id}' order by 2`);

  /** Whoever makes the message of a customer waits, until this is rolled back. */
  async function block(profileId: string): Promise<void> {
    await blocker.query('begin');
    await blocker.query(`
      insert into message (store_id, id, profile_id, sender_id, template_id, template_version, source, channel, class,
        status, created_at)
      values ('${campaigns.shop.storeId}', '${derivedId(STARTED_AT, `${id} ${profileId}`)}', '${profileId}', gen_random_uuid(),
        gen_random_uuid(), 1, 'request', 'email', 'marketing', 'sent', now())`);
  }

  const found = async () => (await campaigns.get(id)).recipient_count as number;

  it('are all members once, but for those who are left out, whenever a process is killed', async () => {
    const members = await memberIds();
    await begin();
    // In the second range, and then in the third.
    for (const place of [7_000, 11_000]) {
      await block(members[place] as string);
      const before = await found();
      const killed = start();
      await until(async () => (await found()) > before, 'a range is found');
      await until(isWaiting, 'the next one waits');
      await kill(killed);
      await blocker.query('rollback');
    }
    const last = start();
    const { recipient_count: count } = await campaigns.reaches(id, 'sending');
    await last.stop();
    running.delete(last);
    const made = await recipients();
    expect(count).to.equal(MEMBERS - LEFT_OUT);
    expect(made.map(({ profile }) => profile)).to.deep.equal(members.slice(LEFT_OUT));
    // So a second message to one of them could not even be stored.
    for (const one of made) expect(one.id).to.equal(derivedId(STARTED_AT, `${id} ${one.profile}`));
    const offsets = made.map(({ due }) => (due - STARTED_AT) / (2 * 3_600_000));
    expect(offsets).to.deep.equal(made.map(({ profile }) => Math.floor(shareOf(id, profile) * 7_200_000) / 7_200_000));
    // As many in each quarter, give or take what chance may: five times what is usual.
    for (const quarter of [0, 1, 2, 3]) {
      const share = offsets.filter((offset) => Math.floor(offset * 4) === quarter).length / offsets.length;
      expect(share).to.be.closeTo(0.25, 0.02);
    }
  });

  it('are those who are in the list when their range is looked at', async () => {
    const members = await memberIds();
    await begin();
    await block(members[7_000] as string);
    const one = start();
    await until(async () => (await found()) > 0, 'a range is found');
    await until(isWaiting, 'the next one waits');
    const [early, late] = [members[200], members[11_000]] as [string, string];
    const gone = { members: [{ profile_id: early }, { profile_id: late }] };
    await campaigns.shop.client.post(`/v1/lists/${list}/members/remove`, gone, { expect: 200 });
    await campaigns.shop.customer('new@shop.example');
    await campaigns.join(list, ['new@shop.example']);
    await blocker.query('rollback');
    await campaigns.reaches(id, 'sending');
    await one.stop();
    running.delete(one);
    const made = (await recipients()).map(({ profile }) => profile);
    expect(made).to.include(early).and.not.to.include(late);
    expect(new Set(made).size).to.equal(MEMBERS - LEFT_OUT);
  });

  /** Whether a statement waits for the transaction of the test. */
  async function isWaiting(): Promise<boolean> {
    const rows = await campaigns.shop.query(`
      select from pg_stat_activity
      where datname = current_database() and wait_event = 'transactionid' and query like '%looked_at%'`);
    return rows.length > 0;
  }
});
