import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { buildMail, type Mail } from '../../src/domain/messages/mime.ts';
import { needPrograms } from '../support/need-programs.ts';
import { SOAK_ROUNDS } from '../support/sample.ts';

const MAIL: Mail = {
  from: { name: 'Café Löwe', email: 'shop@shop.example' },
  to: 'ada@customer.example',
  replyTo: null,
  subject: 'Hello',
  html: '<p>Hello</p>',
  text: 'Hello',
  headers: [],
  messageId: '01a1f852-9f40-7d13-8a55-c07be9134f68@shop.example',
  date: new Date('2026-11-20T09:39:40.300Z'),
};
const STRANGE = [
  '',
  'plain',
  'Größe, "quoted" \\ (comment) <a@b.example>; x@y',
  'שלום עולם',
  'مرحبا بالعالم',
  '👩‍👩‍👧‍👦 Family 🇩🇪 e\u0301',
  '日本語の件名がとても長いとき、折り返しはどうなりますか。日本語の件名がとても長いとき、折り返しはどうなりますか。',
  'a'.repeat(3_000),
  'é'.repeat(3_000),
  `${'word '.repeat(80)}end`,
  '=?utf-8?B?QmNjOiBldmls?=',
  'two  spaces   and    more',
  '.leading dot',
  'Bcc: evil@x.example',
  'tab\tand "quote',
  '\u202Ertl override\u202C',
];

/** What Python's `email` makes of messages. */
function readByPython(raws: readonly Buffer[]): any[] {
  const program = `
import base64, email, json, sys
from email import policy
from email.header import decode_header, make_header
from email.utils import getaddresses
def read(raw):
    m = email.message_from_bytes(base64.b64decode(raw), policy=policy.default)
    old = email.message_from_bytes(base64.b64decode(raw))
    # The newer parser keeps the space between two encoded words of a name (python/cpython#79728).
    decoded = lambda name: str(make_header(decode_header(name)))
    box = lambda name: [[decoded(name), address] for name, address in getaddresses(old.get_all(name, []))]
    part = lambda kind: (lambda p: p.get_content() if p is not None else None)(m.get_body(preferencelist=(kind,)))
    parts = list(m.walk())
    return dict(keys=[k.lower() for k in m.keys()], subject=str(m['subject']), from_=box('from'), to=box('to'), reply_to=box('reply-to'), text=part('plain'),
        html=part('html'), id=m['message-id'], date=m['date'].datetime.isoformat(), note=m['x-note'],
        defects=[str(d) for p in parts for d in p.defects] + [str(d) for h in m.values() for d in h.defects])
json.dump([read(raw) for raw in json.load(sys.stdin)], sys.stdout)`;
  const input = JSON.stringify(raws.map((raw) => raw.toString('base64')));
  return JSON.parse(execFileSync('python3', ['-c', program], { input, maxBuffer: 2 ** 30 }).toString());
}

/** As headers are read: controls are spaces, and those around it do not count. */
const onOneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
const lines = (text: string | null | undefined) => (text ?? '').replace(/\r\n?/g, '\n').replace(/\n$/, '');

async function expectRead(mails: readonly Mail[]): Promise<void> {
  const raws = mails.map(buildMail);
  const byPython = readByPython(raws);
  for (const [i, mail] of mails.entries()) {
    const raw = raws[i] as Buffer;
    expectForm(raw);
    const parsed = await PostalMime.parse(raw);
    const python = byPython[i];
    const [subject, name] = [onOneLine(mail.subject), onOneLine(mail.from.name ?? '')];
    expect(parsed.subject ?? '', 'subject').to.equal(subject);
    expect(python.subject, 'subject by Python').to.equal(subject);
    expect(parsed.from, 'from').to.include({ address: mail.from.email, name });
    expect(python.from_, 'from by Python').to.deep.equal([[name, mail.from.email]]);
    expect(parsed.to?.map(({ address }) => address)).to.deep.equal([mail.to]);
    expect(python.to).to.deep.equal([['', mail.to]]);
    const replyTo = mail.replyTo ? [mail.replyTo] : [];
    expect(parsed.replyTo?.map(({ address }) => address) ?? []).to.deep.equal(replyTo);
    expect(lines(parsed.text), 'text').to.equal(lines(mail.text));
    expect(lines(python.text), 'text by Python').to.equal(lines(mail.text));
    expect(lines(parsed.html), 'html').to.equal(lines(mail.html));
    expect(lines(python.html), 'html by Python').to.equal(lines(mail.html));
    expect(parsed.messageId).to.equal(`<${mail.messageId}>`);
    expect(python.date).to.equal(`${mail.date.toISOString().slice(0, 19)}+00:00`);
    const note = mail.headers.find(([header]) => header === 'X-Note')?.[1];
    if (note !== undefined) expect(python.note).to.equal(onOneLine(note));
    expect(python.defects).to.deep.equal([]);
    const own = ['from', 'to', 'subject', 'date', 'message-id', 'mime-version', 'content-type'];
    const more = mail.headers.map(([header]) => header.toLowerCase());
    const possible = [...own, ...more, ...(mail.replyTo ? ['reply-to'] : []), 'content-transfer-encoding'];
    expect(
      python.keys.every((key: string) => possible.includes(key)),
      String(python.keys),
    ).to.equal(true);
    expect(new Set(python.keys).size).to.equal(python.keys.length);
  }
}

