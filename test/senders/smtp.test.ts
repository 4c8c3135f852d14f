import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { HandOverResult, Relay, RelayUser } from '../../src/domain/senders/hand-over.ts';
import { Networks } from '../../src/domain/webhooks/endpoints/networks.ts';
import { resolveByServers } from '../../src/outbound/checked-lookup.ts';
import { SmtpHandOver, type SmtpOptions } from '../../src/outbound/smtp/hand-over.ts';
import { NameServer } from '../webhooks/support/name-server.ts';
import { AUTHORITY, CERTIFICATE, KEY } from './support/certificate.ts';
import { type Script, ScriptedServer } from './support/scripted-server.ts';

const INSIDE = new Networks(['127.0.0.1/32']);
/** As if loopback were in public: TLS and certificates are required, but any port will do. */
const OUTSIDE = { permits: () => true, excepts: () => false };
const ENVELOPE = { from: 'shop@shop.example', to: 'ada@customer.example' };
/** More than the buffers of sockets take. */
const LARGE = Buffer.alloc(20_000_000, 'a');
const RAW = Buffer.from('Subject: Hello\r\n\r\n.dot\r\nBye\r\n');

describe('Handing messages over by SMTP', () => {
  const handOvers: SmtpHandOver[] = [];
  const handOver = (options: Partial<SmtpOptions> = {}) => {
    const made = new SmtpHandOver({ networks: INSIDE, ...options });
    handOvers.push(made);
    return made;
  };
  const userOf = (port: number, relay: Partial<Relay> = {}, maxConcurrent = 2): RelayUser => ({
    id: 'one',
    relay: { host: '127.0.0.1', port, security: 'starttls', login: null, isOperators: false, ...relay },
    maxConcurrent,
  });
  const send = (port: number, options: Partial<SmtpOptions> = {}, relay: Partial<Relay> = {}) =>
    handOver(options).send(userOf(port, relay), ENVELOPE, RAW);
  afterEach(() => {
    for (const one of handOvers.splice(0)) one.close();
  });

  it('hands over the bytes, and tells what the server said', async () => {
    await using server = await ScriptedServer.start();
    expect(await send(server.port)).to.deep.equal({ outcome: 'accepted', response: '250 2.0.0 Taken as 1234' });
    expect(server.messages).to.deep.equal(['Subject: Hello\r\n\r\n..dot\r\nBye']);
    expect(server.verbs.slice(0, 6)).to.deep.equal(['CONNECT', 'EHLO', 'MAIL', 'RCPT', 'DATA', '.']);
  });

  it('keeps connections, each for one sender, and no more than it may have', async () => {
    await using server = await ScriptedServer.start();
    const keeping = handOver();
    const user = userOf(server.port);
    const results = await Promise.all(Array.from({ length: 6 }, () => keeping.send(user, ENVELOPE, RAW)));
    expect(results.map(({ outcome }) => outcome)).to.deep.equal(Array(6).fill('accepted'));
    expect([server.connections, server.messages.length]).to.deep.equal([2, 6]);
    await keeping.send({ ...user, id: 'two' }, ENVELOPE, RAW);
    expect(server.connections).to.equal(3);
  });

  it('uses a new connection where the server has closed the one that was kept', async () => {
    await using server = await ScriptedServer.start();
    const keeping = handOver();
    const user = userOf(server.port);
    for (let i = 0; i < 3; i += 1) {
      expect((await keeping.send(user, ENVELOPE, RAW)).outcome).to.equal('accepted');
      server.drop();
    }
    expect([server.connections, server.messages.length]).to.deep.equal([3, 3]);
  });

  it('goes on by the same connection after a refusal', async () => {
    let refusals = 0;
    await using server = await ScriptedServer.start((verb) =>
      verb === 'RCPT' && refusals++ < 2 ? '550 5.1.1 Nobody here' : undefined,
    );
    const keeping = handOver();
    const user = userOf(server.port, {}, 1);
    const outcomes = [];
    for (let i = 0; i < 3; i += 1) outcomes.push((await keeping.send(user, ENVELOPE, RAW)).outcome);
    expect(outcomes).to.deep.equal(['refused', 'refused', 'accepted']);
    expect([server.connections, server.messages.length]).to.deep.equal([1, 1]);
  });

  it('leaves nothing behind on a connection that is kept', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    await using server = await ScriptedServer.start((verb) => (verb === 'RCPT' ? '550 5.1.1 Nobody here' : undefined));
    const keeping = handOver();
    for (let i = 0; i < 20; i += 1) await keeping.send(userOf(server.port, {}, 1), ENVELOPE, RAW);
    // Node warns at the next turn.
    await nextTurn();
    process.off('warning', onWarning);
    expect(server.connections).to.equal(1);
    expect(warnings.map(({ message }) => message)).to.deep.equal([]);
  });

  describe('refusals', () => {
    const cases: [string, string, object][] = [
      ['CONNECT', '554 5.7.1 Not you', { permanent: true, code: 554, enhanced: '5.7.1', of: 'us' }],
      ['CONNECT', '421 Too busy', { permanent: false, code: 421, enhanced: null, of: 'us' }],
      ['EHLO', '421 4.3.2 Too busy', { permanent: false, code: 421, enhanced: '4.3.2', of: 'us' }],
      ['AUTH', '535 5.7.8 Wrong password', { permanent: true, code: 535, enhanced: '5.7.8', of: 'us' }],
      ['AUTH', '454 4.7.0 Later', { permanent: false, code: 454, enhanced: '4.7.0', of: 'us' }],
      ['MAIL', '550 5.1.8 No such domain', { permanent: true, code: 550, enhanced: '5.1.8', of: 'us' }],
      ['MAIL', '451 4.7.1 Slow down', { permanent: false, code: 451, enhanced: '4.7.1', of: 'us' }],
      ['RCPT', '550 5.1.1 Nobody', { permanent: true, code: 550, enhanced: '5.1.1', of: 'recipient' }],
      ['RCPT', '550 Nobody', { permanent: true, code: 550, enhanced: null, of: 'recipient' }],
      ['RCPT', '452 4.2.2 Full', { permanent: false, code: 452, enhanced: '4.2.2', of: 'recipient' }],
      ['RCPT', '550 5.7.1 Listed', { permanent: true, code: 550, enhanced: '5.7.1', of: 'us' }],
      ['RCPT', '421 4.7.0 Too many', { permanent: false, code: 421, enhanced: '4.7.0', of: 'us' }],
      ['DATA', '554 5.5.1 No', { permanent: true, code: 554, enhanced: '5.5.1', of: 'message' }],
      ['DATA', '451 4.3.0 Later', { permanent: false, code: 451, enhanced: '4.3.0', of: 'message' }],
      ['.', '554 5.6.0 Strange', { permanent: true, code: 554, enhanced: '5.6.0', of: 'message' }],
      ['.', '550 5.2.1 Disabled', { permanent: true, code: 550, enhanced: '5.2.1', of: 'recipient' }],
      ['.', '421 4.4.2 Good-bye', { permanent: false, code: 421, enhanced: '4.4.2', of: 'message' }],
    ];
    for (const pipelining of [false, true]) {
      for (const [verb, reply, expected] of cases) {
        it(`are told of: ${verb} by "${reply}"${pipelining ? ', in a row' : ''}`, async () => {
          await using server = await ScriptedServer.start((asked) => {
            if (asked === verb) return reply;
            return asked === 'EHLO' && pipelining ? '250-hello\r\n250 PIPELINING' : undefined;
          });
          const login = verb === 'AUTH' ? { user: 'me', password: 'secret' } : null;
          const result = await send(server.port, {}, { login });
          expect(result).to.deep.equal({ outcome: 'refused', response: reply, ...expected });
        });
      }
    }

    it('are shortened, and without what could do harm', async () => {
      await using server = await ScriptedServer.start((verb) =>
        verb === 'MAIL' ? `550-5.7.1 A\0\u001b[31mb\r\n550 5.7.1 ${'é'.repeat(500)}` : undefined,
      );
      const result = (await send(server.port)) as Extract<HandOverResult, { outcome: 'refused' }>;
      expect(result.response).to.have.length(200);
      expect(result.response).to.match(/^550-5\.7\.1 A \[31mb 550 5\.7\.1 é+…$/);
    });

    it('come before a message that is larger than the server takes', async () => {
      await using server = await ScriptedServer.start();
      const result = await handOver().send(userOf(server.port), ENVELOPE, Buffer.alloc(100_001, 'a'));
      expect(result).to.include({ outcome: 'refused', permanent: true, code: 552, of: 'message' });
      expect(server.verbs).not.to.include('MAIL');
    });

    for (const address of ['a@b>\r\nRSET\r\n', 'a b@c', '<a@b>', 'a@b,c@d', '"a@b"@c', 'a', 'a@', '@b', 'a@b@c', '']) {
      it(`come before a malformed address is sent: ${JSON.stringify(address)}`, async () => {
        await using server = await ScriptedServer.start();
        const [sender] = [handOver()];
        const asRecipient = await sender.send(userOf(server.port), { ...ENVELOPE, to: address }, RAW);
        expect(asRecipient).to.include({ outcome: 'refused', of: 'recipient', permanent: true });
        const asSender = await sender.send(userOf(server.port), { ...ENVELOPE, from: address }, RAW);
        expect(asSender).to.include({ outcome: 'refused', of: 'us', permanent: true });
        expect(server.connections).to.equal(0);
      });
    }
  });

  describe('failures', () => {
    const failsBy = (port: number, reason: string, maybeSent: boolean, options: Partial<SmtpOptions> = {}) =>
      send(port, options).then((result) => expect(result).to.deep.equal({ outcome: 'failed', reason, maybeSent }));

    it('are told apart by whether the message may have arrived', async () => {
      for (const [at, maybeSent] of [
        ['CONNECT', false],
        ['EHLO', false],
        ['MAIL', false],
        ['RCPT', false],
        ['DATA', false],
        ['.', true],
      ] as const) {
        await using server = await ScriptedServer.start((verb, _, { socket }) => {
          if (verb !== at) return undefined;
          socket.destroy();
          return null;
        });
        await failsBy(server.port, 'connection_closed', maybeSent);
      }
    });

    it('in the middle of the message leave no doubt', async () => {
      await using server = await ScriptedServer.start((verb, _, { socket }) => {
        if (verb === 'EHLO') return '250 hello';
        if (verb === 'DATA') setImmediate(() => socket.resetAndDestroy());
        return undefined;
      });
      const result = await handOver().send(userOf(server.port), ENVELOPE, LARGE);
      expect(result).to.deep.equal({ outcome: 'failed', reason: 'connection_closed', maybeSent: false });
    });

    it('are those of a server that is silent, or trickles, at any point', async () => {
      const times = { setUp: 150, envelope: 150, message: 150, answer: 150 };
      for (const at of ['CONNECT', 'EHLO', 'MAIL', 'RCPT', 'DATA', '.']) {
        const silent: Script = (verb) => (verb === at ? null : undefined);
        const trickling: Script = (verb, _, { socket, repeat }) => {
          if (verb !== at) return undefined;
          socket.write('2');
          repeat(() => socket.write('2'));
          return null;
        };
        const continuing: Script = (verb, _, { socket, repeat }) => {
          if (verb !== at) return undefined;
          repeat(() => socket.write(verb === 'CONNECT' ? '220-wait\r\n' : '250-wait\r\n'));
          return null;
        };
        for (const script of [silent, trickling, continuing]) {
          await using server = await ScriptedServer.start(script);
          await failsBy(server.port, 'timeout', at === '.', { times });
        }
      }
    });

    it('are those of a server that reads too slowly', async () => {
      await using server = await ScriptedServer.start((verb, _, { socket }) => {
        if (verb === 'EHLO') return '250 hello';
        if (verb === 'DATA') socket.pause();
        return undefined;
      });
      const times = { message: 150, answer: 150 };
      const result = await handOver({ times }).send(userOf(server.port), ENVELOPE, LARGE);
      expect(result).to.deep.equal({ outcome: 'failed', reason: 'timeout', maybeSent: false });
    });

    it('are those of a server that says too much', async () => {
      const line = 'x'.repeat(1_000_000);
      const floods: [string, (at: string) => Script][] = [
        ['a line of a megabyte', (at) => (verb) => (verb === at ? `250 ${line}` : undefined)],
        [
          'lines without an end',
          (at) => (verb) => (verb === at ? `${'250-more\r\n'.repeat(100_000)}250 ok` : undefined),
        ],
        ['empty lines', (at) => (verb) => (verb === at ? '\r\n'.repeat(500_000) : undefined)],
        ['answers that nobody asked for', (at) => (verb) => (verb === at ? '250 ok\r\n'.repeat(100_000) : undefined)],
      ];
      for (const at of ['CONNECT', 'EHLO', 'MAIL', '.']) {
        for (const [name, flood] of floods) {
          await using server = await ScriptedServer.start(flood(at));
          const result = await send(server.port);
          const expected = { outcome: 'failed', reason: 'malformed_answer', maybeSent: at === '.' };
          expect(result, `${name} at ${at}`).to.deep.equal(expected);
        }
      }
    });

    it('are those of what does not speak SMTP', async () => {
      for (const greeting of ['HTTP/1.1 400 Bad Request', '+OK POP3', 'SSH-2.0-OpenSSH', '']) {
        await using server = await ScriptedServer.start((verb) => (verb === 'CONNECT' ? greeting : undefined));
        const times = { setUp: 300 };
        const reason = greeting === '' ? 'timeout' : 'malformed_answer';
        await failsBy(server.port, reason, false, { times });
      }
    });

    it('are those of a server that takes what it was not sent yet', async () => {
      await using server = await ScriptedServer.start((verb, _, { socket }) => {
        if (verb === 'EHLO') return '250 hello';
        if (verb !== 'DATA') return undefined;
        socket.pause();
        return '354 Go on\r\n250 2.0.0 Taken already';
      });
      const result = await handOver().send(userOf(server.port), ENVELOPE, LARGE);
      expect(result).to.deep.equal({ outcome: 'failed', reason: 'malformed_answer', maybeSent: false });
    });

    it('are those of a port at which nobody listens', async () => {
      const server = await ScriptedServer.start();
      const { port } = server;
      await server[Symbol.asyncDispose]();
      await failsBy(port, 'connection_refused', false);
    });

    it('are those of who does not want to wait any longer', async () => {
      const aborting = new AbortController();
      await using server = await ScriptedServer.start((verb) => {
        if (verb !== '.') return undefined;
        aborting.abort();
        return null;
      });
      const result = await handOver().send(userOf(server.port), ENVELOPE, RAW, aborting.signal);
      expect(result).to.deep.equal({ outcome: 'failed', reason: 'aborted', maybeSent: true });
      const before = await handOver().send(userOf(server.port), ENVELOPE, RAW, aborting.signal);
      expect(before).to.deep.equal({ outcome: 'failed', reason: 'aborted', maybeSent: false });
    });

    it('free the place for whoever waits', async () => {
      let connections = 0;
      await using server = await ScriptedServer.start((verb, _, { socket }) => {
        if (verb !== 'CONNECT') return undefined;
        connections += 1;
        if (connections > 2) return undefined;
        socket.destroy();
        return null;
      });
      const keeping = handOver();
      const user = userOf(server.port, {}, 1);
      const results = await Promise.all([1, 2, 3].map(() => keeping.send(user, ENVELOPE, RAW)));
      expect(results.map(({ outcome }) => outcome)).to.deep.equal(['failed', 'failed', 'accepted']);
    });
  });

  describe('encryption and passwords', () => {
    const NAMED = { host: 'mail.shop.example', login: { user: 'me', password: 'pässwörd' } };
    const startServer = async (options: SMTPServerOptions) => {
      const received: { user: unknown; raw: string; secure: boolean }[] = [];
      const server = new SMTPServer({
        cert: CERTIFICATE,
        key: KEY,
        onAuth: ({ username, password }, _, done) =>
          password === NAMED.login.password ? done(null, { user: username }) : done(new Error('Wrong')),
        onData: async (stream, session, done) => {
          const chunks: Buffer[] = [];
          for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
          received.push({ user: session.user, raw: Buffer.concat(chunks).toString(), secure: session.secure });
          done();
        },
        ...options,
      });
      server.on('error', () => {});
      server.listen(0, '127.0.0.1');
      await once(server.server, 'listening');
      const { port } = server.server.address() as AddressInfo;
      return {
        port,
        received,
        [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
      };
    };
    /** As if the server were in public, at one of the ports of mail. */
    const outside = async (port: number, relay: Partial<Relay> = {}, options: Partial<SmtpOptions> = {}) => {
      await using names = await NameServer.start(() => ['127.0.0.1']);
      const resolve = resolveByServers([names.address]);
      const sending = new SmtpHandOver({ networks: OUTSIDE, resolve, ca: AUTHORITY, ...options });
      try {
        return await sending.send(userOf(port, { ...NAMED, isOperators: true, ...relay }), ENVELOPE, RAW);
      } finally {
        sending.close();
      }
    };

    for (const [security, secure] of [
      ['tls', true],
      ['starttls', false],
    ] as const) {
      it(`work by ${security}`, async () => {
        await using server = await startServer({ secure });
        expect((await outside(server.port, { security })).outcome).to.equal('accepted');
        expect(server.received).to.deep.equal([{ user: 'me', raw: RAW.toString(), secure: true }]);
        const login = { user: 'me', password: 'wrong' };
        expect(await outside(server.port, { security, login })).to.include({ outcome: 'refused', of: 'us', code: 535 });
      });

      it(`hand nothing over by ${security} to whom nobody has certified`, async () => {
        await using server = await startServer({ secure });
        const failed = { outcome: 'failed', reason: 'tls_failed', maybeSent: false };
        expect(await outside(server.port, { security }, { ca: CERTIFICATE })).to.deep.equal(failed);
        expect(await outside(server.port, { security, host: 'other.shop.example' })).to.deep.equal(failed);
        expect(server.received).to.deep.equal([]);
        // In the operator's own network, it may have certified itself.
        const inside = { networks: INSIDE, ca: CERTIFICATE };
        const options = { ...NAMED, host: '127.0.0.1', isOperators: false, security };
        expect((await outside(server.port, options, inside)).outcome).to.equal('accepted');
      });
    }

    it('give no password away where encryption is not offered', async () => {
      const lines: string[] = [];
      await using server = await ScriptedServer.start((verb, line) => {
        lines.push(line);
        return verb === 'STARTTLS' ? '502 5.5.1 What?' : undefined;
      });
      expect(await outside(server.port)).to.deep.equal({
        outcome: 'failed',
        reason: 'tls_not_offered',
        maybeSent: false,
      });
      expect(lines.join('\n')).not.to.match(/AUTH|MAIL/);
    });

    it('take nothing that was said in clear for what was encrypted', async () => {
      await using server = await ScriptedServer.start((verb) =>
        verb === 'STARTTLS' ? '220 Go on\r\n250-injected\r\n250 AUTH LOGIN' : undefined,
      );
      expect((await outside(server.port)).outcome).to.equal('accepted');
    });

    it('end where a server floods once it is encrypted', async () => {
      for (const at of ['EHLO', 'MAIL']) {
        let times = 0;
        await using server = await ScriptedServer.start((verb) => {
          if (verb === at) times += 1;
          return verb === at && (at !== 'EHLO' || times > 1) ? '\r\n'.repeat(500_000) : undefined;
        });
        expect(await outside(server.port)).to.include({ outcome: 'failed', reason: 'malformed_answer' });
      }
    });
  });

  describe('where a sender may not go', () => {
    const REFUSED = { outcome: 'failed', reason: 'address_refused', maybeSent: false };

    for (const host of [
      '127.0.0.1',
      '::1',
      '10.0.0.1',
      '169.254.169.254',
      '::ffff:127.0.0.1',
      'fe80::1%lo',
      '0.0.0.0',
    ]) {
      it(`does not connect to ${host}`, async () => {
        await using server = await ScriptedServer.start();
        expect(await send(server.port, { networks: new Networks() }, { host })).to.deep.equal(REFUSED);
        expect(server.connections).to.equal(0);
      });
    }

    it('does not connect to a name that leads there, also if not all of its addresses do, or only later', async () => {
      await using server = await ScriptedServer.start();
      const answers: Record<string, (times: number) => string[]> = {
        'private.example': () => ['127.0.0.1'],
        'mixed.example': () => ['192.0.43.8', '127.0.0.1'],
        'rebinding.example': (times) => (times === 1 ? ['10.0.0.1'] : ['127.0.0.1']),
      };
      await using names = await NameServer.start((name, times) => answers[name]?.(times) ?? []);
      const resolve = resolveByServers([names.address]);
      for (const host of Object.keys(answers)) {
        for (const _ of [1, 2]) {
          const options = { networks: new Networks(), resolve };
          expect(await send(server.port, options, { host }), host).to.deep.equal(REFUSED);
        }
      }
      expect(server.connections).to.equal(0);
      expect(await send(server.port, { resolve }, { host: 'nobody.example' })).to.include({ reason: 'name_not_found' });
    });

    it('does not give a message to a port that is not one of mail', async () => {
      await using server = await ScriptedServer.start();
      expect(await send(server.port, { networks: OUTSIDE })).to.deep.equal(REFUSED);
      expect(server.verbs).not.to.include('EHLO');
    });

    it('goes where the operator does', async () => {
      await using server = await ScriptedServer.start();
      const result = await send(server.port, { networks: new Networks() }, { isOperators: true });
      expect(result.outcome).to.equal('accepted');
    });
  });

  it('checks a server without giving it anything', async () => {
    await using server = await ScriptedServer.start();
    const result = await handOver().check(userOf(server.port, { login: { user: 'a', password: 'b' } }));
    expect(result).to.deep.equal({ outcome: 'accepted', response: '235 2.7.0 Welcome' });
    expect(server.verbs.filter((verb) => ['MAIL', 'RCPT', 'DATA'].includes(verb))).to.deep.equal([]);
    await using refusing = await ScriptedServer.start((verb) => (verb === 'AUTH' ? '535 5.7.8 No' : undefined));
    const refused = await handOver().check(userOf(refusing.port, { login: { user: 'a', password: 'b' } }));
    expect(refused).to.include({ outcome: 'refused', of: 'us', code: 535 });
  });
});
