import { execFileSync } from 'node:child_process';
import { createHmac, createSign, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { needPrograms } from '../support/need-programs.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { Hooks, SECRET, signed } from './support/hooks.ts';
import { header } from './support/shop.ts';

const HOUR_MS = 3_600_000;
const TYPE = { 'Content-Type': 'application/json' };
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:mail';
const CERTIFICATE = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem';
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const SENDGRID_KEY = ec.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
const MAILGUN_KEY = 'key-0123456789abcdef';
const RESEND_KEY = `whsec_${randomBytes(24).toString('base64')}`;

/** A self-signed certificate of RSA, and its key. */
function certificate(): { key: string; pem: string } {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-test-'));
  try {
    const [key, pem] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=sns.amazonaws.com', '-days', '2', '-keyout', key, '-out', pem];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject], { stdio: 'ignore' });
    return { key: readFileSync(key, 'utf8'), pem: readFileSync(pem, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('The hooks of', () => {
  let service: TestService;
  let hooks: Hooks;
  let amazon: { key: string; pem: string };
  let fetched: string[] = [];
  const slow = Promise.withResolvers<void>();

  before(async function () {
    needPrograms(this, 'openssl');
    amazon = certificate();
    const fetchText = async (url: string) => {
      fetched.push(url);
      if (url.includes('bad')) throw new Error('404');
      if (url.includes('slow')) await slow.promise;
      return url.endsWith('.pem') ? amazon.pem : '<ConfirmSubscriptionResponse/>';
    };
    service = await TestService.start({}, undefined, { fetchText });
  });
  beforeEach(() => {
    fetched = [];
  });
  after(() => service?.stop());

  /** What a mail says so that its provider knows it. */
  async function headerOf(id: string, name: string): Promise<string> {
    return header(await hooks.shop.content(id), name) ?? '';
  }

  async function told(body: string, headers: Record<string, string>): Promise<any> {
    const { status, body: answer } = await hooks.post('events', body, { ...TYPE, ...headers });
    expect(status, JSON.stringify(answer)).to.equal(200);
    return answer;
  }

  async function refused(body: string, headers: Record<string, string>): Promise<number> {
    return (await hooks.post('events', body, { ...TYPE, ...headers })).status;
  }

  async function state(id: string): Promise<[string, string | null]> {
    const { status, reason } = await hooks.shop.message(id);
    return [status, reason];
  }

  it('none are expected of a mail whose sender names no provider', async () => {
    hooks = await Hooks.open(service);
    const { headers } = await hooks.shop.content((await hooks.sent()).id);
    const names = headers.map(({ name }: any) => name).join(' ');
    expect(names).not.to.match(/X-SES|X-PM|SMTPAPI|Mailgun|Footfall/i);
  });

  describe('SendGrid', () => {
    beforeEach(async () => {
      hooks = await Hooks.open(service, { provider: 'sendgrid', key: SENDGRID_KEY });
    });

    function signedEvents(events: unknown, at = Date.now(), key = ec.privateKey): [string, Record<string, string>] {
      const body = JSON.stringify(events);
      const timestamp = String(Math.floor(at / 1000));
      const signature = sign('sha256', Buffer.from(timestamp + body), key).toString('base64');
      const name = 'X-Twilio-Email-Event-Webhook';
      return [body, { [`${name}-Signature`]: signature, [`${name}-Timestamp`]: timestamp }];
    }
    const event = (of: object) => ({
      email: 'ada@shop.example',
      timestamp: Math.floor(Date.now() / 1000) - 1,
      sg_event_id: randomUUID(),
      sg_message_id: '14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0',
      ...of,
    });

    it('tell many things at once, of messages that their arguments name', async () => {
      const [arrived, gone, blocked, complained, late] = await Promise.all([
        hooks.sent(),
        hooks.sent(),
        hooks.sent(),
        hooks.sent(),
        hooks.sent(),
      ]);
      const argument = async ({ id }: { id: string }) => JSON.parse(await headerOf(id, 'X-SMTPAPI')).unique_args;
      const events = [
        event({ event: 'processed', ...(await argument(arrived)) }),
        event({ event: 'delivered', response: '250 OK', ...(await argument(arrived)) }),
        event({
          ...{ event: 'bounce', type: 'bounce', status: '5.0.0', reason: '550 5.1.1 The email account does not exist' },
          'smtp-id': `<${gone.id}@outbox.test>`,
        }),
        event({
          ...{ event: 'bounce', type: 'blocked', status: '5.7.1', reason: '550 5.7.1 Blocked' },
          ...(await argument(blocked)),
        }),
        event({ event: 'spamreport', ...(await argument(complained)) }),
        event({ event: 'deferred', response: '400 try again later', attempt: '5', ...(await argument(late)) }),
        event({ event: 'click', url: 'https://shop.example', ...(await argument(arrived)) }),
      ];
      expect(await told(...signedEvents(events))).to.deep.equal({ recorded: 5, repeated: 0, unmatched: 0 });
      expect(await told(...signedEvents(events))).to.deep.equal({ recorded: 0, repeated: 5, unmatched: 0 });
      expect(await state(arrived.id)).to.deep.equal(['delivered', null]);
      expect(await state(gone.id)).to.deep.equal(['bounced', 'no_mailbox']);
      expect(await state(blocked.id)).to.deep.equal(['failed', 'sender_refused']);
      expect(await state(complained.id)).to.deep.equal(['complained', null]);
      expect(await state(late.id)).to.deep.equal(['sent', null]);
    });

    it('are taken as long as they are repeated, with the signature that they had', async () => {
      const { id } = await hooks.sent();
      const events = [event({ event: 'delivered', 'footfall-message': id })];
      expect(await told(...signedEvents(events, Date.now() - 24 * HOUR_MS))).to.include({ recorded: 1 });
    });

    it('are refused with another signature, an old one, and before there is a key', async () => {
      const { id } = await hooks.sent();
      const events = [event({ event: 'delivered', 'footfall-message': id })];
      const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      expect(await refused(...signedEvents(events, Date.now(), stranger.privateKey))).to.equal(401);
      expect(await refused(...signedEvents(events, Date.now() - 26 * HOUR_MS))).to.equal(401);
      const [body, headers] = signedEvents(events);
      expect(await refused(`${body} `, headers)).to.equal(401);
      expect(await refused(body, {})).to.equal(401);
      expect(await refused(body, { ...headers, 'X-Twilio-Email-Event-Webhook-Signature': 'eA==' })).to.equal(401);
      expect(await refused(...signedEvents({ event: 'delivered' }))).to.equal(400);
      await hooks.configure({ provider: 'sendgrid', key: null });
      expect(await refused(body, headers)).to.equal(401);
      expect(await state(id)).to.deep.equal(['sent', null]);
    });
  });

  describe('Mailgun', () => {
    beforeEach(async () => {
      hooks = await Hooks.open(service, { provider: 'mailgun', key: MAILGUN_KEY });
    });

    function signature(at = Date.now(), token = randomBytes(25).toString('hex'), key = MAILGUN_KEY) {
      const timestamp = String(Math.floor(at / 1000));
      return {
        timestamp,
        token,
        signature: createHmac('sha256', key)
          .update(timestamp + token)
          .digest('hex'),
      };
    }
    const event = (of: object) => ({
      id: randomBytes(11).toString('base64url'),
      timestamp: Date.now() / 1000 - 1,
      ...of,
    });
    const body = (data: object, by = signature()) => JSON.stringify({ signature: by, 'event-data': data });

    it('tell of messages that their variables or headers name', async () => {
      const [arrived, gone, full, late] = await Promise.all([hooks.sent(), hooks.sent(), hooks.sent(), hooks.sent()]);
      const variables = async ({ id }: { id: string }) => {
        return { 'user-variables': JSON.parse(await headerOf(id, 'X-Mailgun-Variables')) };
      };
      await told(body(event({ event: 'delivered', ...(await variables(arrived)) })), {});
      const failed = { event: 'failed', severity: 'permanent', reason: 'bounce' };
      const gonePart = { message: { headers: { 'message-id': `${gone.id}@outbox.test` } } };
      const status = { code: 550, message: '5.1.1 The email account that you tried to reach does not exist' };
      await told(body(event({ ...failed, ...gonePart, 'delivery-status': status })), {});
      const isFull = { 'delivery-status': { code: 552, 'enhanced-code': '5.2.2', message: 'Mailbox full' } };
      await told(body(event({ ...failed, ...(await variables(full)), ...isFull })), {});
      await told(body(event({ event: 'failed', severity: 'temporary', ...(await variables(late)) })), {});
      expect(await state(arrived.id)).to.deep.equal(['delivered', null]);
      expect(await state(gone.id)).to.deep.equal(['bounced', 'no_mailbox']);
      expect(await state(full.id)).to.deep.equal(['failed', 'recipient_refused']);
      expect(await state(late.id)).to.deep.equal(['sent', null]);
    });

    it('are taken once more with the same token, and refused with it for anything else', async () => {
      const { id } = await hooks.sent();
      const by = signature();
      const delivered = event({ event: 'delivered', 'user-variables': { 'footfall-message': id } });
      expect(await told(body(delivered, by), {})).to.include({ recorded: 1 });
      expect(await told(body(delivered, by), {})).to.include({ recorded: 0, repeated: 1 });
      const forged = event({ event: 'complained', 'user-variables': { 'footfall-message': id } });
      expect(await refused(body(forged, by), {})).to.equal(401);
      expect(await state(id)).to.deep.equal(['delivered', null]);
    });

    it('keep their token also where they tell nothing that is recorded', async () => {
      const { id } = await hooks.sent();
      const by = signature();
      const opened = event({ event: 'opened', 'user-variables': { 'footfall-message': id } });
      for (let i = 0; i < 2; i += 1) expect(await told(body(opened, by), {})).to.include({ recorded: 0 });
      const forged = event({ event: 'complained', 'user-variables': { 'footfall-message': id } });
      expect(await refused(body(forged, by), {})).to.equal(401);
      expect(await state(id)).to.deep.equal(['sent', null]);
    });

    it('are taken as long as they are repeated, with the signature that they had', async () => {
      const { id } = await hooks.sent();
      const data = event({ event: 'delivered', 'user-variables': { 'footfall-message': id } });
      expect(await told(body(data, signature(Date.now() - 8 * HOUR_MS)), {})).to.include({ recorded: 1 });
    });

    it('are refused with another signature, an old one, and none', async () => {
      const data = event({ event: 'delivered' });
      expect(await refused(body(data, signature(Date.now(), 'token', 'another-key')), {})).to.equal(401);
      expect(await refused(body(data, signature(Date.now() - 10 * HOUR_MS)), {})).to.equal(401);
      expect(await refused(JSON.stringify({ 'event-data': data }), {})).to.equal(401);
      expect(await refused('x', {})).to.equal(400);
    });
  });

  describe('Postmark', () => {
    const basic = (password: string) => ({ Authorization: `Basic ${btoa(`hook:${password}`)}` });

    beforeEach(async () => {
      hooks = await Hooks.open(service, { provider: 'postmark', secret: SECRET });
    });

    it('tell of messages by their metadata', async () => {
      const [arrived, gone, complained, left] = await Promise.all([
        hooks.sent(),
        hooks.sent(),
        hooks.sent(),
        hooks.sent(),
      ]);
      const of = async ({ id }: { id: string }) => ({
        MessageID: randomUUID(),
        MessageStream: 'broadcast',
        Metadata: { 'footfall-message': await headerOf(id, 'X-PM-Metadata-footfall-message') },
      });
      const delivery = { RecordType: 'Delivery', DeliveredAt: '2026-11-20T16:33:54.9070259Z', Details: '250 OK' };
      await told(JSON.stringify({ ...delivery, ...(await of(arrived)) }), basic(SECRET));
      const bounce = {
        RecordType: 'Bounce',
        ID: 42,
        Type: 'HardBounce',
        TypeCode: 1,
        BouncedAt: '2026-11-20T16:33:54Z',
      };
      const details = { Details: 'smtp;550 5.1.1 The email account does not exist.' };
      const record = JSON.stringify({ ...bounce, ...details, ...(await of(gone)) });
      expect(await told(record, basic(SECRET))).to.include({ recorded: 1 });
      expect(await told(record, basic(SECRET))).to.include({ repeated: 1 });
      const spam = { RecordType: 'SpamComplaint', ID: 43, Type: 'SpamComplaint', TypeCode: 512 };
      await told(JSON.stringify({ ...spam, ...(await of(complained)) }), basic(SECRET));
      const change = { RecordType: 'SubscriptionChange', ChangedAt: '2026-11-20T10:53:34Z', SuppressSending: true };
      const byReader = { Origin: 'Recipient', SuppressionReason: 'ManualSuppression' };
      await told(JSON.stringify({ ...change, ...byReader, ...(await of(left)) }), basic(SECRET));
      await told(JSON.stringify({ RecordType: 'Open', ...(await of(left)) }), basic(SECRET));
      expect((await hooks.shop.message(arrived.id)).delivered_at).to.equal('2026-11-20T16:33:54.907Z');
      expect(await state(gone.id)).to.deep.equal(['bounced', 'no_mailbox']);
      expect(await state(complained.id)).to.deep.equal(['complained', null]);
      expect((await hooks.consent(left.customer)).status).to.equal('unsubscribed');
    });

    it('are refused with another password, and without one', async () => {
      const record = JSON.stringify({ RecordType: 'Delivery' });
      expect(await refused(record, basic(`${SECRET}x`))).to.equal(401);
      expect(await refused(record, {})).to.equal(401);
    });
  });

  describe('Resend', () => {
    beforeEach(async () => {
      hooks = await Hooks.open(service, { provider: 'resend', key: RESEND_KEY });
    });

    const svix = (body: string, key = RESEND_KEY, at = Date.now()) =>
      Object.fromEntries(
        Object.entries(signed(body, key, at)).map(([name, value]) => [name.replace('webhook', 'svix'), value]),
      );

    it('tell of messages by a header of theirs', async () => {
      const [arrived, gone] = [await hooks.sent(), await hooks.sent()];
      const of = async (type: string, { id }: { id: string }, more: object = {}) => {
        const headers = [{ name: 'X-Footfall-Message', value: await headerOf(id, 'X-Footfall-Message') }];
        const data = { email_id: randomUUID(), to: ['ada@shop.example'], headers, ...more };
        return JSON.stringify({ type, created_at: new Date().toISOString(), data });
      };
      const delivered = await of('email.delivered', arrived);
      await told(delivered, svix(delivered));
      const bounce = { message: 'The recipient does not exist', type: 'Permanent', subType: 'General' };
      const bounced = await of('email.bounced', gone, { bounce });
      await told(bounced, svix(bounced));
      expect(await state(arrived.id)).to.deep.equal(['delivered', null]);
      expect(await state(gone.id)).to.deep.equal(['bounced', 'no_mailbox']);
    });

    it('are refused with another signature, and an old one', async () => {
      const body = JSON.stringify({ type: 'email.delivered', data: {} });
      expect(await refused(body, svix(body, `whsec_${randomBytes(24).toString('base64')}`))).to.equal(401);
      expect(await refused(body, svix(body, RESEND_KEY, Date.now() - 301_000))).to.equal(401);
      expect(await refused(body, {})).to.equal(401);
    });
  });

  describe('Amazon SES', () => {
    beforeEach(async () => {
      hooks = await Hooks.open(service, { provider: 'ses', key: TOPIC });
    });

    const FIELDS: Record<string, string[]> = {
      Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
      SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
    };
    /** What SNS sends, signed. */
    function notification(message: unknown, of: Record<string, string> = {}, version = '2', key = amazon.key): string {
      const fields: Record<string, string> = {
        Type: 'Notification',
        MessageId: randomUUID(),
        TopicArn: TOPIC,
        Message: typeof message === 'string' ? message : JSON.stringify(message),
        Timestamp: new Date().toISOString(),
        SigningCertURL: CERTIFICATE,
        ...of,
      };
      const names = FIELDS[fields.Type as string] as string[];
      const text = names.flatMap((name) => (fields[name] === undefined ? [] : [`${name}\n${fields[name]}\n`])).join('');
      const Signature = createSign(version === '1' ? 'sha1' : 'sha256')
        .update(text)
        .sign(key, 'base64');
      return JSON.stringify({ ...fields, SignatureVersion: version, Signature });
    }
    const SNS = { 'Content-Type': 'text/plain; charset=UTF-8' };

    it('tell of messages by their tags, or by headers that they had', async () => {
      const [arrived, gone, unknown, complained] = await Promise.all([
        hooks.sent(),
        hooks.sent(),
        hooks.sent(),
        hooks.sent(),
      ]);
      const tag = (await headerOf(arrived.id, 'X-SES-MESSAGE-TAGS')).split('=');
      expect(tag).to.deep.equal(['footfall-message', arrived.id]);
      const timestamp = '2026-11-20T16:34:00.000Z';
      const delivery = {
        eventType: 'Delivery',
        mail: { messageId: 'EXAMPLE7c191be45', tags: { 'footfall-message': [tag[1]] } },
        delivery: { timestamp, recipients: ['ada@shop.example'], smtpResponse: '250 2.6.0 Message received' },
      };
      await told(notification(delivery), SNS);
      const bounceOf = (id: string, bounceType: string, status: string, feedbackId: string) => ({
        notificationType: 'Bounce',
        mail: { messageId: '0', headers: [{ name: 'Message-ID', value: `<${id}@outbox.test>` }] },
        bounce: {
          ...{ bounceType, bounceSubType: 'General', feedbackId, timestamp },
          bouncedRecipients: [
            { emailAddress: 'a@b.c', action: 'failed', status, diagnosticCode: `smtp; 550 ${status} no` },
          ],
        },
      });
      const bounce = bounceOf(gone.id, 'Permanent', '5.1.1', 'f-1');
      await told(notification(bounce, {}, '1'), SNS);
      expect(await told(notification(bounce), SNS)).to.include({ repeated: 1 });
      await told(notification(bounceOf(unknown.id, 'Transient', '5.4.4', 'f-2')), SNS);
      const complaint = {
        notificationType: 'Complaint',
        mail: { messageId: '0', commonHeaders: { messageId: `<${complained.id}@outbox.test>` } },
        complaint: { feedbackId: 'f-3', timestamp, complainedRecipients: [{ emailAddress: 'a@b.c' }] },
      };
      await told(notification(complaint), SNS);
      await told(notification('Successfully validated SNS topic for Amazon SES event publishing.'), SNS);
      expect((await hooks.shop.message(arrived.id)).delivered_at).to.equal(timestamp);
      expect(await state(gone.id)).to.deep.equal(['bounced', 'no_mailbox']);
      expect(await state(unknown.id)).to.deep.equal(['bounced', 'no_mailbox']);
      expect(await state(complained.id)).to.deep.equal(['complained', null]);
      // It is fetched once a day.
      expect(fetched.length).to.be.at.most(1);
    });

    it('confirm a subscription, at Amazon and nowhere else', async () => {
      const url = `https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=2336412f37`;
      const of = { Type: 'SubscriptionConfirmation', Token: '2336412f37', SubscribeURL: url };
      await told(notification('You have chosen to subscribe', of), SNS);
      expect(fetched).to.include(url);
      const elsewhere = notification('You have chosen', { ...of, SubscribeURL: 'https://shop.example/' });
      expect(await refused(elsewhere, SNS)).to.equal(401);
      expect(fetched.filter((one) => one.includes('shop.example'))).to.deep.equal([]);
    });

    it('are refused before anything is fetched for a certificate from elsewhere', async () => {
      const path = '/SimpleNotificationService-0123456789abcdef.pem';
      const foreign = [
        `https://sns.eu-west-1.amazonaws.com.shop.example${path}`,
        `https://shop.example${path}`,
        `http://sns.eu-west-1.amazonaws.com${path}`,
        `https://sns.eu-west-1.amazonaws.com:8443${path}`,
        `https://a@sns.eu-west-1.amazonaws.com${path}`,
        `https://sns.us-east-1.amazonaws.com${path}`,
        `https://s3.eu-west-1.amazonaws.com${path}`,
        'https://sns.eu-west-1.amazonaws.com/other.pem',
        `https://sns.eu-west-1.amazonaws.com/bucket${path}`,
        `https://127.0.0.1${path}`,
        'x',
      ];
      for (const SigningCertURL of foreign) {
        expect(await refused(notification({}, { SigningCertURL }), SNS), SigningCertURL).to.equal(401);
      }
      expect(fetched).to.deep.equal([]);
    });

    it('of one store that name what is not there, or is slow, cost another nothing', async () => {
      const at = (name: string) => ({
        SigningCertURL: `https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-${name}.pem`,
      });
      const [bad, other] = [hooks, await Hooks.open(service, { provider: 'ses', key: TOPIC })];
      const post = async (of: Hooks, name: string) => {
        return (await of.post('events', notification('Successfully validated', at(name)), { ...TYPE, ...SNS })).status;
      };
      expect([await post(bad, 'bad1'), await post(bad, 'bad1')]).to.deep.equal([502, 502]);
      // What it could not have is not asked for again at once.
      expect(fetched).to.have.length(1);
      const waiting = [post(bad, 'slow'), post(bad, 'slow')];
      await until(() => fetched.some((url) => url.includes('slow')), 'it is fetched');
      expect(await post(bad, 'new1')).to.equal(502);
      expect(await post(other, 'new1')).to.equal(200);
      slow.resolve();
      expect(await Promise.all(waiting)).to.deep.equal([200, 200]);
      expect(fetched.filter((url) => url.includes('slow'))).to.have.length(1);
    });

    it('are refused of another topic, with another signature, after two hours, and changed', async () => {
      const stranger = certificate();
      expect(await refused(notification({}, { TopicArn: `${TOPIC}2` }), SNS)).to.equal(401);
      expect(await refused(notification({}, {}, '2', stranger.key), SNS)).to.equal(401);
      const old = new Date(Date.now() - 7_201_000).toISOString();
      expect(await refused(notification({}, { Timestamp: old }), SNS)).to.equal(401);
      const changed = { ...JSON.parse(notification({})), Message: '{"notificationType":"Bounce"}' };
      expect(await refused(JSON.stringify(changed), SNS)).to.equal(401);
      expect(await refused('{}', SNS)).to.equal(401);
      expect(await refused('x', SNS)).to.equal(400);
    });
  });

  it('a provider are known by a key in the form of its own', async () => {
    hooks = await Hooks.open(service, { provider: 'ses', key: TOPIC });
    expect(await hooks.counts()).to.include({ provider: 'ses', key_set: true, secret_set: false });
    for (const [provider, key] of [
      ['ses', 'arn:aws:s3:::bucket-of-mails'],
      ['sendgrid', 'a-key-of-another-form'],
      ['resend', 'not-a-secret-of-resend'],
      ['postmark', 'a-key-that-it-has-not'],
      ['generic', 'a-key-that-it-has-not'],
      [null, 'a-key-of-nobody-at-all'],
    ]) {
      const { error } = await hooks.configure({ provider, key }, 400);
      expect(error.field, String(provider)).to.equal('key');
    }
    // A key belongs to one provider.
    await hooks.configure({ provider: 'mailgun' });
    expect(await hooks.counts()).to.include({ provider: 'mailgun', key_set: false });
  });
});
