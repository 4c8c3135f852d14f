import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { countedAddress } from '../../src/http/client-address.ts';
import { MemoryWindow } from '../../src/rate-limit/memory-window.ts';
import { type Admission, addressSubject } from '../../src/rate-limit/sliding-window.ts';
import { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

describe('A client address', () => {
  const addresses: [text: string, counted: string | undefined][] = [
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:0:0:0:0/64'],
    ['2001:DB8:1:2::1', '2001:db8:1:2:0:0:0:0/64'],
    ['[2001:db8:1:2::1]:443', '2001:db8:1:2:0:0:0:0/64'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2:0:0:0:0/64'],
    ['fe80::1%eth0', 'fe80:0:0:0:0:0:0:0/64'],
    ['::1', '0:0:0:0:0:0:0:0/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0:0:0:0:0/64'],
    ['unknown', undefined],
    ['', undefined],
    ['203.0.113.7, 203.0.113.8', undefined],
  ];
  for (const [text, counted] of addresses) {
    it(`of ${text || 'nothing'} counts as ${counted ?? 'none'}`, () => {
      expect(countedAddress(text, 64)).to.equal(counted);
    });
  }

  it('of IPv6 is counted by the configured number of bits', () => {
    const [a, b] = ['2001:db8:1:2ff::1', '2001:db8:1:200::1'];
    expect(countedAddress(a, 56)).to.equal(countedAddress(b, 56));
    expect(countedAddress(a, 57)).not.to.equal(countedAddress(b, 57));
    expect(countedAddress(a, 128)).to.equal('2001:db8:1:2ff:0:0:0:1/128');
  });
});

/** Bytes that this process holds on to: what a garbage collection leaves. */
function keptMemory(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('Requests without a key, from many addresses', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start({ TRUST_PROXY: '1', RATE_LIMIT_TIERS: 'standard=5' });
  });
  after(() => service.stop());

  const statuses = async (addresses: string[]) => {
    const result = [];
    for (const address of addresses) {
      const headers = { 'X-Forwarded-For': address };
      result.push((await new Client(service.url).get('/v1/events', { headers })).status);
    }
    return result;
  };

  it('count together if they share an IPv6 network, or if only the port differs', async () => {
    const network = Array.from({ length: 6 }, (_, n) => `2001:db8:0:1::${n}`);
    expect(await statuses([...network, '2001:db8:0:2::1'])).to.deep.equal([401, 401, 401, 401, 401, 429, 401]);
    const ports = Array.from({ length: 5 }, (_, n) => `203.0.113.7:${5000 + n}`);
    expect(await statuses([...ports, '::ffff:203.0.113.7'])).to.deep.equal([401, 401, 401, 401, 401, 429]);
  });

  it('count for the proxy if it names no client address', async () => {
    const nonsense = Array.from({ length: 6 }, (_, n) => `nobody-${n}`);
    expect(await statuses(nonsense)).to.deep.equal([401, 401, 401, 401, 401, 429]);
  });

  it("take bounded memory, and evict no key's window", () => {
    const window = new MemoryWindow(() => 0);
    window.admit('key:a', 1);
    window.admit(addressSubject('first'), 1);
    const before = keptMemory();
    for (let n = 0; n < 200_000; n += 1) window.admit(addressSubject(`203.0.${n}`), 1);
    expect(keptMemory() - before, 'bytes').to.be.below(40e6);
    const isAdmitted = (subject: string) => (window.admit(subject, 1) as Admission).admitted;
    expect(isAdmitted('key:a')).to.equal(false);
    expect(isAdmitted(addressSubject('203.0.199999'))).to.equal(false);
    expect(isAdmitted(addressSubject('first'))).to.equal(true);
  });
});

describe('Connections of one address', () => {
  const sockets: Socket[] = [];

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  /** Opens as many from an address of this machine, and tells how many stay open. */
  async function openFrom(localAddress: string, url: string, count: number): Promise<() => number> {
    const own: Socket[] = [];
    for (let n = 0; n < count; n += 1) {
      const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress });
      socket.on('error', () => {}).resume();
      await once(socket, 'connect');
      own.push(socket);
      sockets.push(socket);
    }
    return () => own.filter(({ closed, destroyed }) => !closed && !destroyed).length;
  }

  it('are limited to a quarter of all, and leave room for others', async () => {
    const service = await TestService.start({ MAX_CONNECTIONS: '40' });
    try {
      const greedy = await openFrom('127.0.0.2', service.url, 50);
      await until(() => greedy() === 10, 'the others are closed');
      const victim = await service.client();
      await victim.get('/v1/events', { expect: 200 });
      // Their places are free again once they end.
      for (const socket of sockets.splice(0)) socket.destroy();
      await until(async () => {
        const again = await openFrom('127.0.0.2', service.url, 1);
        await new Promise(setImmediate);
        return again() === 1;
      }, 'there is room');
    } finally {
      await service.stop();
    }
  });

  it('are not limited behind a proxy, whose address all of them have', async () => {
    const service = await TestService.start({ MAX_CONNECTIONS: '40', TRUST_PROXY: '1' });
    try {
      const proxy = await openFrom('127.0.0.2', service.url, 30);
      await new Client(service.url).get('/health/live', { expect: 200 });
      expect(proxy()).to.equal(30);
    } finally {
      await service.stop();
    }
  });
});
