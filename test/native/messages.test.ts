import { expect } from 'chai';
import { Shop } from '../messages/support/shop.ts';
import { TestService } from '../support/service.ts';

const ADA = 'ada@shop.example';
const LATER = '2035-01-01T08:00:00Z';

describe('Messages that were sent, or are to be', () => {
  let service: TestService;
  let shop: Shop;
  let template: string;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    shop = await Shop.open(service);
    template = await shop.template();
    await shop.customer(ADA);
  });
  after(() => service.stop());

  describe('GET /v1/messages', () => {
    it('lists the newest first, by pages and filters', async () => {
      const ids = [];
      for (let i = 0; i < 3; i += 1) ids.unshift(await shop.send(template, ADA));
      const later = await shop.send(template, ADA, { send_at: LATER });
      for (const id of ids) await shop.ended(id);
      const list = async (query: string) => (await shop.client.get<any>(`/v1/messages?${query}`, { expect: 200 })).body;
      const idsOf = (page: any) => page.messages.map((message: any) => message.id);
      expect(idsOf(await list('limit=100'))).to.deep.equal([later, ...ids]);
      expect(idsOf(await list('status=sent'))).to.deep.equal(ids);
      expect(idsOf(await list('status=waiting'))).to.deep.equal([later]);
      const first = await list('limit=2&status=sent');
      expect(idsOf(first)).to.deep.equal(ids.slice(0, 2));
      const second = await list(`limit=2&status=sent&cursor=${first.next_cursor}`);
      expect(idsOf(second)).to.deep.equal(ids.slice(2));
      expect(second.next_cursor).to.equal(null);
      expect(idsOf(await list(`template_id=${ids[0]}`))).to.deep.equal([]);
      expect(idsOf(await list('status=unknown'))).to.deep.equal([]);
    });
  });

  describe('GET /v1/messages/{id}', () => {
    it('shows a message to its store alone', async () => {
      const id = await shop.send(template, ADA);
      const other = await Shop.open(service);
      await other.client.get(`/v1/messages/${id}`, { expect: 404 });
      await other.client.get(`/v1/messages/${id}/content`, { expect: 404 });
      await other.client.post(`/v1/messages/${id}/cancel`, undefined, { expect: 404 });
    });
  });

  describe('GET /v1/messages/{id}/content', () => {
    it('has nothing of a message that was not sent', async () => {
      const id = await shop.send(template, ADA, { send_at: LATER });
      await shop.client.get(`/v1/messages/${id}/content`, { expect: 404 });
    });
  });

  describe('GET /v1/profiles/{id}/messages', () => {
    it('lists those of one customer', async () => {
      const grace = await shop.customer('grace@shop.example');
      const id = await shop.send(template, 'grace@shop.example');
      await shop.send(template, ADA);
      const { messages } = (await shop.client.get<any>(`/v1/profiles/${grace}/messages`, { expect: 200 })).body;
      expect(messages.map((message: any) => message.id)).to.deep.equal([id]);
    });
  });

  describe('POST /v1/messages/{id}/cancel', () => {
    it('keeps what waits from being sent, and says so again', async () => {
      const id = await shop.send(template, ADA, { send_at: LATER });
      for (let i = 0; i < 2; i += 1) {
        const { body } = await shop.client.post<any>(`/v1/messages/${id}/cancel`, undefined, { expect: 200 });
        expect(body).to.deep.equal({ id, status: 'cancelled' });
      }
      expect(await shop.message(id)).to.include({ status: 'cancelled', due_at: null });
    });

    it('refuses what has gone', async () => {
      const id = await shop.send(template, ADA);
      await shop.ended(id);
      const { body } = await shop.client.post<any>(`/v1/messages/${id}/cancel`, undefined, { expect: 400 });
      expect(body.error.message).to.include('it is sent');
    });
  });

  describe('POST /v1/messages/{id}/resolve', () => {
    const resolve = (id: string, decision: string, expected: number) =>
      shop.client.post<any>(`/v1/messages/${id}/resolve`, { decision }, { expect: expected });

    /** As after a kill. */
    async function unknownMessage(): Promise<string> {
      const id = await shop.send(template, ADA, { send_at: LATER });
      await service.database.query(
        `update message set status = 'unknown', reason = 'undecided', due_at = null, finished_at = now() where id = '${id}'`,
      );
      return id;
    }

    it('takes a message as sent', async () => {
      const id = await unknownMessage();
      const { messages } = (await shop.client.get<any>('/v1/messages?status=unknown')).body;
      expect(messages.map((message: any) => message.id)).to.deep.equal([id]);
      expect((await resolve(id, 'leave', 200)).body).to.deep.equal({ id, status: 'sent' });
    });

    it('sends a message once more', async () => {
      const id = await unknownMessage();
      expect((await resolve(id, 'resend', 200)).body).to.deep.equal({ id, status: 'waiting' });
      expect(await shop.ended(id)).to.include({ status: 'sent', reason: null });
      await shop.content(id);
    });

    it('refuses what is not unknown', async () => {
      const id = await shop.send(template, ADA, { send_at: LATER });
      await resolve(id, 'resend', 400);
      await resolve(id, 'leave', 400);
    });
  });
});
