import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import DKIM from 'nodemailer/lib/dkim';
import { mailSigner, type SignMail } from '../../src/domain/messages/dkim.ts';
import { buildMail, type Mail } from '../../src/domain/messages/mime.ts';
import { keyOfText, Secrets, Unopenable } from '../../src/domain/secrets/secrets.ts';
import { dkimRecord, placeOfDkimKey } from '../../src/domain/senders/dkim-keys.ts';
import type { Sender } from '../../src/domain/senders/sender.ts';
import { verifyDkim } from './support/verify-dkim.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const RECORD = dkimRecord(publicKey.export({ format: 'der', type: 'spki' }).toString('base64'));
const SECRETS = new Secrets([keyOfText('a key of the operator, long enough')]);
const [STORE, ID] = [randomUUID(), randomUUID()];
const MAIL: Mail = {
  from: { name: 'Café Löwe', email: 'hello@shop.example' },
  to: 'ada@example.com',
  replyTo: null,
  subject: 'Ihre Bestellung ist da – und noch etwas, das länger ist als eine Zeile es sein soll',
  html: '<p>Hello  Ada </p>\n\n\n',
  text: '',
  headers: [
    ['List-Unsubscribe', `<https://mail.shop.example/m/u/${'x'.repeat(88)}>`],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ],
  messageId: `${ID}@shop.example`,
  date: new Date(0),
};

/** As a sender has it whose key this is. */
function signer(secrets = SECRETS): SignMail {
  const sender = { id: ID, fromEmail: 'hello@Shop.example', dkimSelector: 's1' } as Sender;
  const key = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const sealedDkimKey = secrets.seal(key, placeOfDkimKey(STORE, ID));
  return mailSigner(STORE, { sender, sealedDkimKey }, SECRETS) as SignMail;
}

describe('A DKIM signature', () => {
  it('holds, and is of all that says what a message is', async () => {
    const signed = await signer()(buildMail(MAIL));
    const { domain, selector, signed: names } = verifyDkim(signed, RECORD);
    expect({ domain, selector }).to.deep.equal({ domain: 'shop.example', selector: 's1' });
    expect(names).to.include.members(['from', 'to', 'subject', 'date', 'message-id', 'mime-version', 'content-type']);
    expect(names).to.include.members(['list-unsubscribe', 'list-unsubscribe-post']);
    for (const line of signed.toString().split('\r\n')) expect(line.length).to.be.below(200);
  });

  it('holds for whatever a message says', async () => {
    const sign = signer();
    const texts = fc.string({ unit: 'binary', maxLength: 300 });
    const sent = fc.record({ subject: texts, html: texts, text: texts });
    await fc.assert(
      fc.asyncProperty(sent, async (content) => {
        verifyDkim(await sign(buildMail({ ...MAIL, ...content })), RECORD);
      }),
      { numRuns: 50, seed: 7 },
    );
  });

  it('holds for bodies that nobody here makes', async () => {
    const sign = signer();
    for (const body of ['', '\r\n', ' \r\n\r\n', 'a', 'a \t b \r\n \r\n\r\n', '\r\n\r\na\r\n', '\t\r\na\t\r\n\tb']) {
      verifyDkim(
        await sign(Buffer.from(`From: hello@shop.example\r\nSubject:  a \t b\r\n\t c \r\n\r\n${body}`)),
        RECORD,
      );
    }
  });

  it('does not hold once anything is changed or added', async () => {
    const signed = (await signer()(buildMail(MAIL))).toString('latin1');
    const changes: [string | RegExp, string][] = [
      ['hello@shop.example>', 'evil@shop.example>'],
      ['Subject: ', 'Subject: Re: '],
      ['One-Click', 'Two-Clicks'],
      ['/m/u/x', '/m/u/y'],
      [/PHA/, 'PHB'],
      [/\r\n\r\n/, '\r\nSubject: Another\r\n\r\n'],
      [/\r\n\r\n/, '\r\nReply-To: evil@example.com\r\n\r\n'],
      ['; t=', '; t=1'],
      ['d=shop.example', 'd=sop.example'],
    ];
    for (const [what, by] of changes) {
      const changed = signed.replace(what, by);
      expect(changed, String(what)).to.not.equal(signed);
      expect(() => verifyDkim(Buffer.from(changed, 'latin1'), RECORD), String(what)).to.throw();
    }
  });

  it('survives what relays change on the way', async () => {
    const signed = (await signer()(buildMail(MAIL))).toString('latin1');
    const refolded = signed.replace(/^To: /m, 'TO:   ').replace(/^Date: /m, 'Received: by relay\r\nDate:\r\n ');
    verifyDkim(Buffer.from(`${refolded}\r\n\r\n`, 'latin1'), RECORD);
  });

  it('is judged as that of another signer is', async () => {
    const key = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const other = new DKIM({ domainName: 'shop.example', keySelector: 's1', privateKey: key });
    const stream = other.sign(buildMail(MAIL));
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const theirs = Buffer.concat(chunks);
    expect(verifyDkim(theirs, RECORD).domain).to.equal('shop.example');
    const ours = await signer()(buildMail(MAIL));
    expect(bodyHash(ours)).to.equal(bodyHash(theirs));
  });

  it('is not made with a key that can not be opened any more', () => {
    expect(() => signer(new Secrets([keyOfText('another key of the operator, as long')]))).to.throw(Unopenable);
  });
});

function bodyHash(mail: Buffer): string | undefined {
  return /bh=\s*([^;\s]+)/.exec(mail.toString('latin1'))?.[1];
}
