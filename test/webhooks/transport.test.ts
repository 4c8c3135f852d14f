import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { Networks } from '../../src/domain/webhooks/endpoints/networks.ts';
import { resolveByServers } from '../../src/outbound/checked-lookup.ts';
import { Transport, type TransportOptions } from '../../src/outbound/transport.ts';
import { NameServer } from './support/name-server.ts';
import { RawReceiver, Receiver } from './support/receiver.ts';

const LOOPBACK = new Networks(['127.0.0.1/32']);
const BODY = Buffer.from('{"type":"cart.abandoned"}');

describe('The transport of webhooks', () => {
  const transports: Transport[] = [];
  const transport = (options: Partial<TransportOptions> = {}) => {
    const made = new Transport({ networks: LOOPBACK, allowHttp: true, ...options });
    transports.push(made);
    return made;
  };
  const send = (url: string, options: Partial<TransportOptions> = {}) =>
    transport(options).send({ endpointId: 'one', url, headers: { 'webhook-id': 'abc' }, body: BODY });
  afterEach(() => {
    for (const one of transports.splice(0)) one.close();
  });

  it('sends the bytes, and tells of the answer', async () => {
    await using receiver = await Receiver.start((response) => response.writeHead(422).end('Not\0 today'));
    const { ms, ...result } = await send(receiver.url);
    expect(result).to.deep.equal({
      status: 422,
      error: null,
      excerpt: 'Not\uFFFD today',
      answer: undefined,
      restMs: null,
      isResent: false,
    });
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    expect(body).to.equal(BODY.toString());
    expect(headers).to.include({
      'content-type': 'application/json',
      'content-length': String(BODY.length),
      'accept-encoding': 'identity',
      'webhook-id': 'abc',
    });
  });

  it('keeps connections, and uses a new one where the receiver has closed it', async () => {
    await using receiver = await Receiver.start();
    const keeping = transport();
    const request = { endpointId: 'one', url: receiver.url, headers: {}, body: BODY };
    for (let i = 0; i < 3; i += 1) expect((await keeping.send(request)).status).to.equal(204);
    expect(receiver.connections).to.equal(1);
    // It reads the next request, and closes without an answer to it.
    receiver.respond = (response) => {
      receiver.respond = (next) => next.writeHead(200).end();
      response.socket?.destroy();
    };
    expect(await keeping.send(request)).to.include({ status: 200, isResent: true });
    expect(receiver.connections).to.equal(2);
    await keeping.send({ ...request, endpointId: 'two' });
    expect(receiver.connections, 'each endpoint has its own').to.equal(3);
  });

  it('sends a request twice at most, however many connections it keeps', async () => {
    await using receiver = await Receiver.start();
    const keeping = transport();
    const request = { endpointId: 'one', url: receiver.url, headers: {}, body: BODY };
    const answers: (() => void)[] = [];
    receiver.respond = (response) => {
      answers.push(() => response.writeHead(204).end());
      if (answers.length === 10) for (const answer of answers) answer();
    };
    const kept = await Promise.all(Array.from({ length: 10 }, () => keeping.send(request)));
    expect(kept.map(({ status }) => status)).to.deep.equal(Array(10).fill(204));
    // It reads every request, and closes.
    receiver.respond = (response) => response.socket?.destroy();
    const sent = () => receiver.received.length - 10;
    const result = await keeping.send(request);
    expect([sent(), receiver.connections]).to.deep.equal([2, 11]);
    expect(result).to.include({ error: 'connection_closed', isResent: true });
    // Nothing is kept any more.
    expect(await keeping.send(request)).to.include({ error: 'connection_closed', isResent: false });
    expect(sent()).to.equal(3);
  });

  it('tells of a request that was sent, though its time had come when it would have been sent again', async () => {
    await using receiver = await Receiver.start();
    const keeping = transport();
    const request = { endpointId: 'one', url: receiver.url, headers: {}, body: BODY };
    await keeping.send(request);
    const { now } = Date;
    try {
      receiver.respond = (response) => {
        Date.now = () => now() + 7_200_000;
        response.socket?.destroy();
      };
      const result = await keeping.sendBefore(now() + 3_600_000, request);
      expect(result).to.include({ error: 'connection_closed', isResent: false });
    } finally {
      Date.now = now;
    }
    expect(receiver.received).to.have.length(2);
  });

  it('tells why there is no answer', async () => {
    await using closing = await RawReceiver.start((socket) => socket.destroy());
    await using garbage = await RawReceiver.start((socket) => socket.end('SMTP ready\r\n'));
    await using upgrading = await RawReceiver.start((socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    );
    const gone = await Receiver.start();
    const { url } = gone;
    await gone[Symbol.asyncDispose]();
    const errors = [closing.url, garbage.url, upgrading.url, url, closing.url.replace('http', 'https')].map(
      async (one) => (await send(one)).error,
    );
    expect(await Promise.all(errors)).to.deep.equal([
      'connection_closed',
      'malformed_answer',
      'malformed_answer',
      'connection_refused',
      'connection_closed',
    ]);
  });

  it('sends nothing once it has expired, however long the connection took', async () => {
    await using receiver = await Receiver.start();
    // The name is found only once the time has come.
    await using names = await NameServer.start(() => ['127.0.0.1'], 300);
    const resolve = resolveByServers([names.address]);
    const request = { endpointId: 'one', url: `http://slow.example:${receiver.port}/`, headers: {}, body: BODY };
    const late = transport({ resolve });
    expect(await late.sendBefore(Date.now() + 150, request)).to.equal(undefined);
    expect([receiver.connections, receiver.received.length]).to.deep.equal([1, 0]);
    expect((await late.sendBefore(Date.now() + 5_000, request))?.status).to.equal(204);
    // On the connection that was kept, too.
    expect(await late.sendBefore(Date.now() - 1, request)).to.equal(undefined);
    expect((await late.sendBefore(null, request))?.status).to.equal(204);
    expect(receiver.received.length).to.equal(2);
  });

  it('follows no redirect', async () => {
    await using receiver = await Receiver.start((response) =>
      response.writeHead(307, { location: receiver.url }).end('Elsewhere'),
    );
    expect(await send(receiver.url)).to.include({ status: 307, error: null, excerpt: 'Elsewhere' });
    expect(receiver.received).to.have.length(1);
  });

  it('uses no proxy of the environment', async () => {
    await using proxy = await Receiver.start((response) => response.writeHead(200).end());
    await using receiver = await Receiver.start();
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    const before = names.map((name) => process.env[name]);
    try {
      for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : proxy.url;
      expect((await send(receiver.url)).status).to.equal(204);
    } finally {
      names.forEach((name, i) => {
        if (before[i] === undefined) delete process.env[name];
        else process.env[name] = before[i];
      });
    }
    expect(proxy.connections).to.equal(0);
  });

  it('sends nothing in clear where that is not allowed any more', async () => {
    await using receiver = await Receiver.start();
    expect((await send(receiver.url, { allowHttp: false })).error).to.equal('address_refused');
    expect(receiver.connections).to.equal(0);
  });

  describe('where a receiver costs time or memory', () => {
    it('waits no longer than it may for an answer', async () => {
      await using silent = await RawReceiver.start(() => {});
      expect((await send(silent.url, { attemptMs: 100 })).error).to.equal('timeout');
      await using trickling = await RawReceiver.start((socket, repeat) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        repeat(() => socket.write('X'));
      });
      expect((await send(trickling.url, { attemptMs: 100 })).error).to.equal('timeout');
      await using hinting = await RawReceiver.start((socket, repeat) =>
        repeat(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n')),
      );
      expect((await send(hinting.url, { attemptMs: 100 })).error).to.equal('timeout');
    });

    it('counts an answer whose headers are complete, however its body goes on', async () => {
      const start = 'HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\nWelcome';
      await using trickling = await RawReceiver.start((socket, repeat) => {
        socket.write(start);
        repeat(() => socket.write('.'));
      });
      const slow = await send(trickling.url, { attemptMs: 100 });
      expect([slow.status, slow.excerpt?.slice(0, 7)]).to.deep.equal([200, 'Welcome']);
      await using cutting = await RawReceiver.start((socket) => socket.write(start, () => socket.resetAndDestroy()));
      expect(await send(cutting.url)).to.include({ status: 200, error: null });
    });

    it('reads 64 KB of an endless answer, and keeps 4 KB', async () => {
      await using endless = await RawReceiver.start((socket) => {
        socket.write('HTTP/1.1 500 Oops\r\n\r\n');
        const go = () => {
          while (socket.writable && socket.write('é'.repeat(8192)));
        };
        socket.on('drain', go);
        go();
      });
      const { status, excerpt } = await send(endless.url);
      expect(status).to.equal(500);
      expect(excerpt).to.equal('é'.repeat(2048));
    });

    it('refuses endless headers', async () => {
      await using endless = await RawReceiver.start((socket, repeat) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        repeat(() => socket.write(`X-Header: ${'x'.repeat(4096)}\r\n`));
      });
      expect((await send(endless.url)).error).to.equal('malformed_answer');
    });

    it('reads a few interim answers only', async () => {
      await using flooding = await RawReceiver.start((socket) => {
        const hints = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000);
        const go = () => {
          while (socket.writable && socket.write(hints));
        };
        socket.on('drain', go);
        go();
      });
      expect((await send(flooding.url, { attemptMs: 2_000 })).error).to.equal('malformed_answer');
    });

    it('inflates nothing', async () => {
      const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
      await using receiver = await Receiver.start((response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
      );
      expect(await send(receiver.url)).to.include({ status: 200, excerpt: null });
    });
  });

  describe('where a receiver is not public', () => {
    it('connects to no literal address', async () => {
      await using receiver = await Receiver.start();
      const { port } = receiver;
      for (const host of ['127.0.0.1', '127.1', '2130706433', '[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]', '0.0.0.0']) {
        const { error } = await send(`http://${host}:${port}/`, { networks: new Networks() });
        expect(error, host).to.equal('address_refused');
      }
      expect(receiver.connections).to.equal(0);
    });

    it('connects to no name that leads there, also beside public addresses', async () => {
      await using receiver = await Receiver.start();
      await using names = await NameServer.start((name) =>
        name === 'mixed.example' ? ['127.0.0.1', '10.0.0.1'] : ['127.0.0.1'],
      );
      const resolve = resolveByServers([names.address]);
      const at = (name: string, networks: Networks) =>
        send(`http://${name}:${receiver.port}/`, { networks, resolve }).then(({ status, error }) => status ?? error);
      expect(await at('fine.example', LOOPBACK)).to.equal(204);
      expect(await at('fine.example', new Networks())).to.equal('address_refused');
      expect(await at('mixed.example', LOOPBACK)).to.equal('address_refused');
      expect(receiver.connections).to.equal(1);
    });

    it('looks a name up once, and connects to what it has checked', async () => {
      await using receiver = await Receiver.start();
      await using inner = await Receiver.start(undefined, '127.0.0.2', receiver.port);
      // Public at the first look-up, and private at the second.
      await using names = await NameServer.start((_, times) => [times === 1 ? '127.0.0.1' : '127.0.0.2']);
      const resolve = resolveByServers([names.address]);
      const rebinding = transport({ resolve });
      const request = { endpointId: 'one', url: `http://rebind.example:${receiver.port}/`, headers: {}, body: BODY };
      expect((await rebinding.send(request)).status).to.equal(204);
      expect(names.asked).to.deep.equal(['rebind.example']);
      receiver.drop();
      const later = transport({ resolve });
      expect((await later.send(request)).error).to.equal('address_refused');
      expect([receiver.received.length, inner.connections]).to.deep.equal([1, 0]);
    });

    it('sends nothing on a connection to another address than was checked', async () => {
      class Changing extends Networks {
        #times = 0;
        override permits(): boolean {
          this.#times += 1;
          return this.#times === 1;
        }
      }
      await using receiver = await Receiver.start();
      expect((await send(receiver.url, { networks: new Changing() })).error).to.equal('address_refused');
      expect(receiver.received).to.have.length(0);
    });

    it('waits no longer than it may for a name', async () => {
      await using names = await NameServer.start(() => undefined);
      const resolve = resolveByServers([names.address]);
      expect((await send('http://silent.example/', { resolve, connectMs: 100 })).error).to.equal('connect_timeout');
      await using empty = await NameServer.start(() => []);
      const nothing = resolveByServers([empty.address]);
      expect((await send('http://empty.example/', { resolve: nothing })).error).to.equal('name_not_found');
    });
  });
});
