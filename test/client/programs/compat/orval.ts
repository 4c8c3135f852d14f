import { createCompatEvent, createCompatProfile } from '../../compat/orval.ts';
import type { Outcome } from '../outcome.ts';
import { INVALID, ORDER, PROFILE } from './documents.ts';

/** The address of the service is in the client that orval makes. */
export async function run(_baseUrl: string, key: string): Promise<Outcome> {
  const options = { headers: { Authorization: `Compat-API-Key ${key}` } };
  const order = await createCompatEvent(ORDER, options);
  const profile = await createCompatProfile(PROFILE, options);
  const refused = await createCompatEvent(INVALID, options);
  if (order.status !== 202 || profile.status !== 201) throw new Error('It was not recorded');
  if (refused.status !== 400) throw new Error('It is another error');
  const [problem] = refused.data.errors;
  return {
    event: order.data.data.attributes.metric.data.attributes.name,
    profile: profile.data.data.attributes.email,
    code: String(problem?.code),
    field: problem?.source.pointer,
  };
}
