import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { numbersFrom } from '../support/sample.ts';
import { TestService } from '../support/service.ts';

/** Requests of a history, and items and variants that they are about. */
const [STEPS, ITEMS, VARIANTS] = [60, 4, 3];

interface Sold {
  stock: number | null;
  price: number | null;
  at: number;
}

interface Kept extends Sold {
  title: string;
  status: 'published' | 'hidden';
  because: string | null;
  variants: Map<string, Sold>;
}

/** A catalog as one would write it in an afternoon. */
class NaiveCatalog {
  readonly items = new Map<string, Kept>();
  readonly changes: string[] = [];

  upsert(
    id: string,
    given: { title: string; sold?: Partial<Sold>; variants?: Record<string, Partial<Sold>> },
    now: number,
  ) {
    const before = this.items.get(id);
    const item = before ?? {
      title: '',
      status: 'published',
      because: null,
      stock: null,
      price: null,
      at: now,
      variants: new Map(),
    };
    if (item.because === 'not_in_feed') {
      Object.assign(item, { status: 'published', because: null });
      this.changes.push(`${id} published`);
    }
    item.title = given.title;
    const hadVariants = item.variants.size > 0;
    for (const [variant, sold] of Object.entries(given.variants ?? {})) {
      const known = item.variants.get(variant);
      if (known) this.sell(`${id} ${variant}`, known, sold, now);
      else item.variants.set(variant, { stock: null, price: null, at: now, ...sold });
    }
    const hasNone = !hadVariants && item.variants.size === 0;
    if (given.sold && before) this.sell(hasNone ? id : undefined, item, given.sold, now);
    else if (given.sold) Object.assign(item, given.sold);
    this.items.set(id, item);
  }

  sell(name: string | undefined, known: Sold, sold: Partial<Sold>, now: number) {
    const before = { ...known };
    Object.assign(known, sold);
    if (known.stock === before.stock && known.price === before.price) return;
    known.at = now;
    if (name === undefined) return;
    const sells = ({ stock }: Sold) => stock === null || stock > 0;
    if (!sells(before) && sells(known)) this.changes.push(`${name} back_in_stock`);
    else if (sells(before) && !sells(known)) this.changes.push(`${name} out_of_stock`);
    else if (
      known.stock !== null &&
      before.stock !== null &&
      known.stock > 0 &&
      known.stock < before.stock &&
      known.stock <= 20
    )
      this.changes.push(`${name} low_stock`);
    if (known.price !== null && before.price !== null && known.price !== before.price)
      this.changes.push(`${name} price_${known.price < before.price ? 'dropped' : 'raised'}`);
  }
}

describe('A catalog, beside a naive one', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start({ WORKER_CONCURRENCY: '0' });
  });
  after(() => service.stop());

  for (const seed of [1, 2, 3]) {
    it(`has the same items and changes after a random history (${seed})`, async () => {
      await expectSame(await service.client(), numbersFrom(seed));
    });
  }
});

const toBody = ({ stock, price }: Partial<Sold>) => ({
  ...(stock !== undefined && { stock }),
  ...(price !== undefined && { prices: price === null ? null : { EUR: { price } } }),
});

