import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/orm.ts';
import { takeTurn } from '../../src/domain/campaigns/engine/turn.ts';
import { claimMessages } from '../../src/domain/messages/sending/claim.ts';
import { HIGHEST_ID, LOWEST_ID } from '../../src/ids/uuid-v7.ts';
import { TestService } from '../support/service.ts';
import { Campaigns } from './support/campaigns.ts';

/** More than are changed in one statement, and so many that ids are looked through in parts. */
const [MESSAGES, RECIPIENTS] = [4_500, 200_000];
const STARTED = Date.UTC(2026, 10, 20, 8);

describe('The messages of a campaign with very many', () => {
  let service: TestService;
  let database: Database;
  let campaigns: Campaigns;
  let id: string;

  before(async () => {
    // Nothing is done but what a test has done.
    service = await TestService.start({ MESSAGE_CONCURRENCY: '0' });
    database = await openDatabase(service.database.url, 2);
  });
  beforeEach(async () => {
    campaigns = await Campaigns.open(service);
    id = await campaigns.draft(await campaigns.list());
    await campaigns.schedule(id, '2035-01-01T08:00:00Z');
    await is('sending');
  });
  after(async () => {
    await database.close();
    await service.stop();
  });

  async function is(status: string, more = ''): Promise<void> {
    await campaigns.shop.query(`
      update campaign set status = '${status}', started_at = to_timestamp(${STARTED} / 1000.0), prepared_at = now(),
        recipients = ${RECIPIENTS}, due_at = now() - interval '1 second' ${more}
      where id = '${id}'`);
  }

  /** Of which one is in hand. */
  const insert = () =>
    campaigns.shop.query(`
      insert into message (store_id, id, profile_id, sender_id, template_id, template_version, source, source_id, channel,
        class, context, created_at, status, due_at)
      select c.store_id,
        ('${STARTED.toString(16).padStart(12, '0')}7' || left(md5(n::text), 3) || '8' || right(md5(n::text), 15))::uuid,
        gen_random_uuid(), c.sender_id, c.template_id, 1, 'campaign', c.id, 'email', 'marketing', '{"data":{},"event":null}', now(),
        case when n = 1 then 'claimed' else 'waiting' end, now() - interval '1 minute'
      from campaign c, generate_series(1, ${MESSAGES}) n where c.id = '${id}'`);

  const turn = (isStopping = () => false) => takeTurn(database.sql, campaigns.shop.storeId, id, { isStopping });

  async function row(): Promise<any> {
    return (await campaigns.shop.query(`select * from campaign where id = '${id}'`))[0];
  }

  async function statuses(): Promise<Record<string, number>> {
    const rows = await campaigns.shop.query(`
      select status || case when due_at = 'infinity' then ' put aside' when due_at > now() then ' until later' else '' end as what,
        count(*)::int as count
      from message where source_id = '${id}' group by 1`);
    return Object.fromEntries(rows.map(({ what, count }) => [what, count]));
  }

  it('are changed part by part, each of which is kept', async () => {
    await insert();
    for (const [status, after] of [
      ['paused', 'waiting put aside'],
      ['cancelled', 'cancelled'],
    ] as const) {
      await is(status, ', changed = default');
      // As if it stopped after each step.
      expect(await turn(() => true)).to.equal(true);
      const { changed } = await row();
      expect(changed > LOWEST_ID && changed < HIGHEST_ID).to.equal(true);
      const { [after]: some = 0 } = await statuses();
      expect(some).to.be.within(1, MESSAGES - 2);
      while (await turn(() => true)) expect((await row()).changed >= changed).to.equal(true);
      expect(await statuses()).to.deep.equal({ claimed: 1, [after]: MESSAGES - 1 });
    }
  });

  it('are not looked through again while one of a cancelled campaign is in hand', async () => {
    await insert();
    await is('cancelled');
    while (await turn());
    const { changed, settled } = await row();
    expect([changed, (await statuses()).claimed]).to.deep.equal([HIGHEST_ID, 1]);
    const [{ id: held }] = await campaigns.shop.query(
      `select id from message where source_id = '${id}' and status = 'claimed'`,
    );
    expect(settled).to.equal(held);
    // What comes back is cancelled, too, also where nobody sends.
    await campaigns.shop.query(`update message set status = 'waiting' where id = '${held}'`);
    for (let i = 0; i < 2; i += 1) {
      await campaigns.shop.query(`update campaign set due_at = now() - interval '1 second' where id = '${id}'`);
      while (await turn());
    }
    expect(await statuses()).to.deep.equal({ cancelled: MESSAGES });
    expect((await row()).due_at).to.equal(null);
  });

  it('are put back once its hours are over, however slow its sender is', async () => {
    const timing = JSON.stringify({
      ...{ localTime: null, timeZone: { attribute: 'time_zone', default: 'UTC' }, past: 'next_day', spread: null },
      hours: closedNow(),
    });
    await is('sending', `, timing = '${timing}'`);
    await insert();
    const { sender_id: sender } = await row();
    const { storeId } = campaigns.shop;
    const customer = await campaigns.shop.customer('ada@shop.example');
    await campaigns.shop.query(`
      update message set profile_id = '${customer}', due_at = now() - interval '1 hour'
      where id = (select id from message where source_id = '${id}' and status = 'waiting' order by id limit 1)`);
    const tools = { caps: { most: null, gapMs: null }, digestOf: () => Buffer.alloc(32) };
    const claim = await claimMessages(database.sql, storeId, sender, 1, tools);
    expect([claim?.messages.length, claim?.parked]).to.deep.equal([0, 1]);
    expect((await row()).has_closed).to.equal(true);
    while (await turn());
    expect(await statuses()).to.deep.equal({ claimed: 1, 'waiting until later': MESSAGES - 1 });
    expect((await row()).has_closed).to.equal(false);
  });
});

/** Hours that are over: a minute of a day of the week that it is not. */
function closedNow(): object {
  const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
  const weekdays = [days[(new Date().getUTCDay() + 3) % 7]];
  return { from: '00:00', to: '00:01', weekdays, otherwise: 'wait' };
}
