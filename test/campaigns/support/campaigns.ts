import { expect } from 'chai';
import { Shop } from '../../messages/support/shop.ts';
import { saveMessageSettings } from '../../support/message-settings.ts';
import { until } from '../../support/process.ts';
import type { TestService } from '../../support/service.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** The campaigns of a shop. */
export class Campaigns {
  readonly shop: Shop;

  private constructor(shop: Shop) {
    this.shop = shop;
  }

  /** Of a new store, which has a postal address. */
  static async open(service: TestService): Promise<Campaigns> {
    const shop = await Shop.open(service);
    await saveMessageSettings(shop.client, { postal_address: '12 Mill Lane' }, 200);
    return new Campaigns(shop);
  }

  /** A list of customers by their addresses, who have subscribed. Returns its id. */
  async list(addresses: readonly string[] = []): Promise<string> {
    const { id } = (await this.shop.client.post<any>('/v1/lists', { name: 'Regulars' }, { expect: 201 })).body;
    for (const address of addresses) await this.shop.customer(address);
    if (addresses.length > 0) await this.join(id, addresses);
    return id;
  }

  /** As many customers who have recorded no consent, in a list that was empty. */
  async crowd(listId: string, count: number): Promise<void> {
    const { storeId } = this.shop;
    await this.shop.query(`
      with customer as materialized (select n, uuidv7() as id from generate_series(1, ${count}) n), known as (
        insert into profile (store_id, id, email, attributes, created_at, updated_at)
        select '${storeId}', id, format('m%s@example.com', n), '{}', now(), now() from customer
      ), counted as (
        update list set members = ${count} where store_id = '${storeId}' and id = '${listId}'
      )
      insert into list_member (store_id, list_id, profile_id, joined_at, how)
      select '${storeId}', '${listId}', id, now(), 'api' from customer`);
  }

  async join(listId: string, addresses: readonly string[]): Promise<void> {
    const members = addresses.map((email) => ({ email }));
    await this.shop.client.post(`/v1/lists/${listId}/members`, { members }, { expect: 200 });
  }

  /** A draft to a list. Returns its id. */
  async draft(listId: string, more: object = {}): Promise<string> {
    const template_id = await this.shop.template();
    const audience = { any: [{ list: listId }], not: [] };
    const body = { name: 'We have moved', channel: 'email', template_id, audience, ...more };
    return (await this.shop.client.post<any>('/v1/campaigns', body, { expect: 201 })).body.id;
  }

  /** Has a draft begin now, or at a time. */
  async schedule(id: string, at?: string): Promise<any> {
    const { revision } = await this.get(id);
    const body = at === undefined ? { revision } : { revision, at };
    return (await this.shop.client.post<any>(`/v1/campaigns/${id}/schedule`, body, { expect: 200 })).body;
  }

  async get(id: string): Promise<any> {
    return (await this.shop.client.get<any>(`/v1/campaigns/${id}`, { expect: 200 })).body;
  }

  async put(id: string, path: string, body: object, expected = 200): Promise<any> {
    const sent = { headers: JSON_TYPE, expect: expected };
    return (await this.shop.client.send<any>('PUT', `/v1/campaigns/${id}${path}`, JSON.stringify(body), sent)).body;
  }

  async setStatus(id: string, status: string): Promise<any> {
    return await this.put(id, '/status', { status });
  }

  /** Has the senders of the store send nothing; its outbox is there once somebody asks for them. */
  async rest(): Promise<void> {
    const { storeId, client } = this.shop;
    await client.get('/v1/senders', { expect: 200 });
    const rested = await this.shop.query(`
      update sender set resting_until = '2035-01-01Z' where store_id = '${storeId}' returning id`);
    expect(rested).to.not.deep.equal([]);
  }

  /** Waits until it has a status; returns it. */
  async reaches(id: string, status: string): Promise<any> {
    let campaign: any;
    await until(async () => {
      campaign = await this.get(id);
      return campaign.status === status;
    }, `campaign ${id} is ${status}`);
    return campaign;
  }

  async stats(id: string): Promise<any> {
    return (await this.shop.client.get<any>(`/v1/campaigns/${id}/stats`, { expect: 200 })).body;
  }

  /** How many messages there are of each status, with the reason; together they are its recipients. */
  async counts(id: string): Promise<Record<string, number>> {
    const { recipient_count: recipients, messages } = await this.stats(id);
    const counts = messages.map(({ status, reason, count }: any) => [reason ? `${status}: ${reason}` : status, count]);
    expect(messages.reduce((sum: number, { count }: any) => sum + count, 0)).to.equal(recipients);
    return Object.fromEntries(counts);
  }
}

/** Addresses of as many customers. */
export function addresses(count: number, name = 'customer'): string[] {
  return Array.from({ length: count }, (_, i) => `${name}-${i}@shop.example`);
}

/** A zone in which it is noon, give or take half an hour: tests go well at any hour. */
export function zoneAtNoon(): string {
  const offset = 12 - new Date(Date.now() + 30 * 60_000).getUTCHours();
  // The signs of these are the wrong way round.
  return offset === 0 ? 'Etc/GMT' : `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}
