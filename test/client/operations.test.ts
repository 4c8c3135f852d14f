import { expect } from 'chai';
import type { Operation } from 'openapi-backend';
import { type Client, createClient } from '../../src/client/index.ts';
import { loadSpec } from '../support/spec.ts';

const { operations } = await loadSpec('native');

type Parameter = { name: string; in: string };
const parametersOf = ({ parameters = [] }: Operation) => parameters as Parameter[];

describe('The operations of the client', () => {
  const sent: Request[] = [];
  const client = createClient({
    baseUrl: 'http://127.0.0.1:1/base/',
    apiKey: 'ffk_key',
    maxAttempts: 1,
    fetch: async (url, init) => {
      sent.push(new Request(url, init));
      throw new Error('It does not matter what comes back');
    },
  });

  for (const operation of operations) {
    const { operationId, method, path } = operation;

    it(`${operationId} sends each argument where the spec expects it`, async () => {
      const named = (place: string) => parametersOf(operation).filter((parameter) => parameter.in === place);
      const inPath = named('path').map(({ name }) => [name, 'a/b?c'] as const);
      const inQuery = named('query').map(({ name }) => [name, `ü&${name}`] as const);
      const inBody = operation.requestBody ? ([['events', []]] as const) : [];
      const call = client[operationId as keyof Client] as (args: object) => Promise<unknown> | AsyncGenerator;
      const result = call(Object.fromEntries([...inPath, ...inQuery, ...inBody]));
      await ('next' in result ? result.next() : result).catch(() => {});
      const request = sent.pop() as Request;
      const url = new URL(request.url);
      expect(request.method).to.equal(method.toUpperCase());
      expect(request.headers.get('Authorization')).to.equal('Bearer ffk_key');
      expect(url.pathname).to.equal(`/base${path.replaceAll(/\{\w+\}/g, 'a%2Fb%3Fc')}`);
      expect([...url.searchParams]).to.deep.equal(inQuery.map((pair) => [...pair]));
      if (operation.requestBody) expect(await request.json()).to.have.property('events');
    });

    // The client takes the arguments of a body and of a query in one object, and can't tell one from the other.
    it(`${operationId} has a body or a query, not both`, () => {
      const hasQuery = parametersOf(operation).some((parameter) => parameter.in === 'query');
      expect(hasQuery && operation.requestBody !== undefined).to.equal(false);
    });
  }
});
