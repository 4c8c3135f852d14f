import { expect } from 'chai';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';
import { Command, ServiceProcess, until } from '../support/process.ts';

describe('A log that nobody reads', () => {
  let database: TestDatabase;

  before(async () => {
    database = await createDatabase();
  });
  after(() => database.drop());

  it('does not delay the exit if its reader is gone', async () => {
    const service = new ServiceProcess({ DATABASE_URL: database.url });
    await service.url();
    service.closeOutput();
    service.signal('SIGTERM');
    expect(await service.code).to.equal(0);
  });

  it('delays neither requests nor the exit if its reader is stuck', async () => {
    const service = new ServiceProcess({ DATABASE_URL: database.url });
    const url = await service.url();
    service.stopReading();
    // More than a pipe holds, and than what is read ahead of it.
    for (let n = 0; n < 1500; n += 1) expect((await fetch(`${url}/v1/nowhere`)).status).to.be.oneOf([401, 429]);
    service.signal('SIGTERM');
    expect(await service.code).to.equal(0);
    service.continueReading();
    await service.ended;
  });

  it('drops lines rather than filling the memory, and reports how many', async () => {
    const lines = 20_000;
    const script = `
      import { createLog } from './src/process/log.ts';
      const log = createLog('info');
      for (let n = 0; n < ${lines}; n += 1) {
        log.info('${'x'.repeat(1000)}');
        if (n % 100 === 0) await new Promise(setImmediate);
      }
      console.error('written');
      // It gives up after a second, which is not enough for all of it on a busy machine.
      const flush = (done, start = performance.now()) =>
        log.flush(() => performance.now() - start < 900 ? done() : flush(done));
      process.stdin.once('data', () => flush(() => {
        log.info('the last one');
        flush(() => process.exit());
      }));`;
    const command = new Command(process.execPath, ['--input-type=module', '--eval', script]);
    command.stopReading();
    await until(() => command.stderr.includes('written'), 'all lines are written');
    command.continueReading();
    command.tell('go on');
    const { stdout } = await command.ended;
    const entries = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const dropped = entries.filter(({ msg }) => msg.startsWith('lines of the log were dropped'));
    expect(dropped).to.not.have.length(0);
    const lost = dropped.reduce((sum, entry) => sum + entry.lines, 0);
    expect(lost).to.be.greaterThan(0);
    expect(lost + entries.filter(({ msg }) => msg.startsWith('xxx')).length).to.equal(lines);
    expect(entries.map(({ msg }) => msg)).to.include('the last one');
  });
});
