import { expect } from 'chai';
import fc from 'fast-check';
import type { Client } from '../support/client.ts';
import { damagedFiles } from '../support/damaged-csv.ts';
import { addTrigger, refuseRows } from '../support/obstacles.ts';
import { until } from '../support/process.ts';
import { SOAK_ROUNDS } from '../support/sample.ts';
import { TestService } from '../support/service.ts';

const EMAIL = { column: 'email', identifier: 'email' };

/** For each place of the damage; as many more as `npm run soak` asks for. */
const DAMAGED_FILES = 4 * Math.max(1, SOAK_ROUNDS);

/** Milliseconds for an import, on a machine that is busy with other tests. */

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

  /** Opens imports of a size in the client's store, without their text. */
  async function addImports(count: number, bytes: number): Promise<void> {
    const { id } = (await client.post('/v1/imports', {}, { expect: 201 })).body;
    await service.database.query(`
      insert into customer_import (store_id, id, state, list_ids, bytes, created_at, expires_at)
      select store_id, gen_random_uuid(), 'open', '{}', ${bytes}, now(), now() + interval '1 day'
      from customer_import cross join generate_series(1, ${count - 1}) where id = '${id}'`);
    await service.database.query(`update customer_import set bytes = ${bytes} where id = '${id}'`);
  }

  const errorsOf = async (id: string) =>
    (await client.get(`/v1/imports/${id}/errors`, { expect: 200 })).body.errors as any[];

  const find = async (email: string) =>
    (await client.get(`/v1/profiles?email=${encodeURIComponent(email)}`, { expect: 200 })).body.profiles[0];

  describe('POST /v1/imports/{id}/start', () => {
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
        status: 'complete',
        progress_ratio: 1,
        delimiter: ';',
        rows: { read: 2, created: 1, updated: 1, failed: 0 },
      });
      const ada = await find('ada@example.com');
      expect(ada.attributes).to.deep.equal({ first_name: 'Ada', town: 'London', points: 12.5, vip: true });
      const { profiles } = (await client.get('/v1/profiles?phone=%2B44201234', { expect: 200 })).body;
      expect(profiles[0].attributes).to.deep.equal({ first_name: 'Grace', vip: false });
    });

    it('reads identifiers of files for spreadsheets, with an apostrophe before what would be a formula', async () => {
      const mapping = [
        { column: 'phone', identifier: 'phone' },
        { column: 'id', identifier: 'external_id' },
      ];
      const ended = await run({ mapping }, "phone,id\n'+442079460958,'=1+1\n,'quoted'\n");
      expect(ended.rows).to.deep.equal({ read: 2, created: 2, updated: 0, failed: 0 });
      for (const query of ['phone=%2B442079460958', 'external_id=%3D1%2B1', 'external_id=%27quoted%27']) {
        const { profiles } = (await client.get(`/v1/profiles?${query}`, { expect: 200 })).body;
        expect(profiles, query).to.have.length(1);
      }
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

    it('never makes a customer of a part of a value, however broken the row around it is', async () => {
      const mapping = [{ column: 'id', identifier: 'external_id' }];
      const note = '"a "note" of\nnot-a-customer,1\nand more"';
      for (const [text, rows] of [
        [`id,note\none,${note}\ntwo,ok\n`, { read: 4, created: 1, updated: 0, failed: 3 }],
        [`id,note\nthree,"never closed\nnot-a-customer,1\n`, { read: 2, created: 0, updated: 0, failed: 2 }],
        [`id,note\nfour,"not closed\nfive,"a, b"\nsix,ok`, { read: 3, created: 2, updated: 0, failed: 1 }],
        // More of such lines than one transaction has.
        [`id,note\nseven,"never closed\n${'not-a-customer,1\n'.repeat(2_000)}`, { created: 0, updated: 0 }],
      ] as const) {
        const ended = await run({ mapping }, text);
        expect(ended.rows, text.slice(0, 100)).to.deep.include(rows);
        const { body } = await client.get('/v1/profiles?external_id=not-a-customer', { expect: 200 });
        expect(body.profiles, text.slice(0, 100)).to.deep.equal([]);
      }
    });

    it('reads what spreadsheets write: the delimiter, no empty values at the end, too many, and inches', async () => {
      const mapping = [EMAIL, { column: 'b', attribute: 'b' }, { column: 'c', attribute: 'c' }];
      const rows = ['a@example.com', 'b@example.com;5" pipe;;; ', '"c@example.com" ; "x; y"', 'd@example.com;1;2;3'];
      const ended = await run({ mapping }, `\ufeffsep=;\r\n;;\r\nemail;b;c\r\n${rows.join('\r\n')}`);
      expect(ended).to.deep.include({ delimiter: ';', rows: { read: 4, created: 3, updated: 0, failed: 1 } });
      expect((await find('a@example.com')).attributes).to.deep.equal({});
      expect((await find('b@example.com')).attributes).to.deep.equal({ b: '5" pipe' });
      expect((await find('c@example.com')).attributes).to.deep.equal({ b: 'x; y' });
      const [error] = await errorsOf(ended.id);
      expect(error).to.include({ line: 7, message: 'has 4 values, but the first line has 3' });
    });

    for (const which of ['first', 'middle', 'last'] as const) {
      it(`writes or lists every row of a file, though the ${which} one is damaged`, async () => {
        const [mapping, files] = [[EMAIL], fc.sample(damagedFiles(which), DAMAGED_FILES)];
        for (const { text, addresses } of files) {
          client = await service.client();
          const { id, rows } = await run({ mapping, delimiter: ',' }, text);
          const listed = (await errorsOf(id)).map(({ line }) => line - 2);
          expect(rows, text).to.deep.equal({
            read: addresses.length,
            created: addresses.length - listed.length,
            updated: 0,
            failed: listed.length,
          });
          for (const [i, address] of addresses.entries()) {
            if (!listed.includes(i)) expect(await find(address), `${address} of ${text}`).not.to.equal(undefined);
          }
        }
      });
    }

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

    it('records what each row says of consent, and lists what it can not say', async () => {
      const mapping = [
        EMAIL,
        { column: 'Phone', identifier: 'phone' },
        { column: 'Status', consent: 'email_status' },
        { column: 'Since', consent: 'email_changed_at', type: 'date_dmy' },
        { column: 'Where', consent: 'email_source' },
        { column: 'Bounced', consent: 'email_suppressed' },
        { column: 'SMS', consent: 'sms_status' },
      ];
      const rows = [
        'a@example.com,+4930123456,Subscribed,01.03.2026,fair,no,no',
        'b@example.com,,opted_out,,,YES,',
        'c@example.com,,never_subscribed,,,,never',
        'd@example.com,,yes,,,,',
        'e@example.com,,maybe,,,,',
        'f@example.com,,yes,2026-03-01,,,',
        'g@example.com,,yes,01.01.2999,,,',
        'h@example.com,,,,,,1',
        'i@example.com,,,,,2,',
      ];
      const text = `email,Phone,Status,Since,Where,Bounced,SMS\n${rows.join('\n')}\n`;
      const { id, rows: counts } = await run({ mapping }, text);
      expect(counts).to.deep.include({ created: 3, failed: 6 });
      const errors = await errorsOf(id);
      expect(errors.map(({ line, column }) => [line, column])).to.deep.equal([
        [5, 'Status'],
        [6, 'Status'],
        [7, 'Since'],
        [8, 'Since'],
        [9, 'SMS'],
        [10, 'Bounced'],
      ]);
      const consentOf = async (email: string) => {
        const { body } = await client.get(`/v1/profiles/${(await find(email)).id}`, { expect: 200 });
        return body.consent;
      };
      const a = await consentOf('a@example.com');
      expect(a.email).to.deep.include({ status: 'subscribed', changed_at: '2026-03-01T00:00:00.000Z', source: 'fair' });
      expect([a.email.suppressed, a.sms.status]).to.deep.equal([null, 'unsubscribed']);
      const b = await consentOf('b@example.com');
      expect([b.email.status, b.email.suppressed.reason, b.sms.status]).to.deep.equal([
        'unsubscribed',
        'USER_SUPPRESSED',
        'never',
      ]);
      expect((await consentOf('c@example.com')).email.status).to.equal('never');
    });

    it('goes by what a row says of consent before what the import says, which tells when', async () => {
      const consent = {
        email: 'subscribed',
        sms: 'subscribed',
        changed_at: '2026-01-01T00:00:00Z',
        source: 'old shop',
      };
      const mapping = [EMAIL, { column: 'phone', identifier: 'phone' }, { column: 's', consent: 'email_status' }];
      await run(
        { mapping, consent },
        'email,phone,s\na@example.com,+4930123456,no\nb@example.com,,yes\nc@example.com,,\n',
      );
      const found = [];
      for (const name of ['a', 'b', 'c']) {
        const { body } = await client.get(`/v1/profiles/${(await find(`${name}@example.com`)).id}`, { expect: 200 });
        found.push([body.consent.email.status, body.consent.email.changed_at, body.consent.sms.status]);
      }
      const time = '2026-01-01T00:00:00.000Z';
      expect(found).to.deep.equal([
        ['unsubscribed', time, 'subscribed'],
        ['subscribed', time, 'never'],
        ['never', null, 'never'],
      ]);
    });

    it('reads dates in the order of their column, and ids of another system', async () => {
      const mapping = [
        { column: 'Klaviyo ID', identifier: 'source_id' },
        { column: 'Geburtstag', attribute: 'birthday', type: 'date_dmy' },
      ];
      const { id } = await run({ mapping }, 'Klaviyo ID;Geburtstag\n01GD;31.12.1990\n01GE;12/31/1990\n');
      expect((await errorsOf(id))[0]).to.include({ line: 3, column: 'Geburtstag', value: '12/31/1990' });
      const { body } = await client.get('/v1/profiles?source_id=01GD', { expect: 200 });
      expect(body.profiles[0].attributes).to.deep.equal({ birthday: '1990-12-31' });
      expect(body.profiles[0].identifiers.source_id).to.equal('01GD');
    });

    it('is done once, and refused without a mapping, a column that the mapping names, or a part', async () => {
      const refused = async (id: string, body: object, field: string | null) => {
        const answer = await client.post(`/v1/imports/${id}/start`, body, { expect: 400 });
        expect(answer.body.error.field).to.equal(field);
      };
      const id = await open({});
      await refused(id, { mapping: [EMAIL] }, null);
      await put(id, 2, 'a@example.com\n');
      await refused(id, { mapping: [EMAIL] }, null);
      await put(id, 1, 'email,name,name\n');
      await refused(id, {}, 'mapping');
      await refused(id, { mapping: [{ column: 'mail', identifier: 'email' }] }, 'mapping[0].column');
      await refused(id, { mapping: [EMAIL, { column: 'name', attribute: 'n' }] }, 'mapping[1].column');
      await refused(id, { mapping: [EMAIL, { column: 'name' }] }, 'mapping[1]');
      await refused(id, { mapping: [EMAIL, { column: 'x', identifier: 'email' }] }, 'mapping[1].identifier');
      const withConsent = (consent: string, type?: string) => ({
        mapping: [EMAIL, { column: 'name', consent, ...(type && { type }) }],
      });
      await refused(id, withConsent('email_source'), 'mapping');
      await refused(id, withConsent('email_status', 'text'), 'mapping[1].type');
      await refused(id, withConsent('email_changed_at', 'text'), 'mapping[1].type');
      await refused(id, { mapping: [EMAIL, { column: 'x', attribute: '__proto__' }] }, 'mapping[1].attribute');
      await client.post(`/v1/imports/${id}/start`, { mapping: [EMAIL] }, { expect: 202 });
      await client.post(`/v1/imports/${id}/start`, {}, { expect: 202 });
      expect(await end(id)).to.deep.include({ rows: { read: 1, created: 1, updated: 0, failed: 0 } });
    });

    it('imports a file that is cut anywhere, with a byte order mark', async () => {
      const text = `\u{feff}email,name\r\n${'z@example.com,"Zoë, 😀"\r\n'.repeat(2)}`;
      const { rows } = await run({ mapping: [EMAIL, { column: 'name', attribute: 'name' }] }, ...Array.from(text));
      expect(rows).to.deep.equal({ read: 2, created: 1, updated: 1, failed: 0 });
      expect((await find('z@example.com')).attributes).to.deep.equal({ name: 'Zoë, 😀' });
    });

    it('imports more rows than one transaction has, and no more than its text is kept', async () => {
      const lines = Array.from({ length: 2_500 }, (_, i) => `c${i}@example.com`);
      const ended = await run({ mapping: [EMAIL] }, 'email\n', lines.join('\n'));
      expect(ended.rows).to.deep.equal({ read: 2_500, created: 2_500, updated: 0, failed: 0 });
      const [{ n } = {}] = await service.database.query<{ n: number }>(
        `select count(*)::int as n from customer_import_part where import_id = '${ended.id}'`,
      );
      expect(n).to.equal(0);
    });

    it('fails with a reason where the file is none of CSV, or a list is gone', async () => {
      const broken = await run({ mapping: [EMAIL] }, `email,b\n${'"a"b,c\n'.repeat(300)}d@example.com,\n`);
      expect(broken.status).to.equal('failed');
      expect(broken.failure).to.include("More than 100 rows can't be read");
      const { body: list } = await client.post('/v1/lists', { name: 'Gone' }, { expect: 201 });
      const id = await open({ mapping: [EMAIL], list_ids: [list.id] }, 'email\na@example.com\n');
      await client.send('DELETE', `/v1/lists/${list.id}`, undefined, { expect: 200 });
      const { body } = await client.post(`/v1/imports/${id}/start`, {}, { expect: 400 });
      expect(body.error.field).to.equal('list_ids[0]');
    });

    it('gives up a row that the database refuses, and writes the others', async () => {
      await refuseRows(service.database, 'profile', `new.email = 'refused@example.com'`, '22023');
      const names = Array.from({ length: 40 }, (_, i) => (i === 17 ? 'refused' : `good${i}`));
      const { id, rows } = await run({ mapping: [EMAIL] }, `email\n${names.map((n) => `${n}@example.com\n`).join('')}`);
      expect(rows).to.deep.equal({ read: 40, created: 39, updated: 0, failed: 1 });
      expect(await errorsOf(id)).to.deep.equal([
        { line: 19, code: 'internal_error', column: null, value: null, message: 'Something went wrong on our side' },
      ]);
    });

    it('loses one row to a line of many megabytes, whatever that ends with', async () => {
      const long = Array.from({ length: 30 }, () => 'x'.repeat(100_000));
      const mapping = [{ column: 'id', identifier: 'external_id' }];
      const ended = await run({ mapping }, 'id,v\nlong1,1\n"long2,', ...long, ',long2\nlong3,1\n');
      // The line after it may be within the quotes.
      expect(ended).to.deep.include({ status: 'complete', rows: { read: 3, created: 1, updated: 0, failed: 2 } });
      expect((await errorsOf(ended.id)).map(({ line, column }) => [line, column])).to.deep.equal([
        [3, null],
        [4, null],
      ]);
      const bare = await run({ mapping }, 'id,v\nlong1,1\n', ...long, 'a,long2\nlong3,1\n');
      expect(bare).to.deep.include({ status: 'complete', rows: { read: 3, created: 1, updated: 1, failed: 1 } });
      const { body } = await client.get('/v1/profiles?external_id=long2', { expect: 200 });
      expect(body.profiles).to.deep.equal([]);
    });

    it('counts lines right where customers are too large for one transaction', async () => {
      const attributes = Object.fromEntries(Array.from({ length: 45 }, (_, i) => [`a${i}`, 'x'.repeat(100_000)]));
      const ids = Array.from({ length: 5 }, (_, i) => `large${i}`);
      for (const external_id of ids) {
        await client.post('/v1/profiles/upsert', { identifiers: { external_id }, attributes }, { expect: 201 });
      }
      const mapping = [{ column: 'id', identifier: 'external_id' }];
      const ended = await run({ mapping }, `id,v\n${ids.map((id) => `${id},1\n,\n`).join('')}long,1,2\n`);
      expect(ended.rows).to.deep.equal({ read: 6, created: 0, updated: 5, failed: 1 });
      expect((await errorsOf(ended.id)).map(({ line }) => line)).to.deep.equal([12]);
    });

    it('keeps what is strange in a file as it is, and refuses what can not be kept', async () => {
      const cells = ['=cmd()', '\u202ex', 'a\nb', '{"a":1}', 'null', '00123', '1e400', '😀'];
      const mapping = [EMAIL, { column: 'v', attribute: 'v' }];
      const lines = cells.map((cell, i) => `c${i}@example.com,"${cell.replaceAll('"', '""')}"`);
      const { rows } = await run({ mapping }, ['email,v', ...lines].join('\n'));
      expect(rows.failed).to.equal(0);
      for (const [i, cell] of cells.entries()) {
        expect((await find(`c${i}@example.com`)).attributes).to.deep.equal({ v: cell });
      }
      const numbers = ['1e400', '12345678901234567890', '1,5', '0x10', 'Infinity', ' 7 '];
      const number = [EMAIL, { column: 'v', attribute: 'v', type: 'number' }];
      const read = await run({ mapping: number }, `email;v\n${numbers.map((n) => `n@example.com;${n}\n`).join('')}`);
      expect(read.rows).to.deep.include({ created: 1, failed: 5 });
    });

    it('says of a number that would lose digits that text keeps them', async () => {
      const mapping = [EMAIL, { column: 'v', attribute: 'v', type: 'number' }];
      const { id } = await run({ mapping }, 'email;v\na@example.com;9007199254740993\na@example.com;1,5\n');
      expect((await errorsOf(id)).map(({ message }) => message)).to.deep.equal([
        'is a number that would lose digits; map the column as text to keep them',
        'must be a number with a point, and without a separator of thousands',
      ]);
    });
  });

  it('takes numbers as other languages print them for numbers', async () => {
    const id = await open({}, 'email,price\na@example.com,47.950000000000003\nb@example.com,8.9000000000000004\n');
    const { body } = await client.post(`/v1/imports/${id}/preview`, {}, { expect: 200 });
    expect(body.mapping[1]).to.deep.equal({ column: 'price', attribute: 'price', type: 'number' });
    await client.post(`/v1/imports/${id}/start`, { mapping: body.mapping }, { expect: 202 });
    expect((await end(id)).rows).to.include({ created: 2, failed: 0 });
    expect((await find('a@example.com')).attributes).to.deep.equal({ price: 47.95 });
    expect((await find('b@example.com')).attributes).to.deep.equal({ price: 8.9 });
  });

  it('takes what is too long for a number to be an id', async () => {
    const id = await open({}, 'email,card,visits\na@example.com,1152921504606846976,12\n');
    const { body } = await client.post(`/v1/imports/${id}/preview`, {}, { expect: 200 });
    expect(body.mapping.slice(1).map(({ type }: any) => type)).to.deep.equal(['text', 'number']);
  });

  describe('POST /v1/imports', () => {
    it('returns the same import for the same idempotency key, until that was cancelled', async () => {
      const input = { idempotency_key: 'customers' };
      const first = (await client.post('/v1/imports', input, { expect: 201 })).body;
      await put(first.id, 1, 'email\n');
      const second = (await client.post('/v1/imports', input, { expect: 201 })).body;
      expect(second).to.include({ id: first.id, parts: 1 });
      await client.send('DELETE', `/v1/imports/${first.id}`, undefined, { expect: 200 });
      expect((await client.post('/v1/imports', input, { expect: 201 })).body.id).not.to.equal(first.id);
      const other = await service.client();
      expect((await other.post('/v1/imports', input, { expect: 201 })).body.parts).to.equal(0);
    });

    it('opens as many as a store may have, and then in the place of those without a part', async () => {
      const first = await open({});
      await addImports(99, 0);
      const listed = async () => (await client.get('/v1/imports?limit=100', { expect: 200 })).body.imports as any[];
      const ids = (await listed()).map(({ id }) => id);
      const next = await open({});
      const left = (await listed()).map(({ id }) => id);
      expect(left).to.have.length(100).and.include(next);
      expect(ids.filter((id) => !left.includes(id))).to.have.length(1);
      await service.database.query(`update customer_import set bytes = 1, parts = 1 where state = 'open'`);
      await client.post('/v1/imports', {}, { expect: 400 });
      await client.send('DELETE', `/v1/imports/${left.includes(first) ? first : next}`, undefined, { expect: 200 });
      await client.post('/v1/imports', {}, { expect: 201 });
    });

    it('takes a list and a column once, however they are written', async () => {
      const { body: list } = await client.post('/v1/lists', { name: 'Once' }, { expect: 201 });
      const list_ids = [list.id, list.id.toUpperCase()];
      const { body } = await client.post('/v1/imports', { list_ids }, { expect: 201 });
      expect(body.list_ids).to.deep.equal([list.id]);
      const mapping = [EMAIL, { column: ' v', attribute: 'a' }, { column: 'v ', attribute: 'b' }];
      const refused = await client.post('/v1/imports', { mapping }, { expect: 400 });
      expect(refused.body.error.field).to.equal('mapping[2].column');
    });

    it('says whether the file is history, and refuses what is neither', async () => {
      for (const backfill of [true, false, undefined]) {
        const { body } = await client.post('/v1/imports', { backfill }, { expect: 201 });
        expect(body.backfill).to.equal(backfill ?? false);
        const { body: shown } = await client.get(`/v1/imports/${body.id}`, { expect: 200 });
        expect(shown).to.deep.equal(body);
      }
      for (const backfill of ['true', 1, null, {}]) {
        const { body } = await client.post('/v1/imports', { backfill }, { expect: 400 });
        expect(body.error.field).to.equal('backfill');
      }
    });

    it('refuses a consent that nobody has given, or only will give', async () => {
      for (const [consent, field] of [
        [{ changed_at: '2026-01-01T00:00:00Z' }, 'consent'],
        [{ email: 'subscribed', changed_at: '2999-01-01T00:00:00Z' }, 'consent.changed_at'],
      ]) {
        const { body } = await client.post('/v1/imports', { consent }, { expect: 400 });
        expect(body.error.field).to.equal(field);
      }
    });
  });

  describe('PUT /v1/imports/{id}/parts/{number}', () => {
    it('replaces a part, and counts those without a gap', async () => {
      const id = await open({});
      expect((await put(id, 2, 'b')).body).to.include({ parts: 0, size_bytes: 1 });
      expect((await put(id, 1, 'é')).body).to.include({ parts: 2, size_bytes: 3 });
      expect((await put(id, 1, 'a')).body).to.include({ parts: 2, size_bytes: 2 });
    });

    it('refuses what is no text, too long, or after the start', async () => {
      const id = await open({ mapping: [EMAIL] }, 'email');
      await put(id, 2, '\0', 400);
      const { body } = await put(id, 2, 'a@example.com\r\nb@example.com\r\nc\0@example.com\r\n', 400);
      expect(body.error.message).to.equal('text contains a NUL character on its line 3');
      await put(id, 2, '\ud800', 400);
      await put(id, 2, 'x'.repeat(262_145), 400);
      for (const number of [0, 1_001, 1.5]) await put(id, number, 'x', 404);
      await put(id, 1_000, 'x'.repeat(262_144));
      await client.send('DELETE', `/v1/imports/${id}`, undefined, { expect: 200 });
      await put(id, 2, 'x', 400);
    });

    it('stores 100 MB of a file, and 500 of a store', async () => {
      const [large, other] = [await open({}, 'x'), await open({}, 'x')];
      const pretend = (bytes: number) =>
        service.database.query(`update customer_import_part set bytes = ${bytes} where import_id = '${large}'`);
      await pretend(104_857_600 - 2);
      await put(large, 2, 'é');
      await put(large, 3, 'x', 400);
      await pretend(104_857_600 - 4);
      await put(large, 2, 'é');
      await addImports(4, 104_857_600);
      await put(other, 1, 'é');
      await put(other, 2, 'x', 400);
      await client.send('DELETE', `/v1/imports/${large}`, undefined, { expect: 200 });
      await put(other, 2, 'x');
    });
  });

  describe('POST /v1/imports/{id}/preview', () => {
    const preview = async (text: string, body: object = {}, expected = 200) => {
      const id = await open({}, text);
      return (await client.post(`/v1/imports/${id}/preview`, body, { expect: expected })).body;
    };

    it('suggests what columns are by their names and values', async () => {
      const header = ['E-Mail Address', 'Mobile', 'CustomerID', 'firstName', 'Orders', 'Zip', 'Active', '', 'a', 'a'];
      const { columns, delimiter } = await preview(
        `${header.join('\t')}\nx@y.z\t1234567\t7\tAda\t3\t01234\tyes\t\t1\t2`,
      );
      expect(delimiter).to.equal('\t');
      const targets = columns.map(
        ({ suggestion: one }: any) => one && (one.identifier ?? `${one.attribute} ${one.type}`),
      );
      expect(targets).to.deep.equal([
        'email',
        'phone',
        'external_id',
        'first_name text',
        'orders number',
        'zip text',
        'active boolean',
        null,
        null,
        null,
      ]);
    });

    it('shows the first rows as they would be written, and writes nothing', async () => {
      const { rows, mapping } = await preview(`email,n\n${'A@example.com,1\n'.repeat(30)}`);
      expect(mapping).to.have.length(2);
      expect(rows).to.have.length(20);
      expect(rows[19]).to.deep.equal({
        line: 21,
        identifiers: { email: 'a@example.com', phone: null, external_id: null },
        attributes: { n: 1 },
        consent: [],
        error: null,
      });
      const id = await open({}, 'email,id,s,at\na@example.com,01GD,yes,2026-03-01\nb@example.com,,no,\n');
      const given = [
        EMAIL,
        { column: 'id', identifier: 'source_id' },
        { column: 's', consent: 'sms_status' },
        { column: 'at', consent: 'sms_changed_at' },
      ];
      const { body } = await client.post(`/v1/imports/${id}/preview`, { mapping: given }, { expect: 200 });
      expect(body.mapping).to.deep.equal(given);
      expect(body.rows[0].identifiers.source_id).to.equal('01GD');
      const choice = { channel: 'sms', source: null };
      expect(body.rows.map(({ consent }: any) => consent[0])).to.deep.equal([
        { ...choice, kind: 'subscribed', changed_at: '2026-03-01T00:00:00.000Z' },
        { ...choice, kind: 'unsubscribed', changed_at: null },
      ]);
      expect(await find('a@example.com')).to.equal(undefined);
    });

    it('passes over empty rows, and over one that goes on beyond what it reads', async () => {
      const rows = async (text: string) => (await preview(text)).rows.map(({ line, error }: any) => [line, error]);
      expect(await rows(`,\n\nemail,v\n${',\n'.repeat(30)}a@example.com,1\n`)).to.deep.equal([[34, null]]);
      expect(await rows(`email,v\na@example.com,1\nb@example.com,"${'x'.repeat(70_000)}"\n`)).to.deep.equal([
        [2, null],
      ]);
      expect(await rows(`email,v\nb@example.com,"${'x'.repeat(70_000)}"\n`)).to.deep.equal([]);
    });

    it('has no rows without an identifier, and refuses what is none of CSV', async () => {
      expect((await preview('name\nAda\n')).rows).to.deep.equal([]);
      for (const text of ['\n\n', '"', 'x'.repeat(70_000), ','.repeat(10_000), '"a"b']) {
        const { error } = await preview(text, {}, 400);
        expect(error.code).to.equal('validation_error');
      }
    });
  });

  describe('GET /v1/imports/{id}/errors', () => {
    it('has the first 10,000, page by page', async () => {
      const { id, rows, errors_kept } = await run({ mapping: [EMAIL] }, `email\n${'x\n'.repeat(10_500)}`);
      expect([rows.failed, errors_kept]).to.deep.equal([10_500, 10_000]);
      const lines: number[] = [];
      for (let cursor = ''; ; ) {
        const { body } = await client.get(`/v1/imports/${id}/errors?limit=1000${cursor}`, { expect: 200 });
        lines.push(...body.errors.map(({ line }: any) => line));
        if (body.next_cursor === null) break;
        cursor = `&cursor=${body.next_cursor}`;
      }
      expect(lines).to.deep.equal(Array.from({ length: 10_000 }, (_, i) => i + 2));
      await client.get(`/v1/imports/${id}/errors?cursor=x`, { expect: 400 });
    });
  });

  describe('GET /v1/imports and /v1/imports/{id}', () => {
    it('show imports until they expire', async () => {
      const id = await open({ name: 'old.csv' });
      const { body } = await client.get('/v1/imports', { expect: 200 });
      expect(body.imports.map((one: any) => one.name)).to.deep.equal(['old.csv']);
      await service.database.query(
        `update customer_import set expires_at = now() - interval '1 second' where id = '${id}'`,
      );
      await (await TestService.start({}, service.database)).stopService();
      await client.get(`/v1/imports/${id}`, { expect: 404 });
    });

    it('keep one that waits, however long nobody works at it', async () => {
      const id = await open({ mapping: [EMAIL], name: 'waits.csv' }, 'email\nwaits@example.com\n');
      await addTrigger(service.database, 'import_job', {
        when: 'before insert',
        for: `each row when (new.id = '${id}')`,
        body: "new.retry_at := now() + interval '1 hour'; new.expires_at := now() - interval '1 day'; return new;",
      });
      await client.post(`/v1/imports/${id}/start`, {}, { expect: 202 });
      await (await TestService.start({}, service.database)).stopService();
      await service.database.query(`update import_job set retry_at = null where id = '${id}'`);
      expect(await end(id)).to.deep.include({ status: 'complete', failure: null });
    });
  });

  describe('DELETE /v1/imports/{id}', () => {
    it('ends an import in the middle, and leaves one that has ended', async () => {
      const lines = Array.from({ length: 20_000 }, (_, i) => `c${i}@example.com\n`);
      const id = await open({ mapping: [EMAIL] }, 'email\n', lines.join('').slice(0, 200_000));
      await client.post(`/v1/imports/${id}/start`, {}, { expect: 202 });
      const { body } = await client.send<any>('DELETE', `/v1/imports/${id}`, undefined, { expect: 200 });
      expect(body.status).to.equal('cancelled');
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect((await client.get(`/v1/imports/${id}`, { expect: 200 })).body).to.deep.equal(body);
      const complete = await run({ mapping: [EMAIL] }, 'email\na@example.com\n');
      const kept = await client.send('DELETE', `/v1/imports/${complete.id}`, undefined, { expect: 200 });
      expect(kept.body).to.deep.equal(complete);
    });
  });
});
