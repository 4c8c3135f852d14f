import { Api, type ErrorResponse, type Event, type HttpResponse } from '../../native/swagger-typescript-api.ts';
import type { Outcome } from '../outcome.ts';

export async function run(baseUrl: string, key: string): Promise<Outcome> {
  const { v1 } = new Api({ baseUrl, baseApiParams: { headers: { Authorization: `Bearer ${key}` } } });
  const order = await v1.createEvent({
    event_type: 'placed_order',
    profile: { email: 'ada@example.com' },
    properties: { value: 59.9 },
  });
  const profile = await v1.upsertProfile({
    identifiers: { email: 'ada@example.com' },
    attributes: { first_name: 'Ada' },
  });
  const refused = await v1
    .createEvent({ event_type: 'visit', profile: { email: 'nobody' } })
    .catch((response: HttpResponse<Event, ErrorResponse>) => response);
  if (!('error' in refused)) throw new Error('It is another error');
  const { error } = refused.error as ErrorResponse;
  return {
    event: order.data.event_type,
    profile: profile.data.identifiers.email,
    code: error.code,
    field: error.field,
  };
}
