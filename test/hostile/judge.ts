import { expect } from 'chai';
import type { Response } from '../support/client.ts';
import { until } from '../support/process.ts';
import type { TestService } from '../support/service.ts';
import type { Place } from './places.ts';

/** Holds for every answer to whatever was sent: it blames the client or nobody. */
export async function checkResponse<Answer extends Response<any>>(
  what: string,
  sending: () => Promise<Answer>,
): Promise<Answer> {
  const answer = await sending();
  expect(answer.status, `${what}: ${JSON.stringify(answer.body)}`).to.be.below(500);
  return answer;
}

/** What an error names as wrong, as steps into the body; none for the body as a whole. */
export function blamedPaths(body: any): string[][] {
  if (body.error) return [(body.error.field ?? '').split(/[.[\]]+/).filter(Boolean)];
  return body.errors.map(({ source }: any) =>
    (source.pointer ?? '')
      .split('/')
      .slice(1)
      .map((step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~')),
  );
}

/** Whether some error names a place, what it is part of, or a part of it. */
export function blamesPlace(body: unknown, place: Place): boolean {
  return blamedPaths(body).some((steps) => steps.every((step, i) => i >= place.length || step === String(place[i])));
}

/** Fails unless the service does what it did before, and its jobs come to their end. */
export async function expectHealth(service: TestService): Promise<void> {
  const client = await service.client();
  await until(async () => (await client.get('/health/ready')).status === 200, 'the service is ready');
  const event = { event_type: 'x', profile: { email: 'a@example.com' } };
  expect((await client.post('/v1/events', event)).status).to.equal(201);
  const open = "select 1 from import_job where status <> 'complete'";
  await until(async () => (await service.database.query(open)).length === 0, 'the bulk jobs are complete');
  expect(({} as Record<string, unknown>).polluted).to.equal(undefined);
}
