import { expect } from 'chai';
import { judged, openPath } from '../../messages/support/hits.ts';
import { Shop } from '../../messages/support/shop.ts';
import { until } from '../../support/process.ts';
import type { TestService } from '../../support/service.ts';

const BODY = `<p>Hello <a href="https://shop.example/sale">Sale</a> <a href="https://shop.example/new">New</a>
<a href="{{ unsubscribe_url }}">Unsubscribe</a></p>`;

/** A shop whose messages earn something. */
export class Earnings {
  readonly shop: Shop;
  readonly #service: Pick<TestService, 'url'>;
  /** Requests for the links and images of a message so far. */
  readonly #hits = new Map<string, number>();

  constructor(service: Pick<TestService, 'url'>, shop: Shop) {
    this.#service = service;
    this.shop = shop;
  }

  /** Of a new store. */
  static async open(service: TestService): Promise<Earnings> {
    return new Earnings(service, await Shop.open(service));
  }

  /** Sends a customer a message. Returns its id. */
  async send(to: string, more: object = {}): Promise<string> {
    const id = await this.shop.send(await this.shop.template({ body: BODY, ...more }), to);
    expect((await this.shop.ended(id)).status).to.equal('sent');
    return id;
  }

  /** Has a person follow a link of a message, or a program. Returns when, half a minute ago, in milliseconds. */
  async click(id: string, headers?: Record<string, string>, link = 0): Promise<number> {
    await this.hit(id, link, headers);
    return await this.judge(id);
  }

  /** The request alone. */
  async hit(id: string, link = 0, headers?: Record<string, string>): Promise<void> {
    const paths = [...(await this.#html(id)).matchAll(/"[^"]*?(\/m\/c\/[^"]*\?[^"]*)"/g)];
    await this.#request(id, paths[link]?.[1], headers);
  }

  /** Has a person open a message. */
  async look(id: string): Promise<number> {
    const [, path] = /<img src="[^"]*?(\/m\/o\/[^"]*)"/.exec(await this.#html(id)) ?? [];
    await this.#request(id, path);
    return await this.judge(id);
  }

  async judge(id: string): Promise<number> {
    await judged(this.shop, id, this.#hits.get(id) ?? 0);
    const [last] = await this.shop.query(`
      select extract(epoch from max(hit_at)) * 1000 as at from message_hit where message_id = '${id}'`);
    return Number(last.at);
  }

  /** Records an order of a customer, or another event. Returns the id of the event. */
  async order(email: string, properties: object, more: object = {}): Promise<string> {
    const body = { event_type: 'placed_order', profile: { email }, properties, ...more };
    const { id } = (await this.shop.client.post<any>('/v1/events', body)).body;
    expect(id).to.be.a('string');
    return id;
  }

  refund(email: string, properties: object, more: object = {}): Promise<string> {
    return this.order(email, properties, { event_type: 'refunded_order', ...more });
  }

  /** Waits until all that is recorded is credited. */
  async settled(): Promise<void> {
    await until(async () => {
      const left = await this.shop.query(`
        select from addition a join feed_reader r on r.store_id = a.store_id and r.name = 'attribution'
        where a.store_id = '${this.shop.storeId}' and (a.position is null or a.position > r.entry)`);
      return left.length === 0;
    }, 'orders are credited');
  }

  /** What messages have earned by now. */
  async report(query = ''): Promise<any> {
    await this.settled();
    const to = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
    const from = new Date(Date.now() - 300 * 86_400_000).toISOString().slice(0, 10);
    const path = `/v1/attribution?from=${from}&to=${to}${query && `&${query}`}`;
    return (await this.shop.client.get<any>(path, { expect: 200 })).body;
  }

  /** The same, each currency as one text: orders, amount and currency. */
  async earned(query = ''): Promise<string[]> {
    return (await this.report(query)).revenue.map(textOf);
  }

  /** The same of each template, in the order of the templates. */
  async byMessage(ids: readonly string[]): Promise<string[][]> {
    const { groups } = await this.report('group_by=template');
    const templates = await Promise.all(ids.map(async (id) => (await this.shop.message(id)).template_id));
    return templates.map((id) => (groups.find((group: any) => group.template_id === id)?.revenue ?? []).map(textOf));
  }

  async #html(id: string): Promise<string> {
    return (await this.shop.content(id)).html;
  }

  async #request(id: string, path: string | undefined, headers?: Record<string, string>): Promise<void> {
    const { status } = await openPath(this.#service, (path ?? '').replaceAll('&amp;', '&'), headers);
    expect(status).to.be.oneOf([200, 302]);
    this.#hits.set(id, (this.#hits.get(id) ?? 0) + 1);
  }
}

const textOf = ({ currency, order_count, amount, refunded_amount: refunded }: any): string =>
  `${order_count} of ${amount} ${currency}${refunded === '0' ? '' : ` less ${refunded}`}`;
