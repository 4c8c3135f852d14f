import { expect } from 'chai';
import { TestService } from '../support/service.ts';
import { Shop } from './support/shop.ts';

const ADA = 'ada@shop.example';

/** What the explanation of each reason says, and whether there is something to do. */
const ENDED: readonly [
  status: string,
  reason: string | null,
  response: string | null,
  says: string,
  isHopeless?: true,
][] = [
  ['skipped', 'profile_deleted', null, 'The customer was deleted', true],
  ['skipped', 'no_address', null, 'The customer has no e-mail address.'],
  ['skipped', 'no_consent', null, 'The customer has not subscribed to e-mail'],
  ['skipped', 'unsubscribed', null, 'The customer has unsubscribed from e-mail.'],
  ['skipped', 'suppressed', null, 'The store sends nothing to this customer.'],
  ['skipped', 'address_suppressed', null, 'Nothing is sent to this address, whoever has it'],
  ['skipped', 'too_many_messages', null, 'as much marketing as the store sends'],
  ['skipped', 'too_soon', null, 'had just had another marketing message'],
  ['skipped', 'missing_value', 'There is no data.code', '(“There is no data.code”)'],
  ['failed', 'template_too_slow', 'It took too long', 'It took too long to make'],
  ['failed', 'too_large', null, 'The message became too large.'],
  ['failed', 'render_failed', 'There is no such version', '(“There is no such version”)'],
  ['failed', 'sender_deleted', null, 'Its sender was deleted'],
  ['failed', 'recipient_refused', '550 Who?', 'does not take messages for this address (“550 Who?”)'],
  ['failed', 'message_refused', '554 Spam', 'does not take this message (“554 Spam”)'],
  ['failed', 'sender_refused', '535 5.7.8 No', 'takes nothing from this sender (“535 5.7.8 No”)'],
  ['failed', 'relay_unreachable', 'connection_refused', '(“connection refused”)'],
  ['bounced', 'no_mailbox', '550 5.1.1 No', 'The address does not exist (“550 5.1.1 No”).'],
  ['unknown', 'undecided', null, 'nobody knows whether it was sent'],
  ['expired', null, '450 Later', 'not to be sent so late any more (“450 Later”).'],
  ['cancelled', null, null, 'Somebody cancelled it', true],
  ['skipped', 'of_a_later_version', null, 'It was not sent: of a later version.', true],
];

