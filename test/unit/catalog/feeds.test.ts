import { expect } from 'chai';
import { readAmount } from '../../../src/domain/catalog/feeds/amounts.ts';
import { type KnownProduct, toProduct } from '../../../src/domain/catalog/feeds/product.ts';
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
    'XML of which an element is not closed': [RSS('<item><g:id>1</g:id><g:brand></item>'), /well-formed/],
    'entities of its own': [`<!DOCTYPE rss [<!ENTITY a "aaaa">]>${RSS('<item><g:id>&a;</g:id></item>')}`, /entities/],
    'other XML': ['<?xml version="1.0"?><svg><item/></svg>', /no feed/],
    'other XML of a name that can not be stored': ['<svg\0><item/></svg\0>', /^is no feed of products$/],
    'other XML of a long name': [`<${'svg'.repeat(1_000)}/>`, /^is no feed of products$/],
    'levels without end': [`<rss>${'<a>'.repeat(60)}`, /too deeply/],
    'a product of many names': [RSS(`<item>${'<some-name-of-an-element/>'.repeat(50_000)}</item>`), /more than 1 MB/],
    'a tag without end': [`<rss><item a="${'x'.repeat(1_200_000)}`, /more than 1 MB/],
    'a comment without end': [`<rss><!-- ${'x'.repeat(1_200_000)}`, /more than 1 MB/],
    'a table of too many columns': [`${Array.from({ length: 1_001 }, (_, i) => `c${i}`).join(',')}\n1\n`, /columns/],
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

  it('are read in pieces of any size, also with what is told apart seldom', async () => {
    const text = RSS(`<!-- ${'x'.repeat(100_000)} --><item><g:id>1</g:id></item>\n`.repeat(15));
    for (const size of [4096, 10_000_000]) expect(await read(text, size)).to.have.length(15);
  });

  it('are read from Atom, whose links and empty elements end where they begin', async () => {
    const entry = '<entry><g:id>1</g:id><link href="https://shop.example/1"/><g:brand/><title>A</title></entry>';
    for (const size of [1, 7, 1000]) {
      const records = await read(`<feed xmlns="http://www.w3.org/2005/Atom"><link href="/"/>${entry}</feed>`, size);
      expect(records).to.deep.equal([{ 'g:id': '1', link: 'https://shop.example/1', title: 'A' }]);
    }
  });

  it('have columns by the names that they have, and values of which some repeat', async () => {
    const times = 60_000;
    const [record] = await read(
      RSS(`<item><id>1</id><toString>a</toString><__proto__>b</__proto__>${'<a>x</a>'.repeat(times)}</item>`),
      10_000,
    );
    const values = new Map(Object.entries(record as object));
    expect([...values.keys()]).to.deep.equal(['id', 'toString', '__proto__', 'a']);
    expect([values.get('toString'), values.get('__proto__')]).to.deep.equal(['a', 'b']);
    expect(values.get('a')).to.have.length(times);
  });

  it('have no record that is nested so deeply that it could not be printed', async () => {
    const deep = `[{"id":"1","x":${'['.repeat(100_000)}${']'.repeat(100_000)}},{"id":"2"}]`;
    expect(await read(deep, 4096)).to.deep.equal(['is nested deeper than 50 levels', { id: '2' }]);
  });

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

  it('have texts where JSON has them, and nothing of its objects', () => {
    const none = { toString: 1, valueOf: 2 };
    expect(toProduct({ id: none, title: 'A' }, 'EUR')).to.deep.equal({ column: 'id', problem: 'is missing' });
    const images = ['https://shop.example/a.png', none, null];
    const product = toProduct({ id: 1, title: none, images, category: [['a'], 'Tea'] }, 'EUR');
    expect(product)
      .to.have.property('patch')
      .that.deep.include({
        fields: { title: '1', images: ['https://shop.example/a.png'], attributes: {} },
      });
    expect(product).to.have.deep.property('categories', [['Tea']]);
  });

  it('are none with more values than any has', () => {
    const record = Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [n === 0 ? 'id' : `c${n}`, '1']));
    const problem = 'has more than 1,000 values';
    expect(toProduct(record, 'EUR')).to.deep.equal({ column: null, problem, itemId: '1' });
  });

  it('are not those of what would not be what it was', () => {
    const lost = Symbol('is a number that would lose digits; send it as a string');
    const problem = lost.description;
    expect(toProduct({ id: lost }, 'EUR')).to.deep.equal({ column: 'id', problem });
    expect(toProduct({ id: '1', sku: lost }, 'EUR')).to.deep.equal({ column: 'sku', problem, itemId: '1' });
    expect(toProduct({ id: '1', images: [lost] }, 'EUR')).to.include({ column: 'images', problem });
  });

  it('have categories that take no longer for the spaces in them', () => {
    const wide = (mark: string) => toProduct({ id: '1', product_type: `A${mark}B${' '.repeat(1_000_000)}C` }, 'EUR');
    for (const mark of ['>', ' ']) expect(wide(mark)).to.have.property('categories').with.length(1);
    const { categories } = toProduct({ id: '1', product_type: 'A > B , C > D | E;F' }, 'EUR') as KnownProduct;
    expect(categories).to.deep.equal([['A', 'B'], ['C', 'D'], ['E'], ['F']]);
  });

  it('say what is wrong with them', () => {
    expect(toProduct({ title: 'A' }, 'EUR')).to.deep.equal({ column: 'id', problem: 'is missing' });
    expect(toProduct({ id: '1', price: 'free' }, 'EUR')).to.include({ column: 'price' });
    expect(toProduct({ id: '1', quantity: '1.5' }, 'EUR')).to.include({ column: 'quantity' });
  });
});
