import { randomUUID } from 'node:crypto';
import * as net from 'node:net';
import { expect } from 'chai';
import { TestService } from '../support/service.ts';
import { Hooks, SECRET } from './support/hooks.ts';

const BASIC = { Authorization: `Basic ${Buffer.from(`postfix:${SECRET}`).toString('base64')}` };
const MAIL = { ...BASIC, 'Content-Type': 'message/rfc822' };

interface Recipient {
  action?: string;
  status?: string;
  diagnostic?: string;
}

/** A report as Postfix makes it. */
function report(messageId: string, recipients: readonly Recipient[] = [{}], more: readonly string[] = []): string {
  const blocks = recipients.map(
    ({ action = 'failed', status = '5.1.1', diagnostic = `550 ${status} No such user` }) => [
      'Final-Recipient: rfc822; ada@shop.example',
      'Original-Recipient: rfc822;ada@shop.example',
      `Action: ${action}`,
      `Status: ${status}`,
      'Remote-MTA: dns; mx.shop.example',
      `Diagnostic-Code: smtp; ${diagnostic}`,
      '',
    ],
  );
  return [
    'Return-Path: <>',
    `Message-ID: <${randomUUID()}@relay.example>`,
    'Date: Fri, 20 Nov 2026 09:41:52 +0000 (UTC)',
    'From: MAILER-DAEMON@relay.example (Mail Delivery System)',
    'Subject: Undelivered Mail Returned to Sender',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status;',
    ' boundary="9B0F.1/relay.example"',
    '',
    'This is a MIME-encapsulated message.',
    '',
    '--9B0F.1/relay.example',
    'Content-Description: Notification',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'I am sorry to have to inform you.',
    '',
    ...more,
    '--9B0F.1/relay.example',
    'Content-Description: Delivery report',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; relay.example',
    'Arrival-Date: Fri, 20 Nov 2026 09:41:50 +0000 (UTC)',
    '',
    ...blocks.flat(),
    '--9B0F.1/relay.example',
    'Content-Description: Undelivered Message',
    'Content-Type: message/rfc822',
    '',
    'From: Shop <hello@shop.example>',
    'Subject: Hello',
    `Message-ID:`,
    ` <${messageId}@shop.example>`,
    '',
    'Hello',
    '',
    '--9B0F.1/relay.example--',
    '',
  ].join('\r\n');
}

