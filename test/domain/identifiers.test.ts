import { expect } from 'chai';
import { readEmail } from '../../src/domain/canonical/email.ts';
import { readPhone } from '../../src/domain/canonical/phone.ts';
import { parseTime } from '../../src/domain/event-time.ts';

const normaliseEmail = (text: string) => readEmail(text)?.value;
const normalisePhone = (text: string, country: string | null = null) => readPhone(text, country)?.value;

describe('Identifiers', () => {
  it('normalise e-mail addresses by trimming and lower-casing', () => {
    const taken = {
      ' Ada@Example.COM ': 'ada@example.com',
      'a+b.c_d@sub.example.co': 'a+b.c_d@sub.example.co',
      'jörg@bücher.de': 'jörg@xn--bcher-kva.de',
      'a..b@example.com': 'a..b@example.com',
      'a.@example.com': 'a.@example.com',
      "o'neil@x.ie": "o'neil@x.ie",
    };
    for (const [given, expected] of Object.entries(taken)) expect(normaliseEmail(given)).to.equal(expected);
    const refused = ['', 'ada', '@example.com', 'ada@', 'a b@example.com', 'a@b@c.de', '.a@example.com'];
    for (const given of [...refused, 'a@-example.com', 'a@example..com', 'a@\u0000.com', `${'a'.repeat(250)}@b.cc`]) {
      expect(normaliseEmail(given), given).to.equal(undefined);
    }
  });

  it('normalise phone numbers to 5 to 15 digits without punctuation', () => {
    const taken = { '+44 (0)20 7946-0958': '+442079460958', '020.7946/0958': '02079460958', '12345': '12345' };
    for (const [given, expected] of Object.entries(taken)) expect(normalisePhone(given)).to.equal(expected);
    for (const given of ['', '1234', '1'.repeat(16), '++12345', '12345+', '12a45', 'phone']) {
      expect(normalisePhone(given), given).to.equal(undefined);
    }
  });

  it('leave domains as they are where letters or joiners are part of a name', () => {
    const taken = {
      'x@faß.de': 'x@xn--fa-hia.de',
      'x@موقع٢.com': 'x@xn--4gbrim6k.com',
      'x@example١.com': 'x@example1.com',
      'o´neil@x.ie': 'o´neil@x.ie',
      '😀@x.de': '😀@x.de',
    };
    for (const [given, expected] of Object.entries(taken)) expect(normaliseEmail(given), given).to.equal(expected);
  });

  it('read a national number as the numbers of a country are dialled', () => {
    for (const [country, given, expected] of [
      ['DE', '030 123456', '+4930123456'],
      ['DE', '0049 30 123456', '+4930123456'],
      ['DE', '4930123456', '+4930123456'],
      ['DE', '+44 (0)20 7946 0958', '+442079460958'],
      ['GB', '020 7946 0958', '+442079460958'],
      ['US', '(202) 555-0100', '+12025550100'],
      ['US', '1-202-555-0100', '+12025550100'],
      ['US', '011 44 20 7946 0958', '+442079460958'],
      ['US', '0044 20 7946 0958', '+442079460958'],
      ['AU', '0412 345 678', '+61412345678'],
      ['IT', '06 1234 5678', '+390612345678'],
      ['IT', '347 123 4567', '+393471234567'],
      ['ES', '612 345 678', '+34612345678'],
      ['FR', '06 12 34 56 78', '+33612345678'],
      ['IN', '98765 43210', '+919876543210'],
      ['JP', '０３ー１２３４ー５６７８', '+81312345678'],
      ['CI', '07 07 07 07 07', '+2250707070707'],
      ['RU', '8 (812) 123-45-67', '+78121234567'],
      ['HU', '06 20 123 4567', '+36201234567'],
      ['MX', '55 1234 5678', '+525512345678'],
      ['US', '011 86 138 1234 5678', '+8613812345678'],
      ['US', '011 44 (0)20 7946 0958', '+442079460958'],
      ['AU', '0011 44 7911 123456', '+447911123456'],
      ['GB', '00 55 11 91234 5678', '+5511912345678'],
    ] as const) {
      expect(normalisePhone(given, country), `${country} ${given}`).to.equal(expected);
    }
  });

  it('leave a number as it is where it may be another, and without a country', () => {
    const numbers = [
      ['DE', '123456'],
      ['DE', '4567890'],
      ['US', '5550100'],
      ['XX', '030123456'],
      [null, '030123456'],
      [null, '0049301234567'],
      [null, '+999012345678'],
      [null, '+390612345678'],
      [null, '+3780549882345'],
      [null, '+2290197979797'],
      [null, '+22507070707'],
    ] as const;
    for (const [country, given] of numbers) expect(normalisePhone(given, country), given).to.equal(given);
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
