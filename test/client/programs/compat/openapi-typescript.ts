import createClient from 'openapi-fetch';
import type { paths } from '../../compat/openapi-typescript.ts';
import type { Outcome } from '../outcome.ts';
import { INVALID, ORDER, PROFILE } from './documents.ts';

export async function run(baseUrl: string, key: string): Promise<Outcome> {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Compat-API-Key ${key}` } });
  const order = await client.POST('/compat/v1/events', { body: ORDER });
  const profile = await client.POST('/compat/v1/profiles', { body: PROFILE });
  const { error } = await client.POST('/compat/v1/events', { body: INVALID });
  const [problem] = error?.errors ?? [];
  if (!order.data || !profile.data || !problem) throw new Error('It was refused, or was not');
  return {
    event: order.data.data.attributes.metric.data.attributes.name,
    profile: profile.data.data.attributes.email,
    code: problem.code,
    field: problem.source.pointer,
  };
}