describe('A report of a server of mail', () => {
  let service: TestService;
  let hooks: Hooks;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    hooks = await Hooks.open(service, { provider: null, secret: SECRET });
  });
  after(() => service.stop());

  it('makes a message bounce, by the Message-ID of what came back', async () => {
    const { id, to } = await hooks.sent();
    const { status, body } = await hooks.post('dsn', report(id), MAIL);
    expect([status, body]).to.deep.equal([200, { recorded: 1, repeated: 0, unmatched: 0 }]);
    const message = await hooks.shop.message(id);
    expect(message).to.include({ status: 'bounced', reason: 'no_mailbox', response: '550 5.1.1 No such user' });
    expect(message.bounced_at).to.equal('2026-11-20T09:41:52.000Z');
    expect(await hooks.suppressed(to)).to.deep.equal([['hard_bounce', true]]);
  });

  it('is taken with a bearer, without a media type, and with lines that end as on Unix', async () => {
    const { id } = await hooks.sent();
    const sent = Buffer.from(report(id).replaceAll('\r\n', '\n'));
    const { status } = await hooks.post('dsn', sent, { Authorization: `Bearer ${SECRET}` });
    expect(status).to.equal(200);
    expect((await hooks.shop.message(id)).status).to.equal('bounced');
  });

  it('may say what no text of a database can have', async () => {
    const { id } = await hooks.sent();
    const sent = report(id, [{ diagnostic: '550 5.1.1 No such\0user' }]);
    expect((await hooks.post('dsn', sent, MAIL)).status).to.equal(200);
    expect((await hooks.shop.message(id)).response).to.equal('550 5.1.1 No such user');
  });

  it('counts each, where they have no Message-ID', async () => {
    const [one, other] = [await hooks.sent(), await hooks.sent()];
    for (const { id } of [one, other]) {
      await hooks.post('dsn', report(id).replace(/^Message-ID: <[^>]*@relay.example>/m, 'Message-ID: '), MAIL);
      expect((await hooks.shop.message(id)).status).to.equal('bounced');
    }
  });

  it('counts once, on whichever ways it comes', async () => {
    const { id } = await hooks.sent();
    const sent = report(id);
    await hooks.post('dsn', sent, MAIL);
    const { body } = await hooks.post('dsn', `Received: from elsewhere\r\n${sent}`, MAIL);
    expect(body).to.deep.equal({ recorded: 0, repeated: 1, unmatched: 0 });
  });

  it('says of a delay nothing but that, and of a full mailbox no more than it means', async () => {
    const [one, other] = [await hooks.sent(), await hooks.sent()];
    await hooks.post('dsn', report(one.id, [{ action: 'delayed', status: '4.4.1' }]), MAIL);
    expect((await hooks.shop.message(one.id)).status).to.equal('sent');
    await hooks.post('dsn', report(other.id, [{ status: '5.2.2', diagnostic: '552 5.2.2 Full' }]), MAIL);
    expect(await hooks.shop.message(other.id)).to.include({ status: 'failed', reason: 'recipient_refused' });
    expect(await hooks.suppressed(other.to)).to.deep.equal([]);
  });

  it('goes by the code of the other server, where its own says nothing', async () => {
    const { id } = await hooks.sent();
    await hooks.post('dsn', report(id, [{ status: '5.0.0', diagnostic: '550 5.7.26 Not authenticated' }]), MAIL);
    expect(await hooks.shop.message(id)).to.include({ status: 'failed', reason: 'sender_refused' });
  });

  it('finds the message by the envelope, and in a part that is encoded', async () => {
    const [one, other] = [await hooks.sent(), await hooks.sent()];
    const byEnvelope = report(randomUUID()).replace(
      'Reporting-MTA:',
      `Original-Envelope-Id: ${one.id}\r\nReporting-MTA:`,
    );
    await hooks.post('dsn', byEnvelope, MAIL);
    expect((await hooks.shop.message(one.id)).status).to.equal('bounced');
    const status = Buffer.from('Reporting-MTA: dns; a\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\n').toString('base64');
    const encoded = report(other.id).replace(
      /Content-Type: message\/delivery-status\r\n[\s\S]*?(?=--9B0F)/,
      `Content-Type: message/delivery-status\r\nContent-Transfer-Encoding: base64\r\n\r\n${status}\r\n`,
    );
    await hooks.post('dsn', encoded, MAIL);
    expect((await hooks.shop.message(other.id)).status).to.equal('bounced');
  });

  it('may be a complaint', async () => {
    const { id, to } = await hooks.sent();
    const complaint = report(id)
      .replace('message/delivery-status', 'message/feedback-report')
      .replace('Reporting-MTA: dns; relay.example', 'Feedback-Type: abuse\r\nUser-Agent: Yahoo!-Mail-Feedback/2.0');
    expect((await hooks.post('dsn', complaint, MAIL)).status).to.equal(200);
    expect((await hooks.shop.message(id)).status).to.equal('complained');
    expect(await hooks.suppressed(to)).to.deep.equal([['complaint', true]]);
  });

  it('may have 50 parts and 50 recipients', async () => {
    const { id } = await hooks.sent();
    const part = ['--9B0F.1/relay.example', 'Content-Type: text/plain', '', 'More', ''];
    const sent = report(
      id,
      Array.from({ length: 50 }, () => ({})),
      Array.from({ length: 47 }, () => part).flat(),
    );
    const { status, body } = await hooks.post('dsn', sent, MAIL);
    expect([status, body]).to.deep.equal([200, { recorded: 50, repeated: 0, unmatched: 0 }]);
    expect((await hooks.shop.message(id)).status).to.equal('bounced');
  });

  it('of another message, or of none, changes nothing', async () => {
    expect((await hooks.post('dsn', report(randomUUID()), MAIL)).body).to.include({ recorded: 0, unmatched: 1 });
    const anonymous = report(randomUUID()).replace(/Message-ID:\r\n [^\r]*\r\n/, '');
    expect((await hooks.post('dsn', anonymous, MAIL)).body).to.include({ recorded: 0, unmatched: 1 });
  });

  it('without a recipient is refused, and so is what is no report', async () => {
    const { id } = await hooks.sent();
    const refused = async (sent: string | Buffer) => (await hooks.post('dsn', sent, MAIL)).status;
    expect(await refused(report(id, []))).to.equal(400);
    expect(await refused('Subject: Hello\r\n\r\nHello')).to.equal(400);
    expect(await refused(Buffer.from([0, 255, 10, 13, 0]))).to.equal(400);
    expect(await refused('x'.repeat(1024 * 1024))).to.equal(400);
    expect(await refused('x'.repeat(1024 * 1024 + 1))).to.equal(400);
  });

  it('that is cut off anywhere is refused or taken, and never fails', async function () {
    this.timeout(60_000);
    const { id } = await hooks.sent();
    const sent = report(id);
    for (let end = 1; end < sent.length; end += 61) {
      const { status } = await hooks.post('dsn', sent.slice(0, end), MAIL);
      expect([200, 400], `of ${end} bytes`).to.include(status);
    }
  });

  it('with a part of nothing but spaces takes no longer than another', async () => {
    const { id } = await hooks.sent();
    const part = ['--9B0F.1/relay.example', 'Content-Transfer-Encoding: quoted-printable', '', ' '.repeat(900_000), ''];
    expect((await hooks.post('dsn', report(id, [{}], part), MAIL)).status).to.equal(200);
    expect((await hooks.shop.message(id)).status).to.equal('bounced');
  });

  it('whose parts lie in one another without end is bounded', async () => {
    const { id } = await hooks.sent();
    const open = (i: number) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`;
    const deep = Array.from({ length: 5_000 }, (_, i) => open(i)).join('');
    expect((await hooks.post('dsn', deep, MAIL)).status).to.equal(400);
    const boundaries = `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n'.repeat(180_000)}`;
    expect((await hooks.post('dsn', boundaries, MAIL)).status).to.equal(400);
    expect((await hooks.post('dsn', report(id), MAIL)).status).to.equal(200);
  });

  it('is refused without the secret, and with another one', async () => {
    const { id } = await hooks.sent();
    const refused = async (headers: Record<string, string>) => {
      const { status, body } = await hooks.post('dsn', report(id), headers);
      return [status, body.error?.code];
    };
    for (const Authorization of ['', 'Basic', 'Basic x', `Bearer ${SECRET}x`, 'Digest a', `Basic ${btoa('a:b')}`]) {
      expect(await refused({ Authorization }), Authorization).to.deep.equal([401, 'unauthorized']);
    }
    await hooks.configure({ provider: null, secret: null });
    expect(await refused(MAIL)).to.deep.equal([401, 'unauthorized']);
    expect((await hooks.shop.message(id)).status).to.equal('sent');
  });

  it('of which the connection ends half-way records nothing', async () => {
    const { id } = await hooks.sent();
    const { pathname } = new URL((await hooks.counts()).dsn_url);
    const { hostname, port } = new URL(service.url);
    const socket = net.connect(Number(port), hostname);
    const sent = report(id);
    const head = `POST ${pathname} HTTP/1.1\r\nHost: a\r\nAuthorization: ${BASIC.Authorization}\r\nContent-Length: 9000\r\n\r\n`;
    await new Promise<void>((resolve) => {
      socket.on('close', () => resolve());
      socket.on('error', () => {});
      socket.write(head + sent, () => socket.destroy());
    });
    expect((await hooks.shop.message(id)).status).to.equal('sent');
    expect(await hooks.counts()).to.include({ bounced_count: 0 });
  });
});
