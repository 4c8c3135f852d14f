import { expect } from 'chai';
import { itemsNamedIn, type NamedItem } from '../../../src/domain/catalog/items-in-events.ts';

/** As short as they are read: the ids, then those of variants after `v:`, then numbers after `#`. */
const shown = (properties: object) =>
  itemsNamedIn(properties as Record<string, unknown>).map(({ ids, variantIds, skus }: NamedItem) =>
    [...ids, ...variantIds.map((id) => `v:${id}`), ...skus.map((sku) => `#${sku}`)].join(' '),
  );

describe('Items in events', () => {
  const CASES: [what: string, properties: object, items: string[]][] = [
    ['one at the top', { ProductID: 'a1b2c3', SKU: 'SW10001', ProductName: 'Paper' }, ['a1b2c3 #SW10001']],
    ['one whose names have spaces', { 'Product ID': '25518447M', Price: '$99.00' }, ['25518447M']],
    ['one with numbers', { ProductID: 1111, Categories: ['Fiction'] }, ['1111']],
    ['one by its number alone', { name: 'Product', sku: 'SKU-4', price: 19.99 }, ['#SKU-4']],
    [
      'a list',
      {
        items: [
          { ProductID: 'b1', SKU: '1x' },
          { product_id: 'b2', variant_id: 7 },
        ],
      },
      ['b1 #1x', 'b2 v:7'],
    ],
    ['a list of numbers', { items: [{ name: 'One', sku: 'SKU-1', item_price: '19.99' }] }, ['#SKU-1']],
    ['ids of a list by themselves', { products: [{ id: 'x' }, { productId: 'y', id: 'line-1' }] }, ['x', 'y line-1']],
    [
      'what is flattened',
      { 'items[0].ProductID': '123', 'items[0].SKU': 'G-32', 'items[1].ProductID': '345', 'items[1].Quantity': 2 },
      ['123 #G-32', '345'],
    ],
    ['variants within', { lineItems: [{ productId: 'p', variant: { id: 1, sku: 'S' } }] }, ['p v:1 #S']],
    ['a variant within, at the top', { id: '123-123', variant: { id: 1 }, quantity: 1 }, ['123-123 v:1']],
    ['products within', { cart: { lines: [{ product: { id: 5, sku: 'S5' }, quantity: 1 }] } }, ['5 #S5']],
    [
      'what was put into a cart',
      { AddedItemProductID: 'a1', AddedItemSKU: 'S', Items: [{ ProductID: 'b2' }] },
      ['a1 #S', 'b2'],
    ],
    ['an item within', { item: { id: 'a1' } }, ['a1']],
    ['lines of a cart', { cart: { lines: [{ merchandise: { id: 7, sku: 'S', product: { id: 5 } } }] } }, ['5 v:7 #S']],
    ['lists in what is around', { $extra: { line_items: [{ product_id: 9 }] }, value: 3 }, ['9']],
    ['lists of ids', { product_ids: ['a', 2, null, ''], skus: ['s'] }, ['a', '2', '#s']],
    ['names alone', { Items: ['Widget A'], ItemNames: ['Widget B'] }, []],
    ['an order that has an id', { id: '1001', order_id: '1001', value: 20 }, []],
    ['what is no id', { ProductID: { a: 1 }, items: 'a', products: [[{ id: 1 }], null, { id: 1.5 }] }, []],
    ['no text', { ProductID: 'x'.repeat(256), items: [{ id: '\ud800' }, { id: '  ' }] }, []],
  ];
  for (const [what, properties, items] of CASES) {
    it(`are found: ${what}`, () => expect(shown(properties)).to.deep.equal(items));
  }

  it('are the first 100', () => {
    const items = Array.from({ length: 150 }, (_, n) => ({ id: n }));
    expect(shown({ ProductID: 'top', items })).to.deep.equal(['top', ...items.slice(0, 99).map(({ id }) => `${id}`)]);
  });
});
