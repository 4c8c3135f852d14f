import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createLog } from '../../src/process/log.ts';
import { RedisWindow } from '../../src/rate-limit/redis-window.ts';
import { redisUrl } from '../support/redis.ts';

describe('The rate-limit window in Redis', () => {
  let windows: RedisWindow[];

  before(async function () {
    const url = redisUrl(this);
    const log = createLog('silent');
    windows = [await RedisWindow.open([url], log), await RedisWindow.open([url], log)];
  });
  after(() => {
    for (const window of windows ?? []) window.close();
  });

  const admit = (n: number, subject: string, limit: number) => (windows[n % 2] as RedisWindow).admit(subject, limit);

  it('admits exactly the limit of concurrent requests over all processes, and counts down', async () => {
    const subject = randomUUID();
    const answers = await Promise.all(Array.from({ length: 500 }, (_, n) => admit(n, subject, 120)));
    const admitted = answers.filter((answer) => answer.admitted);
    expect(admitted.map(({ remaining }) => remaining).sort((a, b) => b - a)).to.deep.equal(
      Array.from({ length: 120 }, (_, i) => 119 - i),
    );
    for (const { resetSeconds } of answers) expect(resetSeconds).to.be.within(59, 60);
  });

  it('does not count refused requests, and applies a raised limit', async () => {
    const subject = randomUUID();
    for (let n = 0; n < 5; n += 1) expect((await admit(n, subject, 3)).admitted).to.equal(n < 3);
    expect(await admit(0, subject, 4)).to.include({ admitted: true, remaining: 0 });
  });

  it('returns how much of it is used over all processes, without counting that', async () => {
    const [a, b, nothing] = [randomUUID(), randomUUID(), randomUUID()];
    for (let n = 0; n < 5; n += 1) await admit(n, a, 3);
    await admit(0, b, 3);
    for (const window of windows) expect(await window.used([b, nothing, a])).to.deep.equal([1, 0, 3]);
    expect(await (windows[0] as RedisWindow).used([])).to.deep.equal([]);
  });

  it('takes back an admission for all processes, and nothing where there is none', async () => {
    const subject = randomUUID();
    await admit(0, subject, 2);
    await admit(0, subject, 2);
    for (const window of windows) await window.takeBack(randomUUID());
    await (windows[1] as RedisWindow).takeBack(subject);
    expect((await admit(0, subject, 2)).admitted).to.equal(true);
    expect((await admit(1, subject, 2)).admitted).to.equal(false);
  });

  it('is separate for each subject', async () => {
    const subjects = Array.from({ length: 50 }, () => randomUUID());
    const answers = await Promise.all(
      subjects.flatMap((subject, n) => [admit(n, subject, 1), admit(n + 1, subject, 1)]),
    );
    expect(answers.filter(({ admitted }) => admitted)).to.have.length(50);
  });
});
