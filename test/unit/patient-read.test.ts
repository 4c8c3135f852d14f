import { expect } from 'chai';
import type { Sql } from '../../src/db/sql.ts';
import { patientRead } from '../../src/domain/profile-exports/patient-read.ts';
import { overloaded } from '../../src/domain/service-error.ts';
import type { WithConnection } from '../../src/domain/store-connections.ts';

describe('A page of an export', () => {
  function failing(times: number, error: Error) {
    const tried = { count: 0 };
    const reading: WithConnection = async (_storeId, work) => {
      tried.count += 1;
      if (tried.count <= times) throw error;
      return await work({} as Sql, {} as Sql);
    };
    return { tried, read: patientRead(reading, 'store', { attempts: 3, pauseMs: 1 }) };
  }
  const outcome = (read: ReturnType<typeof patientRead>) =>
    read(async () => 'read').catch((error: Error) => error.message);

  it('waits for a connection for some time', async () => {
    expect(await outcome(failing(2, overloaded('busy')).read)).to.equal('read');
    expect(await outcome(failing(3, overloaded('busy')).read)).to.equal('busy');
  });

  it('fails at once where anything else fails', async () => {
    const { tried, read } = failing(1, new Error('broken'));
    expect(await outcome(read)).to.equal('broken');
    expect(tried.count).to.equal(1);
  });
});
