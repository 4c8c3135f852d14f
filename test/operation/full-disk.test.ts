import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { Metrics } from '../support/metrics.ts';
import { ServiceProcess, until } from '../support/process.ts';
import { canMount, mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';

const DISK_MB = 200;
const event = () => ({
  event_type: 'visit',
  profile: { external_id: 'ada' },
  properties: { note: crypto.randomUUID().repeat(500) },
});

// Usually root on Linux alone can mount a disk; elsewhere there is nothing to test with.
if (canMount()) {
  describe('A full disk', () => {
    let disk: SmallDisk;

    before(async () => {
      disk = await mountSmallDisk(DISK_MB);
    });
    after(() => disk.remove());

    it('is reported by errors, readiness and the log; the service stops cleanly, and continues once there is space', async () => {
      const env = { DATA_DIR: join(disk.path, 'data') };
      const first = new ServiceProcess(env);
      const client = new Client(await first.url(), first.key);
      const ready = () => client.get('/health/ready');
      await client.post('/v1/events', event(), { expect: 201 });
      expect((await ready()).status).to.equal(200);
      await disk.fill();
      let refused = await client.post('/v1/events', event());
      for (let n = 0; refused.status === 201 && n < 1_000; n += 1) refused = await client.post('/v1/events', event());
      expect(refused).to.include({ status: 500 });
      expect(refused.body.error).to.include({
        code: 'database_error',
        message: 'The disk of the database is full; nothing was stored',
      });
      expect(await ready()).to.deep.include({ status: 503 });
      expect((await ready()).body).to.deep.include({ status: 'unavailable', database: 'disk full' });
      const metrics = await Metrics.of(await first.url());
      expect(metrics.sum('footfall_disk_free_bytes')).to.be.below(1_000_000);
      await until(() => first.stdout.includes('the disk of the database is full'), 'the log says so');
      expect(await first.stop()).to.include({ code: 0 });
      expect(existsSync(join(env.DATA_DIR, 'postgres/postmaster.pid'))).to.equal(false);

      await disk.free();
      const second = new ServiceProcess(env);
      await new Client(await second.url(), first.key).post('/v1/events', event(), { expect: 201 });
      expect(await second.stop()).to.include({ code: 0 });
    });
  });
}
