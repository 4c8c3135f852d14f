import { expect } from 'chai';
import { exchange } from '../support/raw.ts';
import { TestService } from '../support/service.ts';
import { loadSpec } from '../support/spec.ts';
import { KEY, WIRE } from './corpus/wire.ts';

describe(`${Object.keys(WIRE).length} requests as raw bytes`, () => {
  let service: TestService;
  let key: string;

  before(async () => {
    service = await TestService.start();
    ({ key } = await service.newKey());
  });
  after(() => service.stop());

  for (const [what, [bytes, expected]] of Object.entries(WIRE)) {
    it(`handles ${what} with ${expected}`, async () => {
      const { answers, closed } = await exchange(service.url, Buffer.from(bytes.replaceAll(KEY, key), 'latin1'), {
        count: expected === 'closed' ? 1 : expected.length,
      });
      const statuses = answers.map(({ status }) => status);
      expect(statuses, JSON.stringify(answers)).to.deep.equal(expected === 'closed' ? [] : expected);
      if (expected === 'closed') expect(closed).to.equal(true);
      const spec = await loadSpec('native');
      for (const answer of answers.filter(({ status }) => status >= 400)) {
        expect(spec.errorProblems(answer)).to.deep.equal([]);
      }
    });
  }

  it('records no smuggled request, and keeps serving', async () => {
    expect(await service.database.query("select id from event where event_type = 'smuggled'")).to.deep.equal([]);
    const client = await service.client();
    await client.get('/health/ready', { expect: 200 });
    await client.post('/v1/events', { event_type: 'x', profile: { email: 'a@example.com' } }, { expect: 201 });
  });
});
