import { expect } from 'chai';
import { isEmail, isPhone } from '../../src/domain/identifiers.ts';
import { profileDocument } from '../compat/documents.ts';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { specDocument } from '../support/spec-documents.ts';
import { collectStandstill } from '../support/standstills.ts';

const [NATIVE_SPEC, COMPAT_SPEC] = [specDocument('native'), specDocument('compat')];
const NATIVE = NATIVE_SPEC.components.schemas.ProfileIdentifiers.properties;
const COMPAT = COMPAT_SPEC.components.schemas;

const ADDRESSES = [
  ...[
    'ada@example.com',
    ' Ada@Example.COM ',
    '\tada@example.com\n',
    'a+b.c_d@sub.example.co',
    "o'neil@x.ie",
    'a@localhost',
  ],
  ...[
    'a!#$%&*+/=?^_`{|}~-@x.de',
    'jörg@bücher.de',
    '用户@例え.jp',
    'a@हिन्दी.भारत',
    'a@xn--bcher-kva.de',
    'a@x--y.de',
    '1@2.3',
  ],
  ...['😀@x.de', 'ada', '@x.de', 'ada@', '@', 'a b@x.de', 'a@b c.de', 'a@b@c.de', 'a..b@x.de', '.a@x.de', 'a.@x.de'],
  ...[
    'a@-x.de',
    'a@x-.de',
    'a@x..de',
    'a@x.de.',
    'a@.de',
    'a@x_y.de',
    '"a b"@x.de',
    'a@[127.0.0.1]',
    'a,b@x.de',
    'Ada <a@x.de>',
  ],
  ...[
    'a\u200bb@x.de',
    'ａｄａ＠ｘ．ｄｅ',
    'ada@x。de',
    'a\ufeffb@x.de',
    'a−b@x.de',
    '٢@x.de',
    'a@x\u200b.de',
    '\u202ea@x.de',
    'a\u00adb@x.de',
    'a\u00a0b@x.de',
    'a@x\u3000.de',
    'a\u0085@x.de',
  ],
];

const NUMBERS = [
  ...[
    '+442079460958',
    '+44 (0)20 7946-0958',
    '020.7946/0958',
    '12345',
    '123456789012345',
    ' +1 202 555 0100 ',
    '‐12345',
    '011 86 138 1234 5678',
    '0011 44 7911 123456',
  ],
  ...[
    '1234',
    '1234567890123456',
    '++12345',
    '12345+',
    '+',
    '()',
    '12a45',
    'unknown',
    '１２３４５',
    '＋４９　３０（１２）３４−５６',
    '٤٩ ٣٠ ١٢٣٤٥٦',
    '\u202d+4930\u2060123456\u202c',
    '０３ー１２３４ー５６７８',
    '+४९ ३० १२३४५६',
    '+49\ufe0f30123456',
    '+1,2345',
    'tel:12345',
  ],
];

/** Each character up to one, without halves of pairs. */
function* charactersOf(last: number): Generator<string> {
  for (let code = 0; code <= last; code += 1) if (code < 0xd800 || code > 0xdfff) yield String.fromCodePoint(code);
}

describe('Patterns of the specs', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.startInThread();
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  const upsert = async (kind: string, value: string) => {
    const { status } = await client.post('/v1/profiles/upsert', { identifiers: { [kind]: value } });
    return status !== 400;
  };
  const saveProfile = async (kind: string, value: string) => {
    const { status } = await client.post('/compat/v1/profiles', profileDocument({ external_id: 'x', [kind]: value }));
    return status !== 400;
  };
  for (const [what, values, pattern, isTaken] of [
    ['e-mail addresses of the native surface', ADDRESSES, NATIVE.email.pattern, upsert.bind(null, 'email')],
    ['e-mail addresses of the compatibility surface', ADDRESSES, COMPAT.Email.pattern, saveProfile.bind(null, 'email')],
    ['telephone numbers of the native surface', NUMBERS, NATIVE.phone.pattern, upsert.bind(null, 'phone')],
    [
      'telephone numbers of the compatibility surface',
      NUMBERS,
      COMPAT.PhoneNumber.anyOf[0].pattern,
      saveProfile.bind(null, 'phone_number'),
    ],
  ] as const) {
    it(`match the ${what} that are taken, and no others`, async () => {
      for (const value of values) {
        expect(new RegExp(pattern, 'u').test(value), JSON.stringify(value)).to.equal(await isTaken(value));
      }
    });
  }

  it('take each character in a telephone number as it is read, and in an address at least that', () => {
    const numbers = [NATIVE.phone.pattern, COMPAT.PhoneNumber.anyOf[0].pattern].map((text) => new RegExp(text, 'u'));
    const addresses = [NATIVE.email.pattern, COMPAT.Email.pattern].map((text) => new RegExp(text, 'u'));
    for (const character of charactersOf(0x1_ffff)) {
      for (const number of [`+44 20 7946 095${character}8`, `0123${character}`, `${character}442079460958`]) {
        const isRead = isPhone(number);
        for (const pattern of numbers)
          if (pattern.test(number) !== isRead) expect.fail(`${encodeURIComponent(number)} is read: ${isRead}`);
      }
      for (const address of [`${character}@example.com`, `ada@exa${character}mple.com`, `ada@x.${character}`]) {
        if (!isEmail(address)) continue;
        for (const pattern of addresses)
          if (!pattern.test(address)) expect.fail(`${encodeURIComponent(address)} is read`);
      }
    }
  });

  it('let an empty text pass where it counts as absent', async () => {
    for (const value of ['', ' ']) {
      expect(COMPAT.Email.pattern).to.satisfy((pattern: string) => new RegExp(pattern, 'u').test(value));
      expect(await saveProfile('email', value)).to.equal(true);
      expect(await saveProfile('phone_number', value)).to.equal(true);
    }
  });

  it('take no longer for a long text than to read it', () => {
    const patterns = [...JSON.stringify([NATIVE_SPEC, COMPAT_SPEC]).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)];
    expect(patterns).to.have.length.above(5);
    for (const pattern of new Set(patterns.map(([, text = '']) => JSON.parse(text)))) {
      for (const part of ['.', ' ', '-', '+', '1', '1.', 'a', 'a.', 'a-', 'a@a.', '@']) {
        for (const [before, after] of [
          ['', ''],
          ['', '\0'],
          ['1', '\0'],
          ['a@a', '\0'],
        ]) {
          const text = before + part.repeat(60_000) + after;
          const started = process.threadCpuUsage();
          new RegExp(pattern, 'u').test(text);
          const { user, system } = process.threadCpuUsage(started);
          // As in a service, which would stand still for as long.
          collectStandstill((user + system) / 1000, `${pattern} at ${part}`);
        }
      }
    }
  });

  it('do not hold up the service, whatever is sent for an identifier', async () => {
    const long = '.'.repeat(60_000);
    await client.get(`/v1/profiles?phone=${long.slice(0, 15_000)}`, { expect: 400 });
    for (const kind of ['phone', 'email']) {
      await client.post('/v1/profiles/upsert', { identifiers: { [kind]: long } }, { expect: 400 });
    }
    for (const kind of ['phone_number', 'email']) {
      await client.post('/compat/v1/profiles', profileDocument({ external_id: 'x', [kind]: long }), { expect: 400 });
    }
  });
});
