import { expect } from 'chai';
import { type Database, openDatabase } from '../../src/db/orm.ts';
import { pauseCampaignsOf, watchCampaigns } from '../../src/domain/messages/sending/campaigns.ts';
import type { Outcome } from '../../src/domain/messages/sending/outcome.ts';
import { TestService } from '../support/service.ts';
import { Campaigns } from './support/campaigns.ts';

const outcome = (status: Outcome['status'], reason: Outcome['reason'] = null): Outcome => {
  return { status, reason, response: null, dueAt: null };
};
const times = (count: number, one: Outcome): Outcome[] => Array.from({ length: count }, () => one);
const [SENT, BOUNCED, COMPLAINED] = [outcome('sent'), outcome('bounced', 'no_mailbox'), outcome('complained')];
const REFUSED = outcome('failed', 'recipient_refused');

describe('A campaign that is sent', () => {
  let service: TestService;
  let database: Database;
  let campaigns: Campaigns;
  let id: string;

  before(async () => {
    service = await TestService.start({ MESSAGE_CONCURRENCY: '0' });
    database = await openDatabase(service.database.url, 1);
  });
  beforeEach(async () => {
    campaigns = await Campaigns.open(service);
    id = await campaigns.draft(await campaigns.list());
    await campaigns.schedule(id, '2035-01-01T08:00:00Z');
    await campaigns.shop.query(`
      update campaign set status = 'sending', started_at = now(), prepared_at = now() where id = '${id}'`);
  });
  after(async () => {
    await database.close();
    await service.stop();
  });

  /** What came of some of its messages, in batches as they are recorded. */
  async function record(outcomes: readonly Outcome[]): Promise<void> {
    for (let from = 0; from < outcomes.length; from += 64) {
      const some = outcomes.slice(from, from + 64).map((one) => ({ campaignId: id, outcome: one }));
      await database.sql.transaction().execute((tx) => watchCampaigns(tx, campaigns.shop.storeId, some));
    }
  }

  const found = async () => {
    const { status, reason } = await campaigns.get(id);
    return [status, reason];
  };
  const GOING = ['sending', null];

  it('pauses once more than 25 of the last 500 messages have come back', async () => {
    await record([...times(400, SENT), ...times(25, BOUNCED)]);
    expect(await found()).to.deep.equal(GOING);
    await record([BOUNCED]);
    expect(await found()).to.deep.equal(['paused', 'too_many_bounces']);
  });

  it('forgets what came back long ago', async () => {
    await record(times(25, BOUNCED));
    await record(times(2_000, SENT));
    await record(times(20, BOUNCED));
    expect(await found()).to.deep.equal(GOING);
  });

  it('pauses at the second complaint among as many', async () => {
    await record([...times(100, SENT), COMPLAINED]);
    expect(await found()).to.deep.equal(GOING);
    await record([COMPLAINED]);
    expect(await found()).to.deep.equal(['paused', 'too_many_complaints']);
    await campaigns.setStatus(id, 'sending');
    await record([COMPLAINED]);
    expect(await found()).to.deep.equal(GOING);
  });

  it('minds no recipients who are refused, however many', async () => {
    await record(times(1_000, REFUSED));
    expect(await found()).to.deep.equal(GOING);
  });

  it('pauses where its template takes too long', async () => {
    await record([outcome('failed', 'template_too_slow')]);
    expect(await found()).to.deep.equal(['paused', 'template_too_slow']);
  });

  it('pauses once its sender has failed 20 times in a row', async () => {
    const { sender_id } = await campaigns.get(id);
    const fail = (failures: number) =>
      database.sql
        .transaction()
        .execute((tx) => pauseCampaignsOf(tx, campaigns.shop.storeId, sender_id as string, failures));
    await fail(19);
    expect(await found()).to.deep.equal(GOING);
    await fail(20);
    expect(await found()).to.deep.equal(['paused', 'sender_failing']);
  });
});
