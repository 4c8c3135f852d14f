import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { TestService } from '../support/service.ts';
import { startToolsPostgres, type ToolsPostgres } from '../support/tools-postgres.ts';

const WATCHED_MS = 5_000;
/** Clock ticks of the kernel, of which CPU time is made. */
const TICKS_PER_SECOND = 100;

/** Seconds of CPU time that a process and its children have used, those that have ended included. */
function cpuOf(pid: number): number {
  let ticks = 0;
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    let stat: string;
    try {
      stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    } catch {
      continue;
    }
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent, own, ended] = [fields[1], fields.slice(11, 13), fields.slice(13, 15)] as [
      number,
      number[],
      number[],
    ];
    const counted = Number(name) === pid ? [...own, ...ended] : parent === pid ? own : [];
    for (const count of counted) ticks += count;
  }
  return ticks / TICKS_PER_SECOND;
}

describe('A service without requests', () => {
  let server: ToolsPostgres;
  let service: TestService | undefined;

  before(async function () {
    if (process.platform !== 'linux') return this.skip();
    server = await startToolsPostgres(this);
    service = await TestService.start({}, await server.createEmptyDatabase());
  });
  after(async () => {
    await service?.stopService();
    await server?.stop();
  });

  it("leaves a Postgres with its distribution's settings idle", async () => {
    const client = await (service as TestService).client();
    await client.post('/v1/events', { event_type: 'visit', profile: { external_id: 'ada' } }, { expect: 201 });
    await sleep(2_000);
    const before = cpuOf(server.pid);
    await sleep(WATCHED_MS);
    expect(cpuOf(server.pid) - before).to.be.below(1);
  });
});