function expectForm(raw: Buffer): void {
  const text = raw.toString('latin1');
  expect(text).not.to.match(/[^\r]\n|\r[^\n]/);
  expect(text).to.match(/^[\x20-\x7e\r\n]*$/);
  const all = text.split('\r\n');
  expect(Math.max(...all.map((line) => line.length))).to.be.at.most(998);
  const words = all.filter((line) => line.includes('=?utf-8?'));
  expect(words.every((line) => line.length <= 76)).to.equal(true);
  expect(
    all.some((line) => /^\s+$/.test(line)),
    'a line of spaces',
  ).to.equal(false);
}

describe('Messages as MIME', () => {
  it('are the same bytes each time', () => {
    expect(buildMail(MAIL).toString()).to.equal(
      [
        'From: =?utf-8?B?Q2Fmw6kgTMO2d2U=?= <shop@shop.example>',
        'To: ada@customer.example',
        'Subject: Hello',
        'Date: Fri, 20 Nov 2026 09:39:40 +0000',
        'Message-ID: <01a1f852-9f40-7d13-8a55-c07be9134f68@shop.example>',
        'MIME-Version: 1.0',
        'Content-Type: multipart/alternative;',
        ' boundary="=_1"',
        '',
        '--=_1',
        'Content-Type: text/plain; charset=utf-8',
        'Content-Transfer-Encoding: base64',
        '',
        'SGVsbG8=',
        '--=_1',
        'Content-Type: text/html; charset=utf-8',
        'Content-Transfer-Encoding: base64',
        '',
        'PHA+SGVsbG88L3A+',
        '--=_1--',
        '',
      ]
        .join('\r\n')
        .replaceAll('=_1', /=_[0-9a-f]{32}/.exec(buildMail(MAIL).toString())?.[0] as string),
    );
  });

  it('are read by others as they were meant, whatever is in them', async function () {
    needPrograms(this, 'python3');
    await expectRead(
      STRANGE.map((text, i) => ({
        ...MAIL,
        subject: text,
        from: { name: text, email: 'shop@shop.example' },
        to: 'a+b@xn--bcher-kva.example',
        replyTo: i % 2 === 0 ? 'help@shop.example' : null,
        text: STRANGE[(i + 1) % STRANGE.length] as string,
        html: `<p>${text}</p>\n<p>${STRANGE[(i + 2) % STRANGE.length]}</p>`,
      })),
    );
  });

  it('are read by others at random, too', async function () {
    needPrograms(this, 'python3');
    const unit = fc.oneof(
      fc.constantFrom(' ', '\n', '\r\n', '"', '\\', '<', '>', '=', '?', '@', ',', '.', 'é', 'ש', '日', '😀', '\u0301'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }),
    );
    const texts = fc.array(unit, { maxLength: 150 }).map((units) => units.join('').replaceAll('\0', ''));
    const mails = fc.record({ subject: texts, name: texts, text: texts, html: texts });
    const drawn = fc.sample(mails, { numRuns: 150 * Math.max(1, SOAK_ROUNDS), seed: 41 });
    await expectRead(
      drawn.map(({ subject, name, text, html }) => ({
        ...MAIL,
        ...{ subject, text, html: html || '<p></p>' },
        from: { name, email: 'shop@shop.example' },
        headers: [['X-Note', subject]] as const,
      })),
    );
  });

  it('have no header that a value has brought along', async function () {
    needPrograms(this, 'python3');
    const breaks = ['\r\n', '\n', '\r', '\u2028', '\0', '\r\n\r\n', '\x0b', '\x85'];
    await expectRead(
      breaks.map((line): Mail => {
        const value = `Hello${line}Bcc: evil@x.example`;
        const from = { name: value, email: 'shop@shop.example' };
        return { ...MAIL, subject: value, from, headers: [['X-Note', value]] };
      }),
    );
    for (const line of breaks) {
      const malformed: Partial<Mail>[] = [
        { to: `ada@customer.example${line}` },
        { from: { name: 'x', email: `a${line}@b.example` } },
        { messageId: `a@b${line}` },
        { headers: [[`X-A${line}`, 'x']] },
      ];
      for (const part of malformed) expect(() => buildMail({ ...MAIL, ...part })).to.throw(TypeError);
    }
  });

  it('keep structured headers as they are', async () => {
    const url = `https://shop.example/m/u/${'x'.repeat(600)}`;
    const headers = [
      ['List-Unsubscribe', `<${url}>, <mailto:unsubscribe@shop.example>`],
      ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
    ] as const;
    const raw = buildMail({ ...MAIL, headers });
    const parsed = await PostalMime.parse(raw);
    const headerOf = (key: string) => parsed.headers.find((header) => header.key === key)?.value;
    expect(headerOf('list-unsubscribe')).to.equal(headers[0][1]);
    expect(headerOf('list-unsubscribe-post')).to.equal(headers[1][1]);
    expect(() => buildMail({ ...MAIL, headers: [['X-Long', 'x'.repeat(1_000)]] })).to.throw(TypeError);
  });

  it('have no header twice', () => {
    for (const name of ['From', 'to', 'Subject', 'bcc', 'Content-Type', 'MIME-Version', 'A B', 'A:', '']) {
      expect(() => buildMail({ ...MAIL, headers: [[name, 'x']] }), name).to.throw(TypeError);
    }
  });

  it('have one part, where one of the texts is empty', async () => {
    for (const [html, text] of [
      ['', 'Only text'],
      ['<p>Only HTML</p>', ''],
      ['', ''],
    ] as const) {
      const raw = buildMail({ ...MAIL, html, text });
      expect(raw.toString()).not.to.contain('multipart');
      const parsed = await PostalMime.parse(raw);
      expect([lines(parsed.html), lines(parsed.text)]).to.deep.equal([html, text]);
    }
  });
});
