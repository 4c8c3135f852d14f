import { createClient, createConfig } from '../../native/hey-api/client/index.ts';
import { createEvent, upsertProfile } from '../../native/hey-api/index.ts';
import type { Outcome } from '../outcome.ts';

export async function run(baseUrl: string, key: string): Promise<Outcome> {
  const client = createClient(createConfig({ baseUrl, auth: key }));
  const order = await createEvent({
    client,
    body: { event_type: 'placed_order', profile: { email: 'ada@example.com' }, properties: { value: 59.9 } },
    throwOnError: true,
  });
  const profile = await upsertProfile({
    client,
    body: { identifiers: { email: 'ada@example.com' }, attributes: { first_name: 'Ada' } },
    throwOnError: true,
  });
  const { error } = await createEvent({ client, body: { event_type: 'visit', profile: { email: 'nobody' } } });
  if (!error || error.error.code === 'rate_limit_exceeded') throw new Error('It is another error');
  return {
    event: order.data.event_type,
    profile: profile.data.identifiers.email,
    code: error.error.code,
    field: error.error.field,
  };
}
