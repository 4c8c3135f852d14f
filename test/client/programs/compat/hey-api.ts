import { createClient, createConfig } from '../../compat/hey-api/client/index.ts';
import { createCompatEvent, createCompatProfile } from '../../compat/hey-api/index.ts';
import type { Outcome } from '../outcome.ts';
import { INVALID, ORDER, PROFILE } from './documents.ts';

export async function run(baseUrl: string, key: string): Promise<Outcome> {
  const client = createClient(createConfig({ baseUrl, auth: key }));
  const order = await createCompatEvent({ client, body: ORDER, throwOnError: true });
  const profile = await createCompatProfile({ client, body: PROFILE, throwOnError: true });
  const { error } = await createCompatEvent({ client, body: INVALID });
  const [problem] = error?.errors ?? [];
  if (!problem) throw new Error('It was not refused');
  return {
    event: order.data.data.attributes.metric.data.attributes.name,
    profile: profile.data.data.attributes.email,
    code: problem.code,
    field: problem.source.pointer,
  };
}
