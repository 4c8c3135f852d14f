import { join } from 'node:path';
import { expect } from 'chai';
import { run } from '../support/backup.ts';
import { createEmptyDatabase, createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';
import { ServiceProcess, temporaryFolder, until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { Merchant, RECEIVABLE } from './support/merchant.ts';
import { Receiver } from './support/receiver.ts';

describe('The secrets of endpoints', () => {
  let database: TestDatabase;
  /** Sends nothing itself. */
  let service: TestService;
  let merchant: Merchant;
  let receiver: Receiver;

  before(async () => {
    database = await createUndividedDatabase();
    service = await TestService.start({ ...RECEIVABLE, AUTOMATION_CONCURRENCY: '0' }, database);
    merchant = await Merchant.open(service);
    receiver = await Receiver.start();
  });
  after(async () => {
    await receiver[Symbol.asyncDispose]();
    await service.stop();
  });

  it('are in no log, metric, error or list, nor in what backups print, whatever goes wrong', async () => {
    const { id, secret } = await merchant.endpoint(receiver.url);
    const path = `/v1/webhook-endpoints/${id}`;
    const rotated = await merchant.client.send<any>('POST', `${path}/rotate`, undefined, { expect: 200 });
    const secrets = [secret, rotated.body.secret as string];
    const sender = new ServiceProcess({ ...RECEIVABLE, DATABASE_URL: database.url, LOG_LEVEL: 'trace' });
    const url = await sender.url();
    const seen: unknown[] = [];
    const ask = async (method: string, to: string, body?: object) => {
      const headers = { 'Content-Type': 'application/json' };
      const text = body && JSON.stringify(body);
      seen.push((await merchant.client.send(method, to, text, { headers })).body);
    };

    const [first = ''] = await merchant.queue(id, 3);
    await merchant.untilAll(id, 'delivered');
    receiver.respond = (response) => response.writeHead(500).end('Broken');
    await merchant.queue(id, 3);
    await until(() => receiver.received.length === 6, 'some have failed');
    // What Postgres says of a constraint that fails quotes the row.
    await merchant.query(`alter table webhook_endpoint add constraint refused check (failures < 5) not valid`);
    await merchant.queue(id, 5);
    await until(() => sender.stdout.includes('what came of webhooks could not be recorded'), 'a row is refused');
    await merchant.query('alter table webhook_endpoint rename to away');
    await until(() => sender.stdout.includes('webhooks not looked after'), 'the table is missed');
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', { url: receiver.url, name: secret, max_per_second: 0 }],
      ['POST', { url: receiver.url, name: 'Another' }],
    ] as const) {
      await ask(method, method === 'POST' ? '/v1/webhook-endpoints' : path, body);
    }
    await merchant.query('alter table away rename to webhook_endpoint');
    await merchant.query('alter table webhook_endpoint drop constraint refused');

    for (const to of [path, '/v1/webhook-endpoints', `${path}/deliveries`, `/v1/webhook-deliveries/${first}`]) {
      await ask('GET', to);
    }
    await ask('POST', `${path}/test`);
    await ask('POST', `${path}/replay`, { status: 'failed' });
    await ask('POST', `/v1/webhook-deliveries/${first}/replay`);
    await ask('DELETE', path);
    seen.push(await (await fetch(`${url}/metrics`)).text());

    const folder = await temporaryFolder();
    const copy = await createEmptyDatabase();
    const file = join(folder.path, 'backup');
    const ended = [
      await run('backup', [file], { DATABASE_URL: database.url }),
      await run('restore', [file], { DATABASE_URL: copy.url }),
    ];
    expect(ended.map(({ code }) => code)).to.deep.equal([0, 0]);
    await folder.remove();
    await copy.drop();
    await sender.stop();
    const all = [...seen, ...ended, sender.stdout, sender.stderr].map((one) =>
      typeof one === 'string' ? one : JSON.stringify(one),
    );
    for (const one of secrets) {
      const bare = one.slice('whsec_'.length);
      for (const text of all) expect(text.includes(bare), text.slice(0, 2_000)).to.equal(false);
    }
  });
});
