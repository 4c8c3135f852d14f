import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const EMAIL = { column: 'email', identifier: 'email' };

describe('An import of customers', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  const put = (id: string, number: number, text: string, expected = 200) =>
    client.send<any>('PUT', `/v1/imports/${id}/parts/${number}`, JSON.stringify({ text }), {
      headers: { 'Content-Type': 'application/json' },
      expect: expected,
    });

  /** Opens an import with the parts of a file. */
  async function open(input: object, ...parts: string[]): Promise<string> {
    const { body } = await client.post('/v1/imports', input, { expect: 201 });
    for (const [i, text] of parts.entries()) await put(body.id, i + 1, text);
    return body.id;
  }

  /** Imports a file, and returns the import once it has ended. */
  async function run(input: object, ...parts: string[]): Promise<any> {
    const id = await open(input, ...parts);
    await client.post(`/v1/imports/${id}/start`, {}, { expect: 202 });
    return await end(id);
  }

  async function end(id: string): Promise<any> {
    let ended: any;
    await until(async () => {
      ended = (await client.get(`/v1/imports/${id}`, { expect: 200 })).body;
      return ended.ended_at !== null;
    }, 'the import has ended');
    return ended;
  }

  const errorsOf = async (id: string) =>
    (await client.get(`/v1/imports/${id}/errors`, { expect: 200 })).body.errors as any[];

  const find = async (email: string) =>
    (await client.get(`/v1/profiles?email=${encodeURIComponent(email)}`, { expect: 200 })).body.profiles[0];

  describe('that is started', () => {
    it('writes each row as an upsert would', async () => {
      await client.post('/v1/profiles/upsert', {
        identifiers: { email: 'ada@example.com' },
        attributes: { first_name: 'A.', town: 'London' },
      });
      const text =
        'Mail;Name;Points;VIP;Phone;Left out\r\nADA@example.com;Ada;12.5;yes;;x\r\n;Grace;;no;+44 20 1234;y\r\n';
      const mapping = [
        { column: 'Mail', identifier: 'email' },
        { column: 'Phone', identifier: 'phone' },
        { column: 'Name', attribute: 'first_name' },
        { column: 'Points', attribute: 'points', type: 'number' },
        { column: 'VIP', attribute: 'vip', type: 'boolean' },
      ];
      const ended = await run({ mapping }, text);
      expect(ended).to.deep.include({
        state: 'complete',
        progress: 1,
        delimiter: ';',
        rows: { read: 2, created: 1, updated: 1, failed: 0 },
      });
      const ada = await find('ada@example.com');
      expect(ada.attributes).to.deep.equal({ first_name: 'Ada', town: 'London', points: 12.5, vip: true });
      const { profiles } = (await client.get('/v1/profiles?phone=%2B44201234', { expect: 200 })).body;
      expect(profiles[0].attributes).to.deep.equal({ first_name: 'Grace', vip: false });
    });

    it('lists the rows that can not be written, and writes the others', async () => {
      await client.post('/v1/profiles/upsert', { identifiers: { email: 'taken@example.com', external_id: 'one' } });
      await client.post('/v1/profiles/upsert', { identifiers: { external_id: 'two' } });
      const mapping = [
        EMAIL,
        { column: 'id', identifier: 'external_id' },
        { column: 'n', attribute: 'n', type: 'number' },
      ];
      const rows = [
        'email,id,n',
        'no address,,',
        'a@example.com,,1',
        'a@example.com,,one',
        'taken@example.com,two,1',
        ',,1',
        'b@example.com,,1,2',
        '"b@example.com"x,,1',
        '',
        'c@example.com,,3',
      ];
      const { id, rows: counts, errors_kept } = await run({ mapping }, rows.join('\n'));
      expect(counts).to.deep.equal({ read: 8, created: 2, updated: 0, failed: 6 });
      expect(errors_kept).to.equal(6);
      const errors = await errorsOf(id);
      expect(errors.map(({ line, column, value }) => [line, column, value])).to.deep.equal([
        [2, 'email', 'no address'],
        [4, 'n', 'one'],
        [5, 'email', 'taken@example.com'],
        [6, null, null],
        [7, null, null],
        [8, null, null],
      ]);
      expect(errors[2].message).to.equal('belongs to another profile');
      expect((await find('c@example.com')).attributes).to.deep.equal({ n: 3 });
    });

    it('adds customers to lists, and records what they have chosen unless they have chosen since', async () => {
      const { body: list } = await client.post('/v1/lists', { name: 'Old shop' }, { expect: 201 });
      const known = await client.post('/v1/profiles/upsert', { identifiers: { email: 'left@example.com' } });
      await client.send(
        'PUT',
        `/v1/profiles/${known.body.id}/consent`,
        JSON.stringify({ email: { status: 'unsubscribed' } }),
        {
          headers: { 'Content-Type': 'application/json' },
          expect: 200,
        },
      );
      const consent = {
        email: 'subscribed',
        sms: 'subscribed',
        changed_at: '2026-01-01T00:00:00Z',
        source: 'old shop',
      };
      const input = { name: 'old.csv', mapping: [EMAIL], consent, list_ids: [list.id] };
      await run(input, 'email\nleft@example.com\nnew@example.com\nnew@example.com\n');
      const { members } = (await client.get(`/v1/lists/${list.id}/members`, { expect: 200 })).body;
      expect(members).to.have.length(2);
      expect(members[0]).to.include({ how: 'import', source: 'old.csv' });
      const statusOf = async (email: string) => {
        const { id } = await find(email);
        const { consent: all } = (await client.get(`/v1/profiles/${id}`, { expect: 200 })).body;
        return [all.email.status, all.sms.status];
      };
      expect(await statusOf('left@example.com')).to.deep.equal(['unsubscribed', 'never']);
      expect(await statusOf('new@example.com')).to.deep.equal(['subscribed', 'never']);
    });
  });
});
