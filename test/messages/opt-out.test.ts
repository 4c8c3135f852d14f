import { expect } from 'chai';
import { openDatabase } from '../../src/db/orm.ts';
import { VersionCache } from '../../src/domain/automations/stored/version-cache.ts';
import { beginMessages } from '../../src/domain/messages/sending/begin.ts';
import { claimMessages } from '../../src/domain/messages/sending/claim.ts';
import { recordSettled } from '../../src/domain/messages/sending/record.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { Shop } from './support/shop.ts';

const ADA = 'ada@shop.example';
const NO_CAPS = { most: null, gapMs: null };
const digestOf = (address: string) => Buffer.from(address);

describe('An opt-out', () => {
  let service: TestService;
  let shop: Shop;
  let customer: string;
  let database: Awaited<ReturnType<typeof openDatabase>>;

  before(async () => {
    // What sends is what the test calls.
    service = await TestService.start({ MESSAGE_CONCURRENCY: '0' });
    database = await openDatabase({ url: service.database.url, isDistributed: false }, 4, {});
  });
  beforeEach(async () => {
    shop = await Shop.open(service);
    customer = await shop.customer(ADA);
  });
  after(async () => {
    await database.close();
    await service.stop();
  });

  const send = async () => {
    const id = await shop.send(await shop.template(), ADA);
    return { id, sender: (await shop.message(id)).sender_id as string };
  };
  const claim = async (sender: string, caps = NO_CAPS as Parameters<typeof claimMessages>[4]['caps']) => {
    const found = await claimMessages(database.sql, shop.storeId, sender, 10, { caps, digestOf });
    return found?.messages ?? [];
  };

  it('is asked with whether the store is held, also by whoever sends already', async () => {
    const { id, sender } = await send();
    await shop.query(`insert into automation_hold (store_id, held_at) values ('${shop.storeId}', now())`);
    expect(await claim(sender)).to.deep.equal([]);
    expect((await shop.message(id)).status).to.equal('waiting');
    await shop.query(`delete from automation_hold where store_id = '${shop.storeId}'`);
    expect((await claim(sender)).map((message) => message.id)).to.deep.equal([id]);
  });

  it('that comes before the claim holds', async () => {
    const { id, sender } = await send();
    await shop.choose(customer, 'unsubscribed');
    expect(await claim(sender)).to.deep.equal([]);
    expect(await shop.message(id)).to.include({ status: 'skipped', reason: 'unsubscribed' });
  });

  it('that comes after the claim holds, as long as the message is not on its way', async () => {
    const { id, sender } = await send();
    const claimed = await claim(sender);
    expect(claimed.map((message) => message.id)).to.deep.equal([id]);
    await shop.choose(customer, 'unsubscribed');
    const begun = await beginMessages(database.sql, shop.storeId, claimed, digestOf);
    expect([...begun.ids]).to.deep.equal([]);
    expect([...begun.skipped]).to.deep.equal([[id, 'unsubscribed']]);
    expect(await shop.message(id)).to.include({ begun_at: null });
  });

  it('is that of the customer into whom theirs was merged after the claim', async () => {
    const other = await shop.customer('eve@shop.example');
    const { id, sender } = await send();
    const claimed = await claim(sender);
    await shop.client.post(`/v1/profiles/${other}/merge`, { from: customer }, { expect: 202 });
    const suppressed = await shop.customer('mallory@shop.example');
    const begun = await beginMessages(database.sql, shop.storeId, claimed, digestOf);
    expect([...begun.ids]).to.deep.equal([id]);
    const next = await shop.send(await shop.template({ class: 'transactional' }), ADA);
    const [another] = await claim(sender);
    expect(another?.id).to.equal(next);
    await shop.consent(suppressed, { suppressed: true });
    await shop.client.post(`/v1/profiles/${suppressed}/merge`, { from: other }, { expect: 202 });
    const refused = await beginMessages(database.sql, shop.storeId, another ? [another] : [], digestOf);
    expect([...refused.skipped]).to.deep.equal([[next, 'suppressed']]);
  });

  it('is that of the customer into whom theirs was merged while the message was made, who gets it', async () => {
    const other = await shop.customer('eve@shop.example');
    const { id, sender } = await send();
    await shop.client.post(`/v1/profiles/${other}/merge`, { from: customer }, { expect: 202 });
    await shop.query(`update message set profile_id = '${customer}' where id = '${id}'`);
    const claimed = await claim(sender);
    expect(claimed.map(({ profileId, address }) => [profileId, address])).to.deep.equal([[other, 'eve@shop.example']]);
    const begun = await beginMessages(database.sql, shop.storeId, claimed, digestOf);
    expect([...begun.ids]).to.deep.equal([id]);
    expect(await shop.message(id)).to.include({ profile_id: other });
  });

  it('is what an erasure after the claim comes to, as long as the message is not on its way', async () => {
    const template = await shop.template({ class: 'transactional' });
    const id = await shop.send(template, ADA);
    const claimed = await claim((await shop.message(id)).sender_id);
    await shop.client.post('/v1/erasures', { profile_id: customer }, { expect: 202 });
    const begun = await beginMessages(database.sql, shop.storeId, claimed, digestOf);
    expect([...begun.skipped]).to.deep.equal([[id, 'profile_deleted']]);
  });

  it('that is being made lets the claim wait for it', async () => {
    const { id, sender } = await send();
    let claiming: Promise<unknown> | undefined;
    await database.sql.transaction().execute(async (tx) => {
      await tx
        .updateTable('consent')
        .set({ status: 'unsubscribed' })
        .where('store_id', '=', shop.storeId)
        .where('profile_id', '=', customer)
        .execute();
      claiming = claim(sender);
      const waiting = async () => {
        const rows = await shop.query(`
          select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%for no key update%'`);
        return rows.length > 0;
      };
      await until(waiting, 'the claim waits');
    });
    expect(await claiming).to.deep.equal([]);
    expect((await shop.message(id)).reason).to.equal('unsubscribed');
  });

  it('and a cap do not count a message against itself that is taken once more', async () => {
    const caps = { most: { count: 1, withinMs: 60_000 }, gapMs: 60_000 };
    const { id, sender } = await send();
    expect(await claim(sender, caps)).to.have.length(1);
    // As after a kill.
    await shop.query(`update message set due_at = now() where id = '${id}'`);
    expect((await claim(sender, caps)).map((message) => message.id)).to.deep.equal([id]);
  });

  describe('is no matter where the customer is merged in that very moment', () => {
    /** Does something that waits for a merge. */
    async function whileMerged(id: string, into: string, act: () => Promise<unknown>): Promise<void> {
      let acting: Promise<unknown> | undefined;
      await database.sql.transaction().execute(async (tx) => {
        await tx
          .updateTable('message')
          .set({ profile_id: into })
          .where('store_id', '=', shop.storeId)
          .where('id', '=', id)
          .execute();
        acting = act();
        await until(() => service.database.isWaiting(), 'it waits');
      });
      await acting;
    }

    it('to a message that is about to go', async () => {
      const other = await shop.customer('eve@shop.example');
      const { id, sender } = await send();
      const claimed = await claim(sender);
      await whileMerged(id, other, async () => {
        const begun = await beginMessages(database.sql, shop.storeId, claimed, digestOf);
        expect([...begun.ids]).to.deep.equal([id]);
      });
      expect(await shop.message(id)).to.include({ status: 'sending', profile_id: other });
    });

    it('to what came of one, which is known', async () => {
      const other = await shop.customer('eve@shop.example');
      const { id, sender } = await send();
      const claimed = await claim(sender);
      await beginMessages(database.sql, shop.storeId, claimed, digestOf);
      const result = { outcome: 'accepted', response: '250 Taken' } as const;
      const settled = claimed.map((message) => ({ message, at: Date.now(), result }));
      const tools = { digestOf, versions: new VersionCache(), tellsOfSent: false };
      await whileMerged(id, other, () => recordSettled(database.sql, shop.storeId, sender, settled, tools));
      expect(await shop.message(id)).to.include({ status: 'sent', response: '250 Taken', profile_id: other });
    });
  });

  it('leaves one claim to one process', async () => {
    const { sender } = await send();
    const claims = await Promise.all([claim(sender), claim(sender), claim(sender)]);
    expect(claims.flat()).to.have.length(1);
  });

  it('is no matter to caps, which hold for several that are due at a time', async () => {
    const caps = { most: { count: 1, withinMs: 60_000 }, gapMs: null };
    const { sender } = await send();
    await send();
    expect(await claim(sender, caps)).to.have.length(1);
    await send();
    expect(await claim(sender, caps)).to.deep.equal([]);
    const { messages } = (await shop.client.get<any>('/v1/messages?status=skipped')).body;
    expect(messages.map((message: any) => message.reason)).to.deep.equal(['too_many_messages', 'too_many_messages']);
  });
});
