import { createCompatEvent, createCompatProfile, defaults } from '../../compat/oazapfts.ts';
import type { Outcome } from '../outcome.ts';
import { INVALID, ORDER, PROFILE } from './documents.ts';

export async function run(baseUrl: string, key: string): Promise<Outcome> {
  Object.assign(defaults, { baseUrl, headers: { Authorization: `Compat-API-Key ${key}` } });
  const order = await createCompatEvent(ORDER);
  const profile = await createCompatProfile(PROFILE);
  const refused = await createCompatEvent(INVALID);
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
