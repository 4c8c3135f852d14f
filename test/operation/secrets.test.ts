import { expect } from 'chai';
import { openDatabase } from '../../src/db/orm.ts';
import { openSecrets } from '../../src/domain/secrets/open-secrets.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';
import { ServiceProcess } from '../support/process.ts';

const PLACE = ['test'];
const [FIRST, SECOND] = ['a'.repeat(32), 'b'.repeat(32)] as const;

describe('The keys of secrets', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createDatabase();
  });
  afterEach(() => database.drop());

  const open = async (...configured: string[]) => {
    const { sql, close } = await openDatabase(database.address, 1);
    try {
      return await openSecrets(sql, configured);
    } finally {
      await close();
    }
  };

  it('are one that is drawn, the same for all processes, where none is configured', async () => {
    const all = await Promise.all([open(), open(), open()]);
    const sealed = all[0].seal('text', PLACE);
    for (const secrets of all) expect(secrets.open(sealed, PLACE)).to.equal('text');
    expect(await database.query('select name from drawn_key')).to.have.length(1);
  });

  it('are those that are configured, and the one that was drawn before opens what it has sealed', async () => {
    const sealed = (await open()).seal('text', PLACE);
    const configured = await open(FIRST);
    expect(configured.open(sealed, PLACE)).to.equal('text');
    const sealedAnew = configured.seal('text', PLACE);
    expect((await open(SECOND, FIRST)).open(sealedAnew, PLACE)).to.equal('text');
    const other = await open(SECOND);
    expect(() => other.open(sealedAnew, PLACE)).to.throw(/not known/);
  });

  it('are not drawn where one is configured', async () => {
    await open(FIRST);
    expect(await database.query('select name from drawn_key')).to.deep.equal([]);
  });

  it('are told of at the start, where none is configured', async () => {
    const linesOf = async (env: NodeJS.ProcessEnv) => {
      const service = new ServiceProcess({ DATABASE_URL: database.url, LOG_LEVEL: 'info', ...env });
      await service.url();
      const { stdout } = await service.stop();
      return stdout.split('\n').filter((line) => line.includes('SECRET_KEY'));
    };
    expect(await linesOf({})).to.have.length(1);
    expect(await linesOf({ SECRET_KEY: FIRST })).to.deep.equal([]);
  });
});
