import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { generateKey, isWellFormedKey } from '../../src/domain/api-keys/api-keys.ts';
import { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const EVENT = { event_type: 'visit', profile: { external_id: 'c1' } };
/** Milliseconds in which a revocation has to be heeded everywhere. */
const REVOKED_MS = 1_000;

// What every operation refuses is in test/access.
describe('Authentication', () => {
  let service: TestService;
  let second: TestService;

  before(async () => {
    service = await TestService.start();
    second = await TestService.start({}, service.database);
  });
  after(async () => {
    await second.stopService();
    await service.stop();
  });

  const status = async (url: string, key: string) => (await new Client(url, key).post('/v1/events', EVENT)).status;

  it('refuses a revoked key within a second, on every process', async () => {
    const { key, id } = await service.newKey();
    expect([await status(service.url, key), await status(second.url, key)]).to.deep.equal([201, 201]);
    await service.keys.revoke(id);
    await sleep(REVOKED_MS);
    expect([await status(service.url, key), await status(second.url, key)]).to.deep.equal([401, 401]);
  });

  it('refuses a key from the moment it expires', async () => {
    let key = '';
    let expiresAt = new Date(0);
    // Long enough for a slow machine to use it before.
    for (let ms = 500; Date.now() >= expiresAt.getTime(); ms *= 2) {
      expiresAt = new Date(Date.now() + ms);
      ({ key } = await service.newKey({ expiresAt }));
      await status(service.url, key);
    }
    await sleep(expiresAt.getTime() - Date.now() + 1);
    expect(await status(service.url, key)).to.equal(401);
  });

  it('records when a key was last used', async () => {
    const { key, id, storeId } = await service.newKey();
    const used = async () => (await service.keys.list(storeId)).find((record) => record.id === id)?.lastUsedAt;
    expect(await used()).to.equal(null);
    const before = Date.now();
    await status(service.url, key);
    await until(async () => (await used()) !== null, 'the last use is written');
    expect((await used())?.getTime()).to.be.within(before, Date.now());
  });

  it('stores only the SHA-256 of a key', async () => {
    const { key, id } = await service.newKey();
    const [row] = await service.database.query(`select * from api_key where id = '${id}'`);
    expect(JSON.stringify(row)).not.to.include(key.slice(4));
  });

  it('uses keys with a prefix and a checksum that scanners can find', () => {
    const key = generateKey();
    expect(key).to.match(/^ffk_[0-9A-Za-z]{38}$/);
    expect(isWellFormedKey(key)).to.equal(true);
    for (let i = 4; i < key.length; i += 1) {
      const other = key[i] === 'a' ? 'b' : 'a';
      expect(isWellFormedKey(key.slice(0, i) + other + key.slice(i + 1)), `character ${i}`).to.equal(false);
    }
  });
});
