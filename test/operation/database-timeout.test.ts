import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { databaseAt } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';

const UPSERT = { identifiers: { external_id: 'ada' }, attributes: { plan: 'gold' } };

describe('The time that a request waits for the database', () => {
  for (const [title, env, status] of [
    ['is as long as DATABASE_TIMEOUT says', { DATABASE_TIMEOUT: '20' }, 200],
    ['ends before 4 s by default', { DATABASE_TIMEOUT: '' }, 500],
  ] as const) {
    it(title, async () => {
      const service = await TestService.start(env);
      const other = databaseAt(service.database.url);
      try {
        const client = await service.client();
        await client.post('/v1/profiles/upsert', { identifiers: UPSERT.identifiers }, { expect: 201 });
        const lock = other.query('begin; lock table profile in access exclusive mode; select pg_sleep(4); commit');
        while (!(await isLocked(service))) await sleep(10);
        const answer = await client.post('/v1/profiles/upsert', UPSERT);
        expect([answer.status, answer.body.error?.code]).to.deep.equal([
          status,
          status === 500 ? 'database_error' : undefined,
        ]);
        await lock;
      } finally {
        await service.stop();
      }
    });
  }
});

async function isLocked({ database }: TestService): Promise<boolean> {
  const found = await database.query(
    "select 1 from pg_locks where relation = 'profile'::regclass and mode = 'AccessExclusiveLock' and granted",
  );
  return found.length > 0;
}