async function expectSame(client: Client, draw: (below: number) => number): Promise<void> {
  const model = new NaiveCatalog();
  const sold = (): Partial<Sold> => ({
    ...(draw(2) > 0 && { stock: draw(6) === 0 ? null : draw(4) * 9 }),
    ...(draw(2) > 0 && { price: draw(6) === 0 ? null : draw(5) + 0.25 }),
  });
  const patch = () => {
    const item = draw(ITEMS);
    const variants = Object.fromEntries(
      Array.from({ length: draw(VARIANTS) }, () => [`i${item}v${draw(VARIANTS)}`, sold()] as const),
    );
    // Those of even numbers have no variants.
    return { id: `i${item}`, title: `T${draw(3)}`, sold: sold(), ...(item % 2 > 0 && { variants }) };
  };
  const write = async (count: number, more: object = {}) => {
    const patches = new Map(Array.from({ length: count }, patch).map((one) => [one.id, one]));
    // Changes of a batch come by what they are; the model has them one by one.
    for (const one of patches.values()) {
      const variants = Object.entries(one.variants ?? {}).map(([id, variant]) => ({ id, ...toBody(variant) }));
      const item = { id: one.id, title: one.title, ...toBody(one.sold), variants };
      await client.post('/v1/catalog/items/bulk', { items: [item], ...more }, { expect: 200 });
      model.upsert(one.id, one, Date.now());
    }
    return [...patches.keys()];
  };
  for (let step = 0; step < STEPS; step += 1) {
    const kind = draw(6);
    if (kind < 3) await write(1 + draw(2));
    else if (kind < 5) await setStock(client, model, draw, sold());
    else if (draw(3) === 0) {
      const { id } = (await client.post<any>('/v1/catalog/syncs', {}, { expect: 201 })).body;
      const seen = await write(1 + draw(3), { sync_id: id });
      await client.post(`/v1/catalog/syncs/${id}/complete`, undefined, { expect: 200 });
      for (const [name, item] of [...model.items].sort()) {
        if (seen.includes(name) || item.status === 'hidden') continue;
        Object.assign(item, { status: 'hidden', because: 'not_in_feed' });
        model.changes.push(`${name} hidden`);
      }
    }
  }
  expect(await readAll(client)).to.deep.equal(known(model));
  const { changes } = (await client.get<any>('/v1/catalog/changes?limit=100', { expect: 200 })).body;
  const named = changes.map(({ item_id, variant_id, kind }: any) =>
    [item_id, variant_id, kind].filter(Boolean).join(' '),
  );
  expect(named.sort()).to.deep.equal(model.changes.slice(-100).sort());
}

/** Of an item or a variant, which may not be there; a third of the updates come late. */
async function setStock(
  client: Client,
  model: NaiveCatalog,
  draw: (below: number) => number,
  fields: Partial<Sold>,
): Promise<void> {
  const item = `i${draw(ITEMS)}`;
  const variant = `${item}v${draw(VARIANTS)}`;
  const kept = model.items.get(item);
  const target = kept && kept.variants.size > 0 ? { variant_id: variant } : { item_id: item };
  const found = kept && (kept.variants.size > 0 ? kept.variants.get(variant) : kept);
  const isLate = draw(3) === 0;
  const update = { ...target, ...toBody(fields), ...(isLate && { at: '2020-01-01T00:00:00Z' }) };
  const { body } = await client.post<any>('/v1/catalog/stock', { updates: [update] }, { expect: 200 });
  expect(body.updates[0].status === 'rejected').to.equal(found === undefined);
  if (found && !isLate) model.sell(kept?.variants.size ? `${item} ${variant}` : item, found, fields, Date.now());
}

interface Shown {
  title: string;
  status: string;
  because: string | null;
  sold: Record<string, [number | null, number | null]>;
}

function known({ items }: NaiveCatalog): Record<string, Shown> {
  const of = ({ stock, price }: Sold): [number | null, number | null] => [stock, price];
  return Object.fromEntries(
    [...items].map(([id, { title, status, because, variants, ...own }]) => [
      id,
      {
        ...{ title, status, because },
        sold: Object.fromEntries(
          variants.size > 0 ? [...variants].map(([name, one]) => [name, of(one)]) : [[id, of(own)]],
        ),
      },
    ]),
  );
}

async function readAll(client: Client): Promise<Record<string, Shown>> {
  const { items } = (await client.get<any>('/v1/catalog/items', { expect: 200 })).body;
  const shown: Record<string, Shown> = {};
  for (const { id } of items) {
    const { title, status, hidden_because, variants, ...own } = (await client.get<any>(`/v1/catalog/items/${id}`)).body;
    const sold = (variants.length > 0 ? variants : [{ ...own, id }]).map((one: any) => [
      one.id,
      [one.stock, one.prices.EUR?.price ?? null],
    ]);
    shown[id] = { title, status, because: hidden_because, sold: Object.fromEntries(sold) };
  }
  return shown;
}
