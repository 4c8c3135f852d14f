import { createClient, createConfig } from '../../native/hey-api/client/index.ts';
import { createEvent, upsertProfile } from '../../native/hey-api/index.ts';
import type { AutomationStep, UnknownStep } from '../../native/hey-api/types.gen.ts';
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

/** Steps of all types, those that a later version has added among them. */
export function inWords(read: AutomationStep | UnknownStep): string {
  const step = read as AutomationStep;
  switch (step.type) {
    case 'delay':
      return `wait for ${step.for ?? step.until?.at}`;
    case 'split':
      return `draw one of ${step.weights.length}`;
    default:
      return read.type;
  }
}
