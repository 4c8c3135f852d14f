import { until } from '../../support/process.ts';
import type { TestService } from '../../support/service.ts';
import type { Shop } from './shop.ts';

/** Headers of a request by the browser of a person. */
export const PERSON = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

/** Requests a path of the service as the browser of a person does, if no other headers are given. */
export function openPath(
  service: Pick<TestService, 'url'>,
  path: string,
  headers: Record<string, string> = PERSON,
  method = 'GET',
): Promise<Response> {
  return fetch(`${service.url}${path}`, { redirect: 'manual', headers, method });
}

/** Has so many hits of a message been there for longer than they are waited for, and the message been read for long. */
export async function letTimePass(shop: Shop, id: string, count: number): Promise<void> {
  const hits = () => shop.query(`select id from message_hit where message_id = '${id}'`);
  await until(async () => (await hits()).length === count, `${count} hits are recorded`);
  await shop.query(`update message set begun_at = begun_at - interval '1 hour' where id = '${id}'`);
  await shop.query(`update message_hit set hit_at = hit_at - interval '30 s' where message_id = '${id}'`);
}

/** The same, and waits until they are judged. Returns the message. */
export async function judged(shop: Shop, id: string, count: number): Promise<any> {
  await letTimePass(shop, id, count);
  await until(async () => {
    const waiting = await shop.query(`select from message_hit where message_id = '${id}' and judged_at is null`);
    return waiting.length === 0;
  }, 'hits are judged');
  return await shop.message(id);
}