describe('Why a message was not sent', () => {
  let service: TestService;
  let shop: Shop;
  let id: string;
  let sender: string;

  before(async () => {
    // What becomes of messages is what the test says.
    service = await TestService.start({ MESSAGE_CONCURRENCY: '0' });
  });
  beforeEach(async () => {
    shop = await Shop.open(service);
    await shop.customer(ADA);
    id = await shop.send(await shop.template(), ADA);
    sender = (await shop.message(id)).sender_id;
  });
  after(() => service.stop());

  const set = (table: string, row: string, values: string) =>
    shop.query(`update ${table} set ${values} where store_id = '${shop.storeId}' and id = '${row}'`);
  const text = (value: string | null) => (value === null ? 'null' : `'${value}'`);
  const become = (status: string, reason: string | null, response: string | null) =>
    set('message', id, `status = '${status}', reason = ${text(reason)}, response = ${text(response)}, due_at = null`);
  const whyNot = async () => (await shop.message(id)).why_not;
  /** The cause, of a message with an advice or without. */
  const advised = async () => {
    const { cause, advice } = await whyNot();
    expect(advice).to.be.a('string');
    return cause;
  };

  for (const [status, reason, response, says, isHopeless] of ENDED) {
    it(`is explained where it is ${status}: ${reason ?? 'by its status alone'}`, async () => {
      await become(status, reason, response);
      const { cause, explanation, advice } = await whyNot();
      expect(cause).to.equal(reason ?? status);
      expect(explanation)
        .to.include(says)
        .and.to.match(/^[A-Z].*\.$/);
      if (isHopeless) expect(advice).to.equal(null);
      else expect(advice).to.match(/^[A-Z].*\.$/);
    });
  }

  it('is not said of what was sent, or is about to be', async () => {
    expect(await whyNot()).to.equal(null);
    for (const status of ['claimed', 'sending', 'sent', 'complained']) {
      await become(status, null, '250 Ok');
      expect(await whyNot(), status).to.equal(null);
    }
  });

  it('is the same in lists', async () => {
    await become('skipped', 'no_consent', null);
    const one = await whyNot();
    const { messages } = (await shop.client.get<any>('/v1/messages', { expect: 200 })).body;
    expect(messages[0].why_not).to.deep.equal(one);
    const { profile_id: profile } = await shop.message(id);
    const ofProfile = (await shop.client.get<any>(`/v1/profiles/${profile}/messages`, { expect: 200 })).body;
    expect(ofProfile.messages[0].why_not).to.deep.equal(one);
  });

  it('names the number of a customer, and text messages, where it is one', async () => {
    await become('skipped', 'no_address', null);
    await set('message', id, "channel = 'sms'");
    expect((await whyNot()).explanation).to.equal(
      'The customer has no phone number in international form, which begins with +.',
    );
    await set('message', id, "reason = 'unsubscribed'");
    expect((await whyNot()).explanation).to.equal('The customer has unsubscribed from text messages.');
    await become('failed', 'sender_refused', '401 Who?');
    expect((await whyNot()).explanation).to.equal(
      'The endpoint or provider takes nothing from this sender (“401 Who?”).',
    );
  });

  describe('while it waits', () => {
    it('is that its time has not come', async () => {
      const later = await shop.send(await shop.template(), ADA, { send_at: '2035-01-01T08:00:00.000Z' });
      const expected = { cause: 'scheduled', explanation: 'Its time has not come yet.', advice: null };
      expect((await shop.message(later)).why_not).to.deep.equal(expected);
    });

    it('is what the relay answered, while it is tried again', async () => {
      await set('message', id, "attempt = 2, response = '450 4.2.1 Later', due_at = now() + interval '1 hour'");
      const { cause, explanation } = await whyNot();
      expect(cause).to.equal('retrying');
      expect(explanation).to.include('(“450 4.2.1 Later”)');
    });

    it('is that the sender was not checked, or which check does not hold', async () => {
      await set(
        'sender',
        sender,
        `kind = 'smtp', host = 'relay.example', port = 587, security = 'starttls', checks = null`,
      );
      expect(await advised()).to.equal('sender_not_checked');
      const checks = [
        { name: 'connection', ok: true, detail: 'It answers' },
        { name: 'spf', ok: false, detail: 'There is none' },
        { name: 'dkim', ok: false, detail: 'There is none' },
      ];
      await set('sender', sender, `checks = '${JSON.stringify(checks)}'`);
      expect(await advised()).to.equal('sender_check_failed');
      expect((await whyNot()).explanation).to.equal('The check spf of its sender does not hold.');
    });

    it('is that the sender rests, and until when', async () => {
      await set('sender', sender, "resting_until = '2035-01-01T08:05:00Z'");
      expect(await advised()).to.equal('sender_resting');
      expect((await whyNot()).explanation).to.include('rests until 2035-01-01 08:05 UTC');
      await set('sender', sender, "resting_until = now() - interval '1 second'");
      expect(await whyNot()).to.equal(null);
    });

    it('is that the sender has sent all that it may today', async () => {
      // Also where midnight comes between the two requests.
      await set('sender', sender, 'max_per_day = 10, sent_today = 10, day = current_date');
      const [first] = [await shop.message(id)];
      const [{ isStill }] = await shop.query(
        `select day = current_date as "isStill" from sender where store_id = '${shop.storeId}' and id = '${sender}'`,
      );
      if (isStill) expect(first.why_not.cause).to.equal('sender_daily_limit');
      await set('sender', sender, 'day = current_date - 1');
      expect(await whyNot()).to.equal(null);
    });

    it('is that others are sent before it, where it has been due for long', async () => {
      await set('message', id, "due_at = now() - interval '5 minutes'");
      expect(await advised()).to.equal('sender_busy');
    });

    it('is that the store is a restored copy, whatever else there is', async () => {
      await set('sender', sender, "resting_until = '2035-01-01T08:05:00Z'");
      await shop.query(`insert into automation_hold (store_id, held_at) values ('${shop.storeId}', now())`);
      expect(await advised()).to.equal('store_held');
    });

    it('is not said of one whose sender is deleted: it fails in a moment', async () => {
      await set('sender', sender, "deleted_at = now(), resting_until = '2035-01-01T08:05:00Z'");
      expect(await whyNot()).to.equal(null);
    });
  });
});
