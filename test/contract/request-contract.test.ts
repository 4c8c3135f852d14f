import { expect } from 'chai';
import { requestContract } from '../../scripts/request-contract.ts';

describe('What the service keeps of a spec', () => {
  const contract = (more: object) =>
    requestContract({ openapi: '3.1.1', info: { title: 'Carts', version: '1' }, paths: {}, ...more }) as any;

  it('is what requests are held against, without words, examples and responses', () => {
    const { paths } = contract({
      paths: {
        '/carts': {
          post: {
            operationId: 'createCart',
            summary: 'Creates a cart',
            requestBody: {
              description: 'It',
              content: { 'application/json': { schema: { type: 'object' }, examples: {} } },
            },
            responses: { 201: { description: 'Done' } },
          },
        },
      },
    });
    expect(paths).to.deep.equal({
      '/carts': {
        post: {
          operationId: 'createCart',
          requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
        },
      },
    });
  });

  it('keeps members and components that have the names of what it leaves out', () => {
    const schema = {
      properties: { description: { type: 'string', description: 'Its text' }, examples: { type: 'array' } },
    };
    const { paths, components } = contract({
      paths: {
        '/carts': {
          get: { parameters: [{ name: 'q', in: 'query', schema: { $ref: '#/components/schemas/summary' } }] },
        },
      },
      components: { schemas: { summary: schema, Other: { type: 'string' } }, responses: { Failed: {} } },
    });
    expect(paths['/carts'].get.parameters[0].schema.$ref).to.equal('#/components/schemas/summary');
    expect(components).to.deep.equal({
      schemas: { summary: { properties: { description: { type: 'string' }, examples: { type: 'array' } } } },
    });
  });
});
