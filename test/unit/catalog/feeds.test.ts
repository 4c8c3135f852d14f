import { expect } from 'chai';
import { readAmount } from '../../../src/domain/catalog/feeds/amounts.ts';
import { toProduct } from '../../../src/domain/catalog/feeds/product.ts';
import { formatOf, readRecords } from '../../../src/domain/catalog/feeds/read-records.ts';

/** A text in pieces of some bytes, as a connection might bring it. */
async function* piecesOf(text: string, size: number): AsyncIterable<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, size = 7): Promise<unknown[]> {
  const format = formatOf(text);
  if (!format) throw new Error('no format');
  const records: unknown[] = [];
  for await (const one of readRecords(piecesOf(text, size), format)) {
    records.push('record' in one ? one.record : one.problem);
  }
  return records;
}

const RSS = (items: string) =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>${items}</channel></rss>`;

describe('Files of products', () => {
  const TEAS = [
    { id: '1', title: 'Grün, "mild"', price: '9.90 EUR' },
    { id: '2', title: 'Ümit\nblend', price: '12 EUR' },
  ];
  const FILES: Record<string, string> = {
    CSV: 'id,title,price\r\n1,"Grün, ""mild""",9.90 EUR\r\n2,"Ümit\nblend",12 EUR\r\n',
    TSV: 'id\ttitle\tprice\n1\t"Grün, ""mild"""\t9.90 EUR\n2\t"Ümit\nblend"\t12 EUR',
    'JSON lines': TEAS.map((tea) => JSON.stringify(tea)).join('\n'),
    'an array of JSON': JSON.stringify(TEAS, null, 2),
    RSS: RSS(
      TEAS.map(
        ({ id, title, price }) =>
          `<item><g:id>${id}</g:id><g:title><![CDATA[${title}]]></g:title><g:price>${price}</g:price></item>`,
      ).join('\n'),
    ),
  };
  for (const [what, text] of Object.entries(FILES)) {
    it(`are read from ${what}, in pieces of any size`, async () => {
      const named =
        what === 'RSS'
          ? TEAS.map(({ id, title, price }) => ({ 'g:id': id, 'g:title': title, 'g:price': price }))
          : TEAS;
      for (const size of [1, 5, 1000]) expect(await read(text, size)).to.deep.equal(named);
    });
  }

  it('are told from pages, and from nothing', () => {
    expect(formatOf('  <!DOCTYPE html><html>')).to.equal(undefined);
    expect(formatOf('<html lang="en">')).to.equal(undefined);
    expect(formatOf('\ufeff \n')).to.equal(undefined);
  });

  const REFUSED: Record<string, [string, RegExp]> = {
    'an array that is cut': ['[{"id":"1"},{"id":', /ends too early/],
    'XML that is cut': [RSS('<item><g:id>1</g:id></item>').slice(0, -12), /too early/],
    'entities of its own': [`<!DOCTYPE rss [<!ENTITY a "aaaa">]>${RSS('<item><g:id>&a;</g:id></item>')}`, /entities/],
    'other XML': ['<?xml version="1.0"?><svg><item/></svg>', /no feed/],
    'levels without end': [`<rss>${'<a>'.repeat(60)}`, /too deeply/],
    'an element without end': [`[{"a":"${'x'.repeat(1_100_000)}"`, /more than 1 MB/],
  };
  for (const [what, [text, reason]] of Object.entries(REFUSED)) {
    it(`are refused with ${what}`, async () => {
      const failure = await read(text, 4096).then(
        () => '',
        (error: Error) => error.message,
      );
      expect(failure).to.match(reason);
    });
  }

  it('have records that are none reported in their place', async () => {
    expect(await read('{"id":"1"}\nnot json\n[1]\n{"id":"2"}')).to.deep.equal([
      ...[{ id: '1' }, 'is not JSON', 'is not an object', { id: '2' }],
    ]);
  });
});

describe('Amounts of files', () => {
  for (const [text, value, currency] of [
    ['19.90 EUR', 19.9, 'EUR'],
    ['15,550.00 RUB', 15550, 'RUB'],
    ['1.234,50 €', 1234.5, 'EUR'],
    ['EUR 1,234', 1234, 'EUR'],
    ['12,5', 12.5, 'USD'],
    ['1,234,567', 1234567, 'USD'],
    ["CHF 1'200.50", 1200.5, 'CHF'],
    ['$5', 5, 'USD'],
  ] as const) {
    it(`are read from ${text}`, () => {
      expect(readAmount(text, 'USD')).to.deep.equal({ value, currency });
    });
  }
  for (const text of ['free', '', '-5 EUR', '1.23456 EUR']) {
    it(`are none in “${text}”`, () => {
      expect(readAmount(text, 'USD')).to.be.a('string');
    });
  }
  it('need a currency', () => {
    expect(readAmount('5', undefined)).to.equal('has no currency');
  });
});

describe('Products of files', () => {
  const NOW = new Date('2026-11-20T10:00:00Z');

  it('are variants of the item that they name', () => {
    const record = {
      ...{
        'g:id': 'v1',
        'g:item_group_id': 'a',
        'g:title': 'Tea',
        'g:link': 'https://shop.example/a',
        'g:size': '100 g',
      },
      ...{ 'g:price': '10.00 EUR', 'g:sale_price': '8.00 EUR', 'g:availability': 'in stock', 'g:gtin': '400' },
      'g:product_type': 'Drinks > Tea',
    };
    expect(toProduct(record, undefined, NOW)).to.deep.equal({
      patch: {
        id: 'a',
        fields: { title: 'Tea', url: 'https://shop.example/a' },
        variants: [
          {
            id: 'v1',
            fields: {
              url: 'https://shop.example/a',
              prices: { EUR: { price: 8, compare_at: 10 } },
              available: true,
              attributes: { size: '100 g', gtin: '400' },
            },
          },
        ],
      },
      categories: [['Drinks', 'Tea']],
    });
  });

  it('are reduced while that lasts', () => {
    const priceAt = (period: string) => {
      const product = toProduct(
        { id: '1', price: '10 EUR', sale_price: '8 EUR', sale_price_effective_date: period },
        undefined,
        NOW,
      );
      return 'patch' in product && product.patch.fields.prices;
    };
    expect(priceAt('2026-11-19T00:00Z/2026-11-21T00:00Z')).to.deep.equal({ EUR: { price: 8, compare_at: 10 } });
    expect(priceAt('2026-11-21T00:00Z/2026-11-22T00:00Z')).to.deep.equal({ EUR: { price: 10 } });
  });

  it('say what is wrong with them', () => {
    expect(toProduct({ title: 'A' }, 'EUR')).to.deep.equal({ column: 'id', problem: 'is missing' });
    expect(toProduct({ id: '1', price: 'free' }, 'EUR')).to.include({ column: 'price' });
    expect(toProduct({ id: '1', quantity: '1.5' }, 'EUR')).to.include({ column: 'quantity' });
  });
});
