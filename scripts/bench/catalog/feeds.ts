import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../automations/stage.ts';
import type { Target } from '../service.ts';
import { request } from './requests.ts';

/** Characters of a part of a file. */
const PART = 262_144;

/** A file as a shop offers it: with a text, a picture and attributes. */
export function tableOf(items: number): string {
  const head = 'id,title,description,link,image_link,brand,price,sale_price,stock,origin,organic,grams\n';
  const rows = Array.from({ length: items }, (_, n) => {
    const title = `Darjeeling No. ${n}`;
    const text = `"${title}. ${'Grown in the mountains, by hand. '.repeat(6)}"`;
    const urls = `https://shop.example/items/${n},https://shop.example/images/${n}.jpg`;
    return `F-${n},${title},${text},${urls},Brand ${n % 500},12.90 EUR,9.90 EUR,${n % 40},IN,${n % 2 === 0},${n % 500}\n`;
  });
  return head + rows.join('');
}

/** The same in the form of Google's, in which each of the two sizes of an item comes by itself. */
export function xmlOf(items: number): string {
  const products = Array.from({ length: items }, (_, n) =>
    ['50 g', '100 g'].map(
      (size, i) => `<item><g:id>F-${n}-${i}</g:id><g:item_group_id>F-${n}</g:item_group_id>
<title>Darjeeling No. ${n} &amp; more</title><description>${'Grown in the mountains, by hand. '.repeat(6)}</description>
<link>https://shop.example/items/${n}</link><g:image_link>https://shop.example/images/${n}.jpg</g:image_link>
<g:brand>Brand ${n % 500}</g:brand><g:price>12.90 EUR</g:price><g:sale_price>9.90 EUR</g:sale_price><g:size>${size}</g:size>
<g:availability>in_stock</g:availability><g:product_type>Tea &gt; Sort ${n % 50}</g:product_type></item>\n`,
    ),
  );
  return `<rss xmlns:g="http://base.google.com/ns/1.0" version="2.0"><channel>\n${products.flat().join('')}</channel></rss>`;
}

interface Feed {
  id: string;
  last_run: { id: string; status: string; error: string | null } | null;
}

/** A feed that is read from files, which are stored before they are read. */
export class FileFeed {
  readonly #service: Target;
  readonly #store: Store;
  readonly #id: string;
  #parts = 0;
  #lastRun: string | undefined;

  private constructor(service: Target, store: Store, id: string) {
    this.#service = service;
    this.#store = store;
    this.#id = id;
  }

  static async create(service: Target, store: Store, format: 'csv' | 'xml'): Promise<FileFeed> {
    const body = { name: format, source: 'file', format };
    const { id } = await request<Feed>(service, store, '/v1/catalog/feeds', body);
    return new FileFeed(service, store, id);
  }

  async upload(text: string): Promise<void> {
    this.#parts = Math.ceil(text.length / PART);
    for (let part = 0; part < this.#parts; part += 1) {
      const body = { text: text.slice(part * PART, (part + 1) * PART) };
      await request(this.#service, this.#store, `${this.#path}/parts/${part + 1}`, body, 'PUT');
    }
  }

  /** Has what was uploaded read, and waits until it is. */
  async read(): Promise<void> {
    await request(this.#service, this.#store, `${this.#path}/run`, { part_count: this.#parts });
    for (;;) {
      const { last_run: run } = await request<Feed>(this.#service, this.#store, this.#path);
      if (run && run.id !== this.#lastRun && run.status !== 'running') {
        if (run.status !== 'complete') throw new Error(`A feed is ${run.status}: ${run.error}`);
        this.#lastRun = run.id;
        return;
      }
      await sleep(250);
    }
  }

  get #path(): string {
    return `/v1/catalog/feeds/${this.#id}`;
  }
}
