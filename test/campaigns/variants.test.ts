import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../../src/db/orm.ts';
import { takeTurn } from '../../src/domain/campaigns/engine/turn.ts';
import { isHeldOut } from '../../src/domain/campaigns/variants/share.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { Campaigns } from './support/campaigns.ts';

const LATER = '2035-01-01T08:00:00Z';
const TEST = {
  variants: [{ subject: 'A' }, { subject: 'B, {{ profile.attributes.first_name }}' }],
  percent: 20,
  decide_by: 'clicks',
  after: 'PT4H',
  if_unclear: 'first',
};

describe('A campaign with variants', () => {
  let database: TestDatabase;
  /** Sends nothing itself, and takes no campaign further: the test does. */
  let service: TestService;
  let own: Database;
  let campaigns: Campaigns;

  before(async () => {
    database = await createUndividedDatabase();
    service = await TestService.start({ MESSAGE_CONCURRENCY: '0', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }, database);
    own = await openDatabase(database.url, 2);
  });
  beforeEach(async () => {
    campaigns = await Campaigns.open(service);
  });
  after(async () => {
    await own.close();
    await service.stop();
  });

  /** A campaign to as many customers, which begins now. */
  async function begin(members: number, more: object = {}): Promise<string> {
    const list = await campaigns.list();
    await campaigns.crowd(list, members);
    const id = await campaigns.draft(list, { test: TEST, ...more });
    await campaigns.schedule(id, LATER);
    await campaigns.shop.query(
      `update campaign set scheduled_at = now(), due_at = now() - interval '1 second' where id = '${id}'`,
    );
    return id;
  }

  /** Has it do all that it has to do now; `steps`: no more than so many. */
  async function turn(id: string, steps = Number.POSITIVE_INFINITY): Promise<void> {
    let left = steps;
    while (left > 0) {
      left -= 1;
      // A turn of one step.
      if (!(await takeTurn(own.sql, campaigns.shop.storeId, id, { isStopping: () => true }))) return;
    }
  }

  /** Has messages of a variant arrive, of which some are clicked. */
  async function arrive(id: string, variant: number, clicked: number): Promise<void> {
    await campaigns.shop.query(`
      update message m set status = '${variant === 2 ? 'delivered' : 'sent'}', due_at = null, finished_at = now(),
        clicked_at = case when w.n <= ${clicked} then now() end
      from (select id, row_number() over (order by id) as n from message where source_id = '${id}' and variant = ${variant}) w
      where m.id = w.id;
      update campaign set due_at = now() - interval '1 second' where id = '${id}'`);
  }

  /** Has all messages of the test arrive, and its time pass. */
  async function pass(id: string, ...clicked: number[]): Promise<void> {
    for (const [i, count] of clicked.entries()) await arrive(id, i + 1, count);
    await campaigns.shop.query(`update campaign set due_at = now() - interval '1 second' where id = '${id}'`);
    await turn(id);
    await moveClock(id);
    await turn(id);
  }

  const moveClock = (id: string) =>
    campaigns.shop.query(`
      update campaign set tested_at = tested_at - interval '4 hours', due_at = now() - interval '1 second'
      where id = '${id}' and tested_at is not null`);

  /** Messages by variant, status and reason, and whether they are due at no time. */
  async function found(id: string): Promise<Record<string, number>> {
    const rows = await campaigns.shop.query(`
      select coalesce(variant::text, 'rest') || ' ' || status || coalesce(': ' || reason, '') ||
        case when due_at = 'infinity' then ', aside' else '' end as what, count(*)::int as count
      from message where source_id = '${id}' group by 1`);
    return Object.fromEntries(rows.map(({ what, count }) => [what, count]));
  }

  it('draws who tries which by customer, whenever a process dies, and close to the shares', async () => {
    const id = await begin(12_001, { test: { ...TEST, percent: 40 }, hold_out_percent: 10 });
    await turn(id, 1);
    const [{ started_at: startedAt }] = await campaigns.shop.query(
      `select started_at from campaign where id = '${id}'`,
    );
    await killed(id);
    await turn(id);
    const messages = await campaigns.shop.query(`
      select profile_id as profile, variant, status, reason, due_at = 'infinity' as aside from message where source_id = '${id}'`);
    expect(messages).to.have.length(12_001);
    const [{ started_at: after }] = await campaigns.shop.query(`select started_at from campaign where id = '${id}'`);
    expect(after).to.deep.equal(startedAt);
    for (const { profile, variant, status, reason, aside } of messages) {
      const drawn = drawnOf(id, profile, 10, 40);
      expect([variant, status, reason, aside]).to.deep.equal(
        drawn === null ? [null, 'skipped', 'hold_out', null] : [drawn || null, 'waiting', null, drawn === 0],
      );
      expect(isHeldOut({ id, holdOut: 10, test: null }, profile)).to.equal(drawn === null);
    }
    // Six standard deviations are less.
    const counts = await found(id);
    expect(counts['rest skipped: hold_out']).to.be.within(1_000, 1_400);
    for (const variant of [1, 2]) expect(counts[`${variant} waiting`]).to.be.within(1_900, 2_420);
    expect((await campaigns.get(id)).recipient_count).to.equal(12_001);
  });

  /** Ends the process that looks for its recipients, in the midst of a range. */
  async function killed(id: string): Promise<void> {
    const { storeId } = campaigns.shop;
    const blocker = await openDatabase(database.url, 1);
    const dying = await openDatabase(database.url, 1);
    try {
      await turn(id, 1);
      const before = (await campaigns.get(id)).recipient_count;
      expect(before).to.be.greaterThan(0);
      await blocker.sql.transaction().execute(async (tx) => {
        // The range is complete, and how far it reaches can't be noted.
        await sql`lock table message in share row exclusive mode`.execute(tx);
        const ended = takeTurn(dying.sql, storeId, id, { isStopping: () => true }).catch((error: Error) => error);
        const waits = `select pid from pg_stat_activity where datname = current_database() and wait_event = 'relation' and query like '%looked_at%'`;
        await until(async () => (await campaigns.shop.query(waits)).length > 0, 'a range is looked for');
        await campaigns.shop.query(`select pg_terminate_backend(pid) from (${waits}) one`);
        expect(await ended).to.be.an('error');
      });
      expect((await campaigns.get(id)).recipient_count).to.equal(before);
    } finally {
      await blocker.close();
      await dying.close();
    }
  }

  it('sends the rest the winner, once its time has come', async () => {
    const id = await begin(1_000);
    await turn(id);
    const { '1 waiting': a, '2 waiting': b, ...others } = (await found(id)) as Record<string, number>;
    expect(others).to.deep.equal({ 'rest waiting, aside': 1_000 - (a as number) - (b as number) });
    await arrive(id, 1, 5);
    await arrive(id, 2, 40);
    await turn(id);
    expect((await campaigns.get(id)).test_outcome).to.deep.include({ verdict: null, winner: null, decided_at: null });
    expect(await found(id)).to.include(others);
    await moveClock(id);
    await turn(id);
    const { status, test_outcome: outcome } = await campaigns.get(id);
    expect(outcome).to.deep.include({ verdict: 'significant', winner: 2 });
    expect([status, outcome.decided_at !== null]).to.deep.equal(['sending', true]);
    expect(await found(id)).to.include({ 'rest waiting': others['rest waiting, aside'] });
    const { variants, comparison } = await campaigns.stats(id);
    expect(variants.map(({ sent_count, clicked_count }: any) => [sent_count, clicked_count])).to.deep.equal([
      [a, 5],
      [b, 40],
    ]);
    expect(comparison).to.include({ is_clear: true, best: 2 });
  });

  it('is decided by orders where it is to be: one for each customer, which was not taken back', async () => {
    const id = await begin(1_000, { test: { ...TEST, decide_by: 'orders' } });
    await turn(id);
    for (const variant of [1, 2]) await arrive(id, variant, 0);
    // Of variant 1 each customer ordered as well, and had it taken back; or ordered twice, which is one.
    await campaigns.shop.query(`
      insert into attribution (store_id, event_id, profile_id, message_id, source_id, source, ordered_at, click_window_ms,
        is_placed, is_refunded_whole)
      select m.store_id, gen_random_uuid(), m.profile_id, m.id, '${id}', 'campaign', now(), 1, true, m.n > 5 and m.variant = 1
      from (
        select *, row_number() over (partition by variant order by id) as n from message
        where source_id = '${id}' and variant is not null
      ) m, generate_series(1, 2)
      where m.n <= 40`);
    await turn(id);
    await moveClock(id);
    await turn(id);
    expect((await campaigns.get(id)).test_outcome).to.deep.include({ verdict: 'significant', winner: 2 });
    const { variants } = await campaigns.stats(id);
    expect(variants.map(({ ordered_count: count }: any) => count)).to.deep.equal([5, 40]);
  });

  it('is decided by what was counted in the background since, where many try it', async () => {
    const id = await begin(6_000);
    await turn(id);
    const { storeId } = campaigns.shop;
    await campaigns.shop.query(`
      update campaign_count set counts = '[]', counted_at = now(), due_at = null where store_id = '${storeId}'`);
    await pass(id, 10, 200);
    expect((await campaigns.get(id)).test_outcome).to.include({ verdict: null });
    await until(async () => {
      await campaigns.shop.query(`
        update campaign_count set due_at = now() - interval '1 second' where store_id = '${storeId}';
        update campaign set due_at = now() - interval '1 second' where id = '${id}'`);
      await turn(id);
      return (await campaigns.get(id)).test_outcome.verdict !== null;
    }, 'the test is decided');
    expect((await campaigns.get(id)).test_outcome).to.deep.include({ verdict: 'significant', winner: 2 });
  });

  it('says that it is unclear, and sends the first', async () => {
    const id = await begin(400);
    await turn(id);
    await pass(id, 10, 11);
    expect((await campaigns.get(id)).test_outcome).to.deep.include({ verdict: 'unclear', winner: 1 });
    expect(await found(id)).to.have.property('rest waiting');
    expect((await campaigns.stats(id)).comparison.is_clear).to.equal(false);
  });

  it('waits for somebody where it is to, and goes on with what they choose', async () => {
    const id = await begin(400, { test: { ...TEST, if_unclear: 'wait' } });
    await turn(id);
    await pass(id, 10, 11);
    const { status, reason, test_outcome: outcome } = await campaigns.get(id);
    expect([status, reason, outcome.verdict]).to.deep.equal(['paused', 'test_unclear', null]);
    expect(await found(id)).to.have.property('rest waiting, aside');
    const chosen = await campaigns.put(id, '/status', { status: 'sending', winner: 2 });
    expect(chosen.status).to.equal('sending');
    expect(chosen.test_outcome).to.deep.include({ verdict: 'chosen', winner: 2 });
    await turn(id);
    expect(await found(id)).to.have.property('rest waiting');
  });

  it('that goes on without a choice is decided anew, by what was clicked since', async () => {
    const id = await begin(400, { test: { ...TEST, if_unclear: 'wait' } });
    await turn(id);
    await pass(id, 10, 11);
    await campaigns.setStatus(id, 'sending');
    await turn(id);
    expect((await campaigns.get(id)).reason).to.equal('test_unclear');
    await arrive(id, 2, 30);
    await campaigns.setStatus(id, 'sending');
    await turn(id);
    expect((await campaigns.get(id)).test_outcome).to.deep.include({ verdict: 'significant', winner: 2 });
  });

  it('pauses where no message of the test has arrived', async () => {
    const id = await begin(200);
    await turn(id);
    await campaigns.shop.query(`
      update message set status = 'bounced', reason = 'no_mailbox', due_at = null
      where source_id = '${id}' and variant is not null`);
    await pass(id);
    const { status, reason } = await campaigns.get(id);
    expect([status, reason]).to.deep.equal(['paused', 'test_failed']);
    expect(await found(id)).to.have.property('rest waiting, aside');
  });

  it('is not won by a variant that has failed', async () => {
    const id = await begin(400);
    await turn(id);
    await arrive(id, 2, 0);
    await campaigns.shop.query(`
      update message set status = 'failed', reason = 'message_refused', due_at = null
      where source_id = '${id}' and variant = 1`);
    await turn(id);
    await moveClock(id);
    await turn(id);
    expect((await campaigns.get(id)).test_outcome).to.deep.include({ verdict: 'unopposed', winner: 2 });
  });

  it('does not count the hours while messages of the test have not been tried, but while they are tried again', async () => {
    const id = await begin(200);
    await turn(id);
    await arrive(id, 1, 0);
    await turn(id);
    expect((await campaigns.get(id)).test_outcome.tested_at).to.equal(null);
    await campaigns.shop.query(`
      update message set attempt = 1, due_at = now() + interval '1 hour' where source_id = '${id}' and variant = 2;
      update campaign set due_at = now() - interval '1 second' where id = '${id}'`);
    await turn(id);
    expect((await campaigns.get(id)).test_outcome.tested_at).to.be.a('string');
  });

  it('that is paused sends no rest: neither when it goes on, nor when its time has passed meanwhile', async () => {
    const id = await begin(400);
    await turn(id);
    await campaigns.setStatus(id, 'paused');
    await turn(id);
    const paused = await found(id);
    expect(Object.keys(paused)).to.have.members(['1 waiting, aside', '2 waiting, aside', 'rest waiting, aside']);
    await campaigns.setStatus(id, 'sending');
    await turn(id);
    const rest = paused['rest waiting, aside'];
    expect(await found(id)).to.deep.equal({
      '1 waiting': paused['1 waiting, aside'],
      '2 waiting': paused['2 waiting, aside'],
      'rest waiting, aside': rest,
    });
    for (const variant of [1, 2]) await arrive(id, variant, 20);
    await turn(id);
    await campaigns.setStatus(id, 'paused');
    await moveClock(id);
    await turn(id);
    expect((await campaigns.get(id)).test_outcome.verdict).to.equal(null);
    expect(await found(id)).to.include({ 'rest waiting, aside': rest });
    await campaigns.setStatus(id, 'sending');
    await turn(id);
    expect((await campaigns.get(id)).test_outcome.verdict).to.equal('unclear');
    expect(await found(id)).to.include({ 'rest waiting': rest });
  });

  it('that is paused just after it was decided sends the rest when it goes on, whatever dies between', async () => {
    const id = await begin(400);
    await turn(id);
    for (const variant of [1, 2]) await arrive(id, variant, 20);
    await turn(id);
    await moveClock(id);
    // It is decided, and its process ends.
    await turn(id, 1);
    expect((await campaigns.get(id)).test_outcome.winner).to.equal(1);
    expect(await found(id)).to.have.property('rest waiting, aside');
    await campaigns.setStatus(id, 'paused');
    await turn(id);
    expect(await found(id)).to.have.property('rest waiting, aside');
    await campaigns.setStatus(id, 'sending');
    await turn(id);
    expect(await found(id)).to.have.property('rest waiting');
  });

  it('of a store that was restored sends no rest before somebody decides', async () => {
    const id = await begin(200);
    await turn(id);
    for (const variant of [1, 2]) await arrive(id, variant, 0);
    await turn(id);
    // As a restore does, at its end.
    await campaigns.shop.query(
      `update campaign set status = 'held', has_parked = true, due_at = now() - interval '1 second' where id = '${id}'`,
    );
    await moveClock(id);
    await turn(id);
    expect(await found(id)).to.have.property('rest waiting, aside');
    await campaigns.put(id, '/status', { status: 'sending', winner: 1 });
    await turn(id);
    expect(await found(id)).to.have.property('rest waiting');
  });

  it('that is cancelled cancels the rest, too', async () => {
    const id = await begin(300, { hold_out_percent: 20 });
    await turn(id);
    await arrive(id, 1, 0);
    await campaigns.setStatus(id, 'cancelled');
    await turn(id);
    const counts = await campaigns.counts(id);
    expect(Object.keys(counts)).to.have.members(['sent', 'cancelled', 'skipped: hold_out']);
    await moveClock(id);
    await turn(id);
    expect(await campaigns.counts(id)).to.deep.equal(counts);
    // Who is held out is to get no other one in its place.
    const audience = { any: [{ campaign: { id, who: 'skipped' } }] };
    const again = await campaigns.draft(await campaigns.list(), { audience });
    const { body } = await campaigns.shop.client.get<any>(`/v1/campaigns/${again}/estimate`, { expect: 200 });
    expect(body.audience_count).to.equal(0);
  });

  it('that all recipients try ends without a winner, and its results compare them', async () => {
    const id = await begin(200, { test: { ...TEST, percent: 100 } });
    await turn(id);
    expect(Object.keys(await found(id))).to.have.members(['1 waiting', '2 waiting']);
    for (const variant of [1, 2]) await arrive(id, variant, variant * 10);
    await turn(id);
    const { status, test_outcome: outcome } = await campaigns.get(id);
    expect([status, outcome.verdict, outcome.winner]).to.deep.equal(['sent', 'no_rest', null]);
    expect((await campaigns.stats(id)).comparison.best).to.equal(2);
  });

  it('to nobody ends', async () => {
    const id = await begin(0);
    await turn(id);
    expect((await campaigns.get(id)).status).to.equal('sent');
  });

  it('of templates and senders gives each message its own, and the rest those of the winner', async () => {
    const [one, other] = [await campaigns.shop.template(), await campaigns.shop.template()];
    const variants = [{ template_id: one }, { template_id: other }];
    const id = await begin(100, { test: { ...TEST, variants, percent: 50 } });
    // What is published since is not what was scheduled.
    const { revision } = (await campaigns.shop.client.get<any>(`/v1/templates/${other}`, { expect: 200 })).body;
    await campaigns.shop.client.post(`/v1/templates/${other}/publish`, { revision }, { expect: 200 });
    await turn(id);
    const senders = [await campaigns.shop.relay(9), await campaigns.shop.relay(9)] as const;
    const second = await begin(100, {
      test: { ...TEST, variants: senders.map((sender_id) => ({ sender_id })), percent: 50 },
    });
    await turn(second);
    const distinct = (of: string, column: string) =>
      campaigns.shop.query(`
        select distinct variant, ${column} as it, template_version as version from message where source_id = '${of}' and
        variant is not null order by 1`);
    expect(await distinct(id, 'template_id')).to.deep.equal([
      { variant: 1, it: one, version: 1 },
      { variant: 2, it: other, version: 1 },
    ]);
    expect((await distinct(second, 'sender_id')).map(({ it }) => it)).to.deep.equal(senders);
    for (const [of, column, value] of [
      [id, 'template_id', other],
      [second, 'sender_id', senders[1]],
    ] as const) {
      await campaigns.put(of, '/status', { status: 'sending', winner: 2 });
      await turn(of);
      const rest = await campaigns.shop.query(`
        select distinct ${column} as it from message where source_id = '${of}' and variant is null`);
      expect(rest).to.deep.equal([{ it: value }]);
    }
  });
});

/** The variant that a customer tries, 0 for none, null for who is held out: by the hash alone. */
function drawnOf(campaignId: string, profileId: string, holdOut: number, percent: number): number | null {
  const n = createHash('sha256').update(`${campaignId} ${profileId}`).digest().readUInt32BE(16);
  const heldOut = Math.round((2 ** 32 * holdOut) / 100);
  const tested = heldOut + Math.round(((2 ** 32 - heldOut) * percent) / 100);
  if (n < heldOut) return null;
  return n < tested ? 1 + Math.floor(((n - heldOut) * TEST.variants.length) / (tested - heldOut)) : 0;
}
