import { createHmac, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { Receiver } from '../webhooks/support/receiver.ts';
import { ACCOUNT, Shop, TOKEN } from './support/shop.ts';

const PUBLIC_URL = 'https://mail.shop.example';
const ADA = '+4930901820';
const TEXT = { kind: 'sms', subject: '', body: 'Hi {{ profile.attributes.first_name }}. {{ data.more }} STOP to end.' };

describe('Text messages by Twilio', () => {
  let service: TestService;
  let twilio: Receiver;
  let shop: Shop;
  let customer: string;
  let template: string;
  let sender: string;

  before(async () => {
    twilio = await Receiver.start();
    const { origin } = new URL(twilio.url);
    service = await TestService.start({
      ...{ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: '1' },
      ...{ PUBLIC_URL, TWILIO_URL: origin },
    });
  });
  beforeEach(async () => {
    twilio.respond = (response) => answer(response, 201, { sid: `SM${'0'.repeat(32)}`, status: 'queued' });
    twilio.received.length = 0;
    shop = await Shop.open(service);
    customer = await shop.customer(ADA);
    template = await shop.template(TEXT);
    sender = await shop.twilio();
  });
  after(async () => {
    await service.stop();
    await twilio[Symbol.asyncDispose]();
  });

  const answer = (response: Parameters<Receiver['respond']>[0], status: number, body: object) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  const refuse = (status: number, code?: number) => {
    twilio.respond = (response) => answer(response, status, { code, message: 'Because', status });
  };
  const send = (more: object = {}) => shop.send(template, ADA, { sender_id: sender, ...more });
  const sent = () => new URLSearchParams(twilio.received.at(-1)?.body);
  const consent = async (id = customer) =>
    (await shop.client.get<any>(`/v1/profiles/${id}`, { expect: 200 })).body.consent.sms;
  const events = async (id = customer): Promise<any[]> =>
    (await shop.client.get<any>(`/v1/profiles/${id}/events`, { expect: 200 })).body.events;
  const receipt = () => shop.template({ ...TEXT, class: 'transactional' });

  describe('What is handed over', () => {
    it('is a form of its account, from its number, which says where its fate is told', async () => {
      const id = await send();
      const message = await shop.ended(id);
      expect(message).to.include({ status: 'sent', response: `201 SM${'0'.repeat(32)}`, segment_count: 1 });
      const [{ headers }] = twilio.received as [Receiver['received'][number]];
      expect(headers['content-type']).to.equal('application/x-www-form-urlencoded');
      expect(headers.authorization).to.equal(`Basic ${Buffer.from(`${ACCOUNT}:${TOKEN}`).toString('base64')}`);
      const { StatusCallback, ...form } = Object.fromEntries(sent());
      expect(form).to.deep.equal({ To: ADA, From: '+15005550006', Body: 'Hi Ada.  STOP to end.' });
      expect(StatusCallback).to.match(new RegExp(`^${PUBLIC_URL}/m/hooks/[\\w-]{66}/events\\?message_id=${id}$`));
    });

    it('goes by an API key and a service where these are named', async () => {
      const [key, service_sid] = [`SK${'1'.repeat(32)}`, `MG${'2'.repeat(32)}`];
      sender = await shop.twilio({
        settings: {
          ...{ account_sid: ACCOUNT, api_key_sid: key, api_key_secret: 'a-secret-of-a-key' },
          messaging_service_sid: service_sid,
        },
      });
      await shop.ended(await send());
      const [{ headers }] = twilio.received as [Receiver['received'][number]];
      expect(headers.authorization).to.equal(`Basic ${Buffer.from(`${key}:a-secret-of-a-key`).toString('base64')}`);
      expect([sent().get('MessagingServiceSid'), sent().get('From')]).to.deep.equal([service_sid, null]);
    });
  });

  describe('What Twilio answers', () => {
    const triedOnce = async (id: string) => {
      await until(async () => (await shop.message(id)).failed_attempts > 0, 'it was tried');
      return await shop.message(id);
    };

    it('suppresses numbers that there are not', async () => {
      refuse(400, 21211);
      expect(await shop.ended(await send())).to.include({
        ...{ status: 'bounced', reason: 'no_mailbox', response: '400 21211 Because' },
      });
      expect((await consent()).suppressed?.reason).to.equal('HARD_BOUNCE');
      expect(await shop.fate(template, ADA)).to.deep.equal(['skipped', 'address_suppressed']);
    });

    it('unsubscribes whom Twilio knows to have said STOP', async () => {
      refuse(400, 21610);
      expect(await shop.ended(await send())).to.include({ status: 'failed', reason: 'recipient_refused' });
      expect((await consent()).status).to.equal('unsubscribed');
      expect((await events()).map(({ event_type }) => event_type)).to.deep.equal(['sms_unsubscribed']);
    });

    it('fails a message that would be refused again', async () => {
      refuse(400, 21617);
      expect(await shop.ended(await send())).to.include({ status: 'failed', reason: 'message_refused' });
    });

    it('has it tried again where the account does not let us in, or more than it takes was sent', async () => {
      for (const [status, code] of [
        [401, 20003],
        [429, 20429],
        [400, 21606],
        [503, 20503],
      ] as const) {
        refuse(status, code);
        const message = await triedOnce(await send());
        expect(message, String(code)).to.include({ status: 'waiting', response: `${status} ${code} Because` });
      }
      twilio.respond = (response) => response.writeHead(302, { Location: 'http://10.0.0.1/' }).end();
      expect((await triedOnce(await send())).response).to.equal('302');
    });

    it('rests after nothing but refusals, and says why messages wait', async () => {
      refuse(401, 20003);
      const ids = await Promise.all(Array.from({ length: 10 }, () => send()));
      await until(async () => {
        const { body } = await shop.client.get<any>(`/v1/senders/${sender}`, { expect: 200 });
        return body.resting_until !== null;
      }, 'the sender rests');
      expect((await shop.message(ids[0] as string)).why_not.explanation).to.include('401 20003 Because');
    });

    it('leaves marketing unknown that it may have taken, and repeats what customers have caused', async () => {
      refuse(500, 20500);
      expect(await shop.ended(await send())).to.include({ status: 'unknown', response: 'server_error' });
      expect((await triedOnce(await shop.send(await receipt(), ADA, { sender_id: sender }))).status).to.equal(
        'waiting',
      );
      twilio.respond = (response) => response.destroy();
      expect(await shop.ended(await send())).to.include({ status: 'unknown', response: 'connection_closed' });
    });
  });

  describe('What it tells', () => {
    let events_url: string;

    beforeEach(async () => {
      ({ events_url } = (await shop.client.get<any>(`/v1/senders/${sender}/feedback`, { expect: 200 })).body);
    });

    const sign = (url: string, fields: Record<string, string>, token = TOKEN) => {
      const text = Object.keys(fields)
        .sort()
        .map((name) => name + fields[name])
        .join('');
      return createHmac('sha1', token)
        .update(url + text)
        .digest('base64');
    };
    const post = async (url: string, fields: Record<string, string>, signature = sign(url, fields)) =>
      await fetch(service.url + url.slice(PUBLIC_URL.length), {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { 'X-Twilio-Signature': signature },
      });
    const told = async (url: string, fields: Record<string, string>) => {
      const response = await post(url, { AccountSid: ACCOUNT, ...fields });
      const body = await response.text();
      expect([response.status, body.endsWith('<Response/>')], body).to.deep.equal([200, true]);
      expect(response.headers.get('content-type')).to.include('text/xml');
    };
    const fate = async (MessageStatus: string, more: Record<string, string> = {}) => {
      const id = await send();
      await shop.ended(id);
      const callback = sent().get('StatusCallback') as string;
      const MessageSid = `SM${randomUUID().replaceAll('-', '')}`;
      await told(callback, { MessageSid, MessageStatus, ...more });
      return { id, callback, MessageSid };
    };
    const counts = async () => (await shop.client.get<any>(`/v1/senders/${sender}/feedback`, { expect: 200 })).body;

    it('moves messages as others do, each thing once', async () => {
      const { id, callback, MessageSid } = await fate('sent');
      expect((await shop.message(id)).status).to.equal('sent');
      await told(callback, { MessageSid, MessageStatus: 'delivered' });
      await told(callback, { MessageSid, MessageStatus: 'delivered' });
      expect((await shop.message(id)).status).to.equal('delivered');
      expect(await counts()).to.include({ delivered_count: 1, deferred_count: 1, bounced_count: 0 });
    });

    it('is judged by the code of an error', async () => {
      const state = async ({ id }: { id: string }) => {
        const { status, reason } = await shop.message(id);
        return [status, reason];
      };
      expect(await state(await fate('undelivered', { ErrorCode: '30003' }))).to.deep.equal([
        'failed',
        'recipient_refused',
      ]);
      expect(await state(await fate('failed', { ErrorCode: '30007' }))).to.deep.equal(['failed', 'sender_refused']);
      expect(await state(await fate('undelivered', { ErrorCode: '30005' }))).to.deep.equal(['bounced', 'no_mailbox']);
      const [last] = await events();
      expect(last).to.deep.include({ event_type: 'sms_bounced' });
      expect(last.properties).to.include({ fault: 'address', status_code: '5.1.1' });
    });

    it('counts only where its signature fits all of it', async () => {
      const id = await send();
      await shop.ended(id);
      const url = sent().get('StatusCallback') as string;
      const fields = { MessageSid: 'SM1', MessageStatus: 'delivered' };
      const refused = async (...request: Parameters<typeof post>) => (await post(...request)).status;
      expect(await refused(url, fields, '')).to.equal(401);
      expect(await refused(url, fields, sign(url, fields, 'another token of an account'))).to.equal(401);
      expect(await refused(url, { ...fields, MessageStatus: 'failed' }, sign(url, fields))).to.equal(401);
      expect(await refused(url.replace(id, randomUUID()), fields, sign(url, fields))).to.equal(401);
      const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`f${i}`, '']));
      expect(await refused(url, many, sign(url, many))).to.equal(401);
      expect((await shop.message(id)).status).to.equal('sent');
      const usualPort = url.replace(PUBLIC_URL, `${PUBLIC_URL}:443`);
      expect((await post(url, fields, sign(usualPort, fields))).status).to.equal(200);
      expect((await shop.message(id)).status).to.equal('delivered');
    });

    describe('of answers', () => {
      const reply = (Body: string, more: Record<string, string> = {}) =>
        told(events_url, { MessageSid: `SM${randomUUID().replaceAll('-', '')}`, From: ADA, Body, ...more });
      const types = async () => (await events()).map(({ event_type }) => event_type);

      it('unsubscribes who says STOP, once, and brings back who says START after that', async () => {
        const message = await shop.ended(await send());
        const MessageSid = `SM${randomUUID().replaceAll('-', '')}`;
        await reply(' Stop! ', { MessageSid });
        expect(await consent()).to.include({ status: 'unsubscribed', source: 'sms_reply' });
        const [event] = await events();
        expect(event).to.deep.include({ event_type: 'sms_unsubscribed' });
        expect(event.properties.message_id).to.equal(message.id);
        expect(await shop.fate(template, ADA)).to.deep.equal(['skipped', 'unsubscribed']);
        await reply('UNSTOP');
        expect((await consent()).status).to.equal('subscribed');
        await reply(' Stop! ', { MessageSid });
        expect((await consent()).status).to.equal('subscribed');
        await reply('Arrêt.');
        await reply('stop');
        expect((await consent()).status).to.equal('unsubscribed');
        expect(await types()).to.deep.equal(['sms_unsubscribed', 'sms_unsubscribed']);
        expect(await counts()).to.include({ unsubscribed_count: 3, subscribed_count: 1, unmatched_count: 0 });
      });

      it('believes what Twilio has found out itself', async () => {
        await reply('Genug', { OptOutType: 'STOP' });
        expect((await consent()).status).to.equal('unsubscribed');
      });

      it('takes START for no consent, counts HELP, and tells of all else as an event', async () => {
        await shop.ended(await send());
        const stranger = '+4930901825';
        const id = await shop.customer(stranger, 'none');
        await reply('START', { From: stranger });
        expect((await consent(id)).status).to.equal('never');
        await reply('Help');
        await reply('Please stop by at eight');
        expect((await consent()).status).to.equal('subscribed');
        const [replied, ...others] = await events();
        expect(others).to.deep.equal([]);
        expect(replied).to.deep.include({ event_type: 'sms_replied' });
        expect(replied.properties.text).to.equal('Please stop by at eight');
        expect(await counts()).to.include({ help_count: 1, replied_count: 1, subscribed_count: 1 });
      });

      it('suppresses a number that no customer has, which never becomes one by itself', async () => {
        const stranger = '+4930901826';
        await reply('STOP', { From: stranger });
        await reply('What is this?', { From: '12345' });
        const { profiles } = (await shop.client.get<any>('/v1/profiles', { expect: 200 })).body;
        expect(profiles).to.have.length(1);
        expect(await counts()).to.include({ unsubscribed_count: 1, replied_count: 1, unmatched_count: 2 });
        await shop.customer(stranger);
        expect(await shop.fate(template, stranger)).to.deep.equal(['skipped', 'address_suppressed']);
        await reply('START', { From: stranger });
        expect(await shop.fate(template, stranger)).to.deep.equal(['sent', null]);
      });
    });
  });
});
