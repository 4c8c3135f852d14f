import type { Client } from '../../support/client.ts';
import { until } from '../../support/process.ts';
import type { TestService } from '../../support/service.ts';

/** Settings with which webhooks can be received here. */
export const RECEIVABLE = { WEBHOOK_ALLOW_HTTP: '1', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' };

let lastId = 0;

/** A store that has endpoints, and queues deliveries for them. */
export class Merchant {
  readonly client: Client;
  readonly #service: TestService;
  readonly #storeId: string;

  private constructor(service: TestService, client: Client, storeId: string) {
    this.#service = service;
    this.client = client;
    this.#storeId = storeId;
  }

  static async open(service: TestService): Promise<Merchant> {
    const storeId = await service.newStore();
    return new Merchant(service, await service.client({ storeId }), storeId);
  }

  get storeId(): string {
    return this.#storeId;
  }

  async endpoint(url: string, limits: object = {}): Promise<{ id: string; secret: string }> {
    const input = { url, name: 'Test', ...limits };
    const { body } = await this.client.post<any>('/v1/webhook-endpoints', input, { expect: 201 });
    return { id: body.endpoint.id, secret: body.secret };
  }

  async change(id: string, input: object): Promise<void> {
    const body = JSON.stringify({ name: 'Test', max_per_second: 10, max_concurrent: 5, secret_headers: [], ...input });
    const options = { headers: { 'Content-Type': 'application/json' }, expect: 200 };
    await this.client.send('PUT', `/v1/webhook-endpoints/${id}`, body, options);
  }

  async health(id: string): Promise<any> {
    return (await this.client.get<any>(`/v1/webhook-endpoints/${id}`)).body;
  }

  /** Queues deliveries, as steps of automations do. Returns their ids. */
  async queue(endpointId: string, count = 1, columns: Record<string, string> = {}): Promise<string[]> {
    const ids = Array.from({ length: count }, () => {
      lastId += 1;
      return `01a1f84a-0000-7000-8000-${String(lastId).padStart(12, '0')}`;
    });
    const names = Object.keys(columns).map((name) => `, ${name}`);
    const values = Object.values(columns).map((value) => `, ${value}`);
    const rows = ids.map(
      (id) => `('${this.#storeId}', '${id}', '${endpointId}', false, 'test.queued',
        convert_to('{"type":"test.queued","data":{"id":"${id}"}}', 'UTF8'), 'pending', now(), 0, 0, now()${values.join('')})`,
    );
    await this.#service.database.query(
      `insert into webhook_delivery (store_id, id, endpoint_id, is_awaited, message_type, body, status, due_at, attempt,
        claim, created_at${names.join('')}) values ${rows.join(', ')}`,
    );
    return ids;
  }

  async query(text: string): Promise<any[]> {
    return await this.#service.database.query(text.replaceAll('$store', `'${this.#storeId}'`));
  }

  async deliveries(endpointId: string): Promise<any[]> {
    return (await this.client.get<any>(`/v1/webhook-endpoints/${endpointId}/deliveries?limit=100`)).body.deliveries;
  }

  async delivery(id: string): Promise<any> {
    return (await this.client.get<any>(`/v1/webhook-deliveries/${id}`)).body;
  }

  /** Until all deliveries of an endpoint have one of these statuses. */
  async untilAll(endpointId: string, ...statuses: string[]): Promise<void> {
    await until(
      async () => (await this.deliveries(endpointId)).every(({ status }) => statuses.includes(status)),
      `all deliveries are ${statuses.join(' or ')}`,
    );
  }

  /** Makes what waits be due now. */
  async hasten(): Promise<void> {
    await this.query(`update webhook_delivery set due_at = now() where store_id = $store and status = 'pending'`);
  }
}
