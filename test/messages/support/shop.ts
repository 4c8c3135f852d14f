import { expect } from 'chai';
import type { Client } from '../../support/client.ts';
import type { TestDatabase } from '../../support/postgres.ts';
import { until } from '../../support/process.ts';
import type { TestService } from '../../support/service.ts';

/** An account at Twilio, and its auth token. */
export const [ACCOUNT, TOKEN] = ['AC0123456789abcdef0123456789abcdef', 'fedcba9876543210fedcba9876543210'];

/** A store that writes to its customers. */
export class Shop {
  readonly client: Client;
  readonly storeId: string;
  readonly #database: Pick<TestDatabase, 'query'>;

  private constructor(database: Pick<TestDatabase, 'query'>, client: Client, storeId: string) {
    this.#database = database;
    this.client = client;
    this.storeId = storeId;
  }

  static async open(service: TestService): Promise<Shop> {
    const { key, storeId } = await service.newKey();
    return new Shop(service.database, (await service.client()).as(key), storeId);
  }

  /** One that there is already, by a client of it. */
  static of(database: Pick<TestDatabase, 'query'>, client: Client, storeId: string): Shop {
    return new Shop(database, client, storeId);
  }

  /** A customer by an address or a number, who has subscribed to what goes there, unless another choice is given. Returns their id. */
  async customer(to: string, choice: 'subscribed' | 'unsubscribed' | 'none' = 'subscribed'): Promise<string> {
    const profile = { identifiers: identifiersOf(to), attributes: { first_name: 'Ada' } };
    const { id } = (await this.client.post<any>('/v1/profiles/upsert', profile)).body;
    if (choice !== 'none') await this.consent(id, { status: choice }, channelOf(to));
    return id;
  }

  async choose(id: string, status: 'subscribed' | 'unsubscribed'): Promise<void> {
    await this.consent(id, { status });
  }

  /** Records what a customer chose of a channel, or the store. */
  async consent(id: string, change: object, channel: 'email' | 'sms' = 'email'): Promise<void> {
    await this.client.send('PUT', `/v1/profiles/${id}/consent`, JSON.stringify({ [channel]: change }), {
      expect: 200,
      headers: { 'Content-Type': 'application/json' },
    });
  }

  /** Publishes a template of which messages are made. Returns its id. */
  async template(draft: object = {}): Promise<string> {
    const body = {
      name: 'Delivered',
      kind: 'html',
      subject: 'Hello {{ profile.attributes.first_name }}',
      body: '<p>Your order {{ data.order | default: "is here" }}.</p><p><a href="{{ unsubscribe_url }}">Unsubscribe</a></p>',
      ...draft,
    };
    const { id } = (await this.client.post<any>('/v1/templates', body, { expect: 201 })).body;
    await this.client.post(`/v1/templates/${id}/publish`, { revision: 1 }, { expect: 200 });
    return id;
  }

  /** A sender whose relay listens on this machine, as if it had passed its checks. Returns its id. */
  async relay(port: number, more: object = {}): Promise<string> {
    const body = {
      name: 'Relay',
      kind: 'smtp',
      from_email: 'hello@shop.example',
      settings: { host: '127.0.0.1', port, security: 'starttls' },
      max_per_second: 500,
      ...more,
    };
    return await this.#ready(body);
  }

  /** The same for text messages, to an endpoint. Returns the id of the sender, and the secret that signs. */
  async texter(url: string, more: object = {}): Promise<{ id: string; secret: string; endpointId: string }> {
    const { secret, endpoint } = (
      await this.client.post<any>('/v1/webhook-endpoints', { url, name: 'Texts' }, { expect: 201 })
    ).body;
    const settings = { endpoint_id: endpoint.id };
    const id = await this.#ready({ name: 'Texts', kind: 'webhook', settings, max_per_second: 500, ...more });
    return { id, secret, endpointId: endpoint.id };
  }

  /** The same by an account at Twilio. Returns the id of the sender. */
  async twilio(more: object = {}): Promise<string> {
    const settings = { account_sid: ACCOUNT, auth_token: TOKEN, from: '+15005550006' };
    return await this.#ready({ name: 'Twilio', kind: 'twilio', settings, max_per_second: 500, ...more });
  }

  async #ready(body: object): Promise<string> {
    const { id } = (await this.client.post<any>('/v1/senders', body, { expect: 201 })).body;
    const checks = JSON.stringify([{ name: 'connection', ok: true, detail: 'It answers' }]);
    await this.query(`update sender set checks = '${checks}', checked_at = now() where id = '${id}'`);
    return id;
  }

  async query(statement: string): Promise<any[]> {
    return await this.#database.query(statement);
  }

  /** Has a message sent to an address or a number. Returns its id. */
  async send(templateId: string, to: string, more: object = {}): Promise<string> {
    const body = { template_id: templateId, profile: identifiersOf(to), ...more };
    return (await this.client.post<any>('/v1/messages', body, { expect: 201 })).body.id;
  }

  async message(id: string): Promise<any> {
    return (await this.client.get<any>(`/v1/messages/${id}`, { expect: 200 })).body;
  }

  /** Waits until nothing more is done for a message; returns it. */
  async ended(id: string): Promise<any> {
    let message: any;
    await until(async () => {
      message = await this.message(id);
      return !['waiting', 'claimed', 'sending'].includes(message.status);
    }, `message ${id} has ended`);
    return message;
  }

  /** Sends a message, and returns what became of it: its status and the reason. */
  async fate(templateId: string, to: string, more: object = {}): Promise<[string, string | null]> {
    const { status, reason } = await this.ended(await this.send(templateId, to, more));
    return [status, reason];
  }

  async content(id: string): Promise<any> {
    return (await this.client.get<any>(`/v1/messages/${id}/content`, { expect: 200 })).body;
  }
}

function channelOf(to: string): 'email' | 'sms' {
  return to.includes('@') ? 'email' : 'sms';
}

function identifiersOf(to: string): object {
  return channelOf(to) === 'email' ? { email: to } : { phone: to };
}

/** A header of what the outbox has kept. */
export function header(content: { headers: { name: string; value: string }[] }, name: string): string | undefined {
  return content.headers.find((one) => one.name === name)?.value;
}

/** Where a link in a header leads, on the service. */
export function pathIn(value: string | undefined): string {
  const [, url = ''] = /<([^>]+)>/.exec(value ?? '') ?? [];
  expect(url).to.match(/^https?:/);
  return new URL(url).pathname;
}
