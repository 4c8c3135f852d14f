import { expect } from 'chai';
import { parseTime } from '../../src/domain/event-time.ts';
import { normaliseEmail, normalisePhone } from '../../src/domain/identifiers.ts';

describe('Identifiers', () => {
  it('normalise e-mail addresses by trimming and lower-casing', () => {
    const taken = {
      ' Ada@Example.COM ': 'ada@example.com',
      'a+b.c_d@sub.example.co': 'a+b.c_d@sub.example.co',
      'jörg@bücher.de': 'jörg@bücher.de',
      "o'neil@x.ie": "o'neil@x.ie",
    };
    for (const [given, expected] of Object.entries(taken)) expect(normaliseEmail(given)).to.equal(expected);
    const refused = [
      '',
      'ada',
      '@example.com',
      'ada@',
      'a b@example.com',
      'a@b@c.de',
      'a..b@example.com',
      '.a@example.com',
    ];
    for (const given of [...refused, 'a@-example.com', 'a@example..com', 'a@\u0000.com', `${'a'.repeat(250)}@b.cc`]) {
      expect(normaliseEmail(given), given).to.equal(undefined);
    }
  });

  it('normalise phone numbers to 5 to 15 digits without punctuation', () => {
    const taken = { '+44 (0)20 7946-0958': '+4402079460958', '020.7946/0958': '02079460958', '12345': '12345' };
    for (const [given, expected] of Object.entries(taken)) expect(normalisePhone(given)).to.equal(expected);
    for (const given of ['', '1234', '1'.repeat(16), '++12345', '12345+', '12a45', 'phone']) {
      expect(normalisePhone(given), given).to.equal(undefined);
    }
  });
});

describe('Times of the native surface', () => {
  it('are parsed as RFC 3339', () => {
    expect(parseTime('2024-02-29T23:59:59.9999+05:30')?.toISOString()).to.equal('2024-02-29T18:29:59.999Z');
    for (const text of ['2023-02-29T00:00:00Z', '2016-12-31T23:59:60Z', '2024-01-01T24:00:00Z', '2024-01-01 00:00']) {
      expect(parseTime(text), text).to.equal(undefined);
    }
  });
});
