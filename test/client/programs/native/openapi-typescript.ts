import createClient from 'openapi-fetch';
import type { paths } from '../../native/openapi-typescript.ts';
import type { Outcome } from '../outcome.ts';

export async function run(baseUrl: string, key: string): Promise<Outcome> {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
  const order = await client.POST('/v1/events', {
    body: { event_type: 'placed_order', profile: { email: 'ada@example.com' }, properties: { value: 59.9 } },
  });
  const profile = await client.POST('/v1/profiles/upsert', {
    body: { identifiers: { email: 'ada@example.com' }, attributes: { first_name: 'Ada' } },
  });
  const { error } = await client.POST('/v1/events', {
    body: { event_type: 'visit', profile: { email: 'nobody' } },
  });
  if (!order.data || !profile.data) throw new Error('It was refused');
  if (!error || error.error.code === 'rate_limit_exceeded') throw new Error('It is another error');
  return {
    event: order.data.event_type,
    profile: profile.data.identifiers.email,
    code: error.error.code,
    field: error.error.field,
  };
}
