import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { readAll } from '../support/reading.ts';
import { TestService } from '../support/service.ts';

const UNKNOWN_ID = '01a1f83b-0000-7000-8000-000000000000';
const NONE = { status: 'never', changed_at: null, source: null, suppressed: null, lists: [] };
const at = (day: number) => `2026-03-${String(day).padStart(2, '0')}T12:00:00.000Z`;

describe("A customer's consent", () => {
  let service: TestService;
  let client: Client;
  let id: string;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    client = await service.client();
    const { body } = await client.post('/v1/profiles/upsert', { identifiers: { email: 'ada@example.com' } });
    id = body.id;
  });
  after(() => service.stop());

  const put = (body: unknown, status = 200, profileId = id) =>
    client.send('PUT', `/v1/profiles/${profileId}/consent`, JSON.stringify(body), {
      expect: status,
      headers: { 'Content-Type': 'application/json' },
    });
  const read = async () => (await client.get(`/v1/profiles/${id}`, { expect: 200 })).body.consent;
  const history = (): Promise<any[]> => readAll(client, `/v1/profiles/${id}/consent/history?limit=3`, 'changes');

  describe('PUT /v1/profiles/{id}/consent', () => {
    it('records what a customer has chosen, by channel, and GET /v1/profiles/{id} shows it', async () => {
      expect(await read()).to.deep.equal({ email: NONE, sms: NONE });
      const { body } = await put({ email: { status: 'subscribed', changed_at: at(1), source: 'checkout' } });
      const email = { ...NONE, status: 'subscribed', changed_at: at(1), source: 'checkout' };
      expect(body).to.deep.equal({ consent: { email, sms: NONE }, changed: ['email'] });
      expect(await read()).to.deep.equal({ email, sms: NONE });

      const both = await put({ email: { status: 'unsubscribed' }, sms: { status: 'subscribed' } });
      expect(both.body.changed).to.deep.equal(['email', 'sms']);
      const { email: now } = await read();
      expect(now).to.deep.include({ status: 'unsubscribed', source: null });
      expect(Date.now() - Date.parse(now.changed_at)).to.be.within(-1, 60_000);
    });

    it('keeps the latest choice, and of two at the same time the one to opt out, in whatever order they come', async () => {
      const choices: [string, number][] = [
        ['subscribed', 2],
        ['unsubscribed', 2],
        ['subscribed', 1],
        ['unsubscribed', 1],
        ['subscribed', 3],
        ['unsubscribed', 3],
      ];
      for (let round = 0; round < 12; round += 1) {
        const { body } = await client.post('/v1/profiles/upsert', { identifiers: { external_id: `c${round}` } });
        const shuffled = choices
          .map((choice) => ({ choice, n: Math.random() }))
          .sort((a, b) => a.n - b.n)
          .map(({ choice }) => choice);
        const send = ([status, day]: [string, number]) => put({ email: { status, changed_at: at(day) } }, 200, body.id);
        if (round % 2 === 0) await Promise.all(shuffled.map(send));
        else for (const choice of shuffled) await send(choice);
        const { body: profile } = await client.get(`/v1/profiles/${body.id}`, { expect: 200 });
        expect(profile.consent.email).to.deep.include({ status: 'unsubscribed', changed_at: at(3) });
        const all = await readAll(client, `/v1/profiles/${body.id}/consent/history`, 'changes');
        expect(all, 'the history has all').to.have.length(choices.length);
      }
    });

    it('takes what is chosen now for the latest, where the clock of another process was ahead', async () => {
      await put({ email: { status: 'subscribed' } });
      const query = `update consent set changed_at = now() + interval '2 seconds' where profile_id = '${id}'`;
      await service.database.query(query);
      const { body } = await put({ email: { status: 'unsubscribed' } });
      expect([body.changed, body.consent.email.status]).to.deep.equal([['email'], 'unsubscribed']);
    });

    it('says what took effect, and has what did not in the history too', async () => {
      await put({ email: { status: 'unsubscribed', changed_at: at(5) } });
      const { body } = await put({ email: { status: 'subscribed', changed_at: at(4), source: 'old list' } });
      expect(body.changed).to.deep.equal([]);
      expect(body.consent.email.status).to.equal('unsubscribed');
      const [last, first] = await history();
      expect(first).to.deep.include({ kind: 'unsubscribed', changed_at: at(5), source: null, applied: true });
      expect(last).to.deep.include({ channel: 'email', kind: 'subscribed', source: 'old list', applied: false });
    });

    it('suppresses a channel beside what the customer has chosen, and lifts that again', async () => {
      await put({ email: { status: 'subscribed', changed_at: at(1) } });
      const { body } = await put({ email: { suppressed: true, reason: 'hard bounce', changed_at: at(2) } });
      expect(body.consent.email).to.deep.include({
        status: 'subscribed',
        suppressed: { at: at(2), reason: 'hard bounce' },
      });
      const again = await put({ email: { suppressed: true } });
      expect(again.body.changed).to.deep.equal([]);
      expect(again.body.consent.email.suppressed).to.deep.equal({ at: at(2), reason: 'hard bounce' });
      const lifted = await put({ email: { suppressed: false } });
      expect(lifted.body.consent.email).to.deep.include({ status: 'subscribed', suppressed: null });
      const kinds = (await history()).map(({ kind, applied, reason }) => [kind, applied, reason]);
      expect(kinds).to.deep.equal([
        ['unsuppressed', true, null],
        ['suppressed', false, 'USER_SUPPRESSED'],
        ['suppressed', true, 'hard bounce'],
        ['subscribed', true, null],
      ]);
    });

    it('takes a time that is a few minutes ahead as now', async () => {
      const ahead = new Date(Date.now() + 60_000).toISOString();
      const { body } = await put({ email: { status: 'subscribed', changed_at: ahead } });
      expect(body.consent.email.changed_at < ahead).to.equal(true);
      const { body: after } = await put({ email: { status: 'unsubscribed' } });
      expect(after.consent.email.status).to.equal('unsubscribed');
    });

    it('refuses what it cannot record, by the name of the field, and changes nothing', async () => {
      const status = 'subscribed';
      for (const [body, field] of [
        [{}, null],
        [[], null],
        [{ push: { status } }, 'push'],
        [{ email: {} }, 'email'],
        [{ email: null }, 'email'],
        [{ email: { status: 'never' } }, 'email.status'],
        [{ email: { source: 'checkout' } }, 'email'],
        [{ sms: { status, changed_at: '2026-02-30T00:00:00Z' } }, 'sms.changed_at'],
        [{ sms: { status, changed_at: '1989-12-31T00:00:00Z' } }, 'sms.changed_at'],
        [{ sms: { status, changed_at: new Date(Date.now() + 600_000).toISOString() } }, 'sms.changed_at'],
        [{ email: { status }, sms: { status, source: 'x'.repeat(1001) } }, 'sms.source'],
        [{ email: { status, source: 'a\0b' } }, 'email.source'],
        [{ email: { status, reason: 'bounce' } }, 'email.reason'],
        [{ email: { suppressed: false, reason: 'bounce' } }, 'email.reason'],
        [{ email: { suppressed: 'yes' } }, 'email.suppressed'],
        [{ email: { status, list: 'x' } }, 'email.list'],
      ] as const) {
        const { body: answer } = await put(body, 400);
        expect(answer.error, JSON.stringify(body)).to.deep.include({ code: 'validation_error', field });
      }
      expect(await read()).to.deep.equal({ email: NONE, sms: NONE });
      expect(await history()).to.deep.equal([]);
    });

    it('knows no profile of another store, and no other id', async () => {
      const other = await service.client();
      for (const profileId of [UNKNOWN_ID, 'ada']) await put({ email: { status: 'subscribed' } }, 404, profileId);
      await other.send('PUT', `/v1/profiles/${id}/consent`, '{"email":{"status":"subscribed"}}', {
        expect: 404,
        headers: { 'Content-Type': 'application/json' },
      });
      expect(await read()).to.deep.equal({ email: NONE, sms: NONE });
    });
  });

  describe('GET /v1/profiles/{id}/consent/history', () => {
    it('returns every change once, the latest first, page by page', async () => {
      for (let n = 1; n <= 7; n += 1) await put({ sms: { status: 'subscribed', changed_at: at(n) } });
      const changes = await history();
      expect(changes.map(({ changed_at }) => changed_at)).to.deep.equal([7, 6, 5, 4, 3, 2, 1].map(at));
      expect(new Set(changes.map((change) => change.id)).size).to.equal(7);
    });

    it('knows no profile of another store', async () => {
      const other = await service.client();
      await other.get(`/v1/profiles/${id}/consent/history`, { expect: 404 });
      await client.get(`/v1/profiles/${UNKNOWN_ID}/consent/history`, { expect: 404 });
    });
  });
});
