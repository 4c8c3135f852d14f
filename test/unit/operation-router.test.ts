import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import Koa from 'koa';
import type { Auditing } from '../../src/http/audited.ts';
import { bindContract, openContract } from '../../src/http/bind-contract.ts';
import { bySpecificity, operationRouter } from '../../src/http/operation-router.ts';
import { temporaryFolder } from '../support/process.ts';

/** Operations by their id, as `method path`; every path with a parameter comes before those that it would hide. */
const OPERATIONS = {
  getPartOfCart: 'get /v9/{kind}/{id}/parts/{part}',
  getCart: 'get /v9/carts/{id}',
  deleteCart: 'delete /v9/carts/{id}',
  listItemsOfCart: 'get /v9/carts/{id}/items',
  getItemOfNewest: 'get /v9/carts/newest/{item}',
  searchCarts: 'get /v9/carts/search',
  getLastPartOfCart: 'get /v9/carts/{id}/parts/last',
};
type Id = keyof typeof OPERATIONS;

/** Methods and paths of requests, and the operation that is meant. */
const REQUESTS: [string, Id, Record<string, string>][] = [
  ['get /v9/carts/search', 'searchCarts', {}],
  ['get /v9/carts/1', 'getCart', { id: '1' }],
  ['get /v9/carts/searched', 'getCart', { id: 'searched' }],
  ['delete /v9/carts/search', 'deleteCart', { id: 'search' }],
  ['get /v9/carts/1/items', 'listItemsOfCart', { id: '1' }],
  ['get /v9/carts/newest/items', 'getItemOfNewest', { item: 'items' }],
  ['get /v9/carts/1/parts/last', 'getLastPartOfCart', { id: '1' }],
  ['get /v9/carts/1/parts/2', 'getPartOfCart', { kind: 'carts', id: '1', part: '2' }],
];

describe('the router of operations', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  before(async () => {
    folder = await temporaryFolder();
  });
  after(() => folder.remove());

  /** Serves a spec that has the operations in the given order; its answers say which one was performed. */
  async function serve(ids: Id[]): Promise<Server> {
    const paths: Record<string, Record<string, object>> = {};
    for (const id of ids) {
      const [method = '', path = ''] = OPERATIONS[id].split(' ');
      paths[path] = { ...paths[path], [method]: { operationId: id, security: [{ apiKey: [] }], responses: {} } };
    }
    const file = join(folder.path, 'spec.json');
    await writeFile(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'Carts', version: '1' }, paths }));
    const handlers = Object.fromEntries(ids.map((id) => [id, async () => ({ status: 200 })]));
    const bound = bindContract(await openContract(file), handlers, {} as Auditing);
    const routes = bound.map(({ id, method, path }) => ({
      method,
      path,
      perform: (ctx: Koa.Context & { params: unknown }) => {
        ctx.body = { id, parameters: ctx.params };
      },
    }));
    const app = new Koa().use(operationRouter(routes) as unknown as Koa.Middleware);
    const server = createServer(app.callback());
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return server;
  }

  async function expectAllFound(ids: Id[]): Promise<void> {
    const server = await serve(ids);
    try {
      const { port } = server.address() as AddressInfo;
      for (const [request, id, parameters] of REQUESTS) {
        const [method = '', path = ''] = request.split(' ');
        const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: method.toUpperCase() });
        expect(await response.json(), request).to.deep.equal({ id, parameters });
      }
    } finally {
      server.close();
      server.closeAllConnections();
    }
  }

  it('prefers a path without parameters where the spec has one with parameters before it', () =>
    expectAllFound(Object.keys(OPERATIONS) as Id[]));

  it('finds the same operations for every order of the paths in the spec', () =>
    fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(Object.keys(OPERATIONS) as Id[], { minLength: Object.keys(OPERATIONS).length }),
        expectAllFound,
      ),
      { numRuns: 25 },
    ));

  it('answers nothing where no path fits to the letter', async () => {
    const server = await serve(['searchCarts', 'getCart']);
    try {
      const { port } = server.address() as AddressInfo;
      for (const path of ['/v9/carts', '/v9/carts/search/', '/v9/Carts/search', '/v9/carts/1/2']) {
        expect((await fetch(`http://127.0.0.1:${port}${path}`)).status, path).to.equal(404);
      }
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('leaves paths of which neither is more specific in their order', () => {
    const paths = ['/v1/b/{id}', '/v1/a/:id', '/v1/c/d', '/v1/a/b'].map((path) => ({ path }));
    expect(bySpecificity(paths).map(({ path }) => path)).to.deep.equal([
      '/v1/c/d',
      '/v1/a/b',
      '/v1/b/{id}',
      '/v1/a/:id',
    ]);
  });
});
