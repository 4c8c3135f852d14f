import { createEvent, upsertProfile } from '../../native/orval.ts';
import type { Outcome } from '../outcome.ts';

/** The address of the service is in the client that orval makes. */
export async function run(_baseUrl: string, key: string): Promise<Outcome> {
  const options = { headers: { Authorization: `Bearer ${key}` } };
  const order = await createEvent(
    { event_type: 'placed_order', profile: { email: 'ada@example.com' }, properties: { value: 59.9 } },
    options,
  );
  const profile = await upsertProfile(
    { identifiers: { email: 'ada@example.com' }, attributes: { first_name: 'Ada' } },
    options,
  );
  const refused = await createEvent({ event_type: 'visit', profile: { email: 'nobody' } }, options);
  if (order.status !== 201 || profile.status !== 200) throw new Error('It was not recorded');
  if (refused.status !== 400) throw new Error('It is another error');
  return {
    event: order.data.event_type,
    profile: profile.data.identifiers.email,
    code: refused.data.error.code,
    field: refused.data.error.field,
  };
}
