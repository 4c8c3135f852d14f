import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import Koa from 'koa';
import { logUncaught } from '../../src/http/log-uncaught.ts';
import type { Log } from '../../src/process/log.ts';
import { until } from '../support/process.ts';

describe('Errors outside the error boundary', () => {
  it('are logged with their cause as errors, but not if a client disconnects', async () => {
    const lines: [string, string][] = [];
    const write = (level: string) => (fields: { err: Error }) => lines.push([level, fields.err.message]);
    const app = new Koa();
    app.on('error', logUncaught({ debug: write('debug'), error: write('error') } as unknown as Log));
    app.use((ctx) => {
      if (ctx.path === '/broken') throw new Error('a mistake');
      const endless = new PassThrough();
      endless.write('begun');
      ctx.body = endless;
    });
    const server = createServer(app.callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      expect((await fetch(`${url}/broken`)).status).to.equal(500);
      expect(lines).to.deep.equal([['error', 'a mistake']]);
      const request = get(`${url}/endless`);
      const [response] = await once(request, 'response');
      response.on('error', () => {});
      response.destroy();
      await until(() => lines.length === 2, 'it is seen that the client is gone');
      expect(lines[1]?.[0]).to.equal('debug');
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});
