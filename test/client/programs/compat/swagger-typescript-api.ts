import { Api, type ErrorDocument, type EventDocument, type HttpResponse } from '../../compat/swagger-typescript-api.ts';
import type { Outcome } from '../outcome.ts';
import { INVALID, ORDER, PROFILE } from './documents.ts';

export async function run(baseUrl: string, key: string): Promise<Outcome> {
  const headers = { Authorization: `Compat-API-Key ${key}` };
  const { compat } = new Api({ baseUrl, baseApiParams: { headers, format: 'json' } });
  const order = await compat.createCompatEvent(ORDER);
  const profile = await compat.createCompatProfile(PROFILE);
  const refused = await compat
    .createCompatEvent(INVALID)
    .catch((response: HttpResponse<EventDocument, ErrorDocument>) => response);
  const [problem] = refused.error.errors;
  return {
    event: order.data.data.attributes.metric.data.attributes.name,
    profile: profile.data.data.attributes.email,
    code: String(problem?.code),
    field: problem?.source.pointer,
  };
}
