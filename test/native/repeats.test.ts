import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { UNKNOWN_ID } from '../support/samples.ts';
import { TestService } from '../support/service.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const MANUAL = { name: 'A', trigger: { type: 'manual' }, start: 'one', steps: [{ id: 'one', type: 'exit' }] };

/** What can be deleted: how it is made, and where its id is in the response. */
const DELETABLE: Record<string, { body: object; idOf: (created: any) => string }> = {
  '/v1/lists': { body: { name: 'A' }, idOf: ({ id }) => id },
  '/v1/segments': { body: { name: 'A', definition: { identifier: 'email' } }, idOf: ({ id }) => id },
  '/v1/api-keys': { body: { name: 'A', scopes: ['events:write'] }, idOf: ({ api_key }) => api_key.id },
  '/v1/imports': { body: {}, idOf: ({ id }) => id },
  '/v1/webhook-endpoints': {
    body: { url: 'https://hooks.shop.example/a', name: 'A' },
    idOf: ({ endpoint }) => endpoint.id,
  },
};

/** What has a revision: how it is made, and what it is changed to. */
const REVISED: Record<string, { body: object; change: object }> = {
  '/v1/segments': {
    body: { name: 'A', definition: { identifier: 'email' } },
    change: { name: 'B', definition: { identifier: 'phone' } },
  },
  '/v1/automations': { body: { definition: MANUAL }, change: { definition: { ...MANUAL, name: 'B' } } },
};

describe('What is sent again', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
    client = await service.client();
  });
  after(() => service.stop());

  for (const [path, { body, idOf }] of Object.entries(DELETABLE)) {
    it(`deletes once at ${path}, and answers the same each time`, async () => {
      const id = idOf((await client.post(path, body, { expect: 201 })).body);
      const remove = (one: string, status: number) =>
        client.send('DELETE', `${path}/${one}`, undefined, { expect: status });
      const first = await remove(id, 200);
      for (const same of [id, id.toUpperCase()]) expect((await remove(same, 200)).body).to.deep.equal(first.body);
      await remove(UNKNOWN_ID, 404);
      const elsewhere = await service.client();
      await elsewhere.send('DELETE', `${path}/${id}`, undefined, { expect: 404 });
    });
  }

  for (const [path, { body, change }] of Object.entries(REVISED)) {
    it(`changes once at ${path}, and refuses what others have overtaken`, async () => {
      const { id } = (await client.post(path, body, { expect: 201 })).body;
      const put = (sent: object) =>
        client.send<any>('PUT', `${path}/${id}`, JSON.stringify(sent), { headers: JSON_TYPE });
      const first = await put({ ...change, revision: 1 });
      expect([first.status, first.body.revision]).to.deep.equal([200, 2]);
      const again = await put({ ...change, revision: 1 });
      expect([again.status, again.body.revision]).to.deep.equal([200, 2]);
      for (const refused of [await put({ ...change, revision: 7 }), await put(change)]) {
        expect([refused.status, refused.body.error.code, refused.body.error.field]).to.deep.equal([
          400,
          'validation_error',
          'revision',
        ]);
      }
    });
  }
});
