import { expect } from 'chai';
import { freePort, type Started, start } from '../../scripts/bench/processes.ts';
import { ROOT } from '../../scripts/bench/service.ts';
import { Client } from '../support/client.ts';

describe('The app without a database, a floor of the benchmark', () => {
  let app: Started;
  let port: number;

  before(async () => {
    port = await freePort();
    const env = { PORT: String(port), LOG_LEVEL: 'silent' };
    app = await start(process.execPath, ['scripts/bench/no-database.ts'], { env, cwd: ROOT, ready: /listening/ });
  });
  after(() => app.stop());

  it('takes the loads of the benchmark', async () => {
    const client = new Client(`http://127.0.0.1:${port}`, 'any');
    const event = { event_type: 'ordered', profile: { email: 'ada@example.com' } };
    const { body } = await client.post('/v1/events', event, { expect: 201 });
    expect(body).to.include({ event_type: 'ordered' });
    await client.post('/v1/events/bulk', { events: [event, event] }, { expect: 201 });
  });
});
