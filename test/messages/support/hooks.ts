import { createHmac, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { TestService } from '../../support/service.ts';
import { Shop } from './shop.ts';

export const SECRET = 'a secret of a shop, for hooks'.replaceAll(' ', '-');

/** Headers that sign a body as the Standard Webhooks specification says. */
export function signed(body: string | Buffer, secret = SECRET, at = Date.now(), id: string = randomUUID()) {
  const timestamp = String(Math.floor(at / 1000));
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/** A store whose outbox is told what becomes of its messages. */
export class Hooks {
  readonly shop: Shop;
  readonly senderId: string;
  readonly #service: TestService;
  #urls = { events_url: '', dsn_url: '' };

  private constructor(service: TestService, shop: Shop, senderId: string) {
    this.#service = service;
    this.shop = shop;
    this.senderId = senderId;
  }

  static async open(service: TestService, settings: object = { provider: 'generic', secret: SECRET }): Promise<Hooks> {
    const shop = await Shop.open(service);
    const { senders } = (await shop.client.get<any>('/v1/senders', { expect: 200 })).body;
    const hooks = new Hooks(service, shop, senders[0].id);
    await hooks.configure(settings);
    return hooks;
  }

  async configure(settings: object, expected = 200): Promise<any> {
    const { body } = await this.shop.client.send<any>(
      'PUT',
      `/v1/senders/${this.senderId}/feedback`,
      JSON.stringify(settings),
      { headers: { 'Content-Type': 'application/json' }, expect: expected },
    );
    if (expected === 200) this.#urls = body;
    return body;
  }

  async counts(): Promise<any> {
    return (await this.shop.client.get<any>(`/v1/senders/${this.senderId}/feedback`, { expect: 200 })).body;
  }

  /** A message to a new customer, as it was kept. */
  async sent(
    to = `${randomUUID()}@shop.example`,
    template?: string,
  ): Promise<{ id: string; customer: string; to: string }> {
    const customer = await this.shop.customer(to);
    const id = await this.shop.send(template ?? (await this.shop.template()), to);
    expect((await this.shop.ended(id)).status).to.equal('sent');
    return { id, customer, to };
  }

  /** Requests `events` or `dsn` of the sender. Returns the status and the body. */
  async post(
    what: 'events' | 'dsn',
    body: string | Buffer,
    headers: Record<string, string> = {},
    url = this.#service.url,
  ): Promise<{ status: number; body: any }> {
    const { pathname } = new URL(what === 'events' ? this.#urls.events_url : this.#urls.dsn_url);
    const response = await fetch(url + pathname, { method: 'POST', body, headers });
    return { status: response.status, body: await response.json() };
  }

  /** Tells items in the form of the service, signed. */
  async tell(...items: object[]): Promise<any> {
    const told = items.map((item) => ({ id: randomUUID(), ...item }));
    const body = JSON.stringify({ items: told });
    const response = await this.post('events', body, { 'Content-Type': 'application/json', ...signed(body) });
    expect(response.status, JSON.stringify(response.body)).to.equal(200);
    return response.body;
  }

  async consent(customer: string): Promise<any> {
    return (await this.shop.client.get<any>(`/v1/profiles/${customer}`, { expect: 200 })).body.consent.email;
  }

  /** Suppressed addresses of the store: why, and whether for good. */
  async suppressed(address: string): Promise<[reason: string, isForGood: boolean][]> {
    const { addresses } = (
      await this.shop.client.get<any>(`/v1/suppressed-addresses?address=${encodeURIComponent(address)}`, {
        expect: 200,
      })
    ).body;
    return addresses.map(({ reason, until }: any) => [reason, until === null]);
  }

  /** Types of the events of a customer, the first one first. */
  async events(customer: string): Promise<any[]> {
    const { events } = (await this.shop.client.get<any>(`/v1/profiles/${customer}/events`, { expect: 200 })).body;
    return events.toReversed();
  }
}
