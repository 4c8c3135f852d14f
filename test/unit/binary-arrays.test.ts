import { expect } from 'chai';
import fc from 'fast-check';
import pg from 'pg';
import { integers, jsonbs, jsons, texts, timestamps, uuids } from '../../src/db/binary-arrays.ts';
import { RawJson } from '../../src/db/raw-json.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/postgres.ts';

/** What Postgres has in no text, and so in no JSON. */
const text = fc.string({ unit: 'grapheme', maxLength: 100 }).map((each) => each.replaceAll('\0', ''));
const json = fc
  .dictionary(text, fc.jsonValue())
  .filter((each) => !JSON.stringify(each).includes('\\u0000'))
  .map((each) => JSON.parse(JSON.stringify(each)) as object);

describe('arrays in the binary format', () => {
  let database: TestDatabase;
  let client: pg.Client;

  before(async () => {
    database = await createEmptyDatabase();
    client = new pg.Client(database.url);
    await client.connect();
  });
  after(async () => {
    await client?.end();
    await database?.drop();
  });

  /** The elements as Postgres has them: what an expression makes of each. */
  async function elements(type: string, array: Buffer, expression = 'e'): Promise<unknown[]> {
    const { rows } = await client.query(
      `select ${expression} as e from unnest($1::${type}[]) with ordinality as t (e, n) order by n`,
      [array],
    );
    return rows.map(({ e }) => e);
  }

  async function overLists<Value>(
    value: fc.Arbitrary<Value>,
    check: (values: Value[]) => Promise<unknown>,
  ): Promise<void> {
    const property = fc.asyncProperty(fc.array(value, { maxLength: 50 }), async (values) => {
      await check(values);
    });
    await fc.assert(property, { numRuns: 60 });
  }

  it('of texts are to Postgres what they are here, in any script, nulls and empty texts too', async () => {
    const places = ['', 'a', 'ä', '€', '😀', 'a\u0301', '"{},\\\'', 'NULL', ' ', '\n\t\r', '\ufeff', null];
    expect(await elements('text', texts(places))).to.deep.equal(places);
    await overLists(fc.option(text), async (values) =>
      expect(await elements('text', texts(values))).to.deep.equal(values),
    );
  });

  it('of texts are right for every length about those at which they are written in another way', async () => {
    const values = Array.from({ length: 100 }, (_, length) => ['x', 'ß', '€', '😀'].map((each) => each.repeat(length)));
    expect(await elements('text', texts(values.flat()))).to.deep.equal(values.flat());
  });

  it('of texts have the replacement character for half a character, which Postgres would refuse', async () => {
    const values = ['\ud83d', `${'x'.repeat(60)}\ude00`];
    expect(await elements('text', texts(values))).to.deep.equal(['\ufffd', `${'x'.repeat(60)}\ufffd`]);
  });

  it('of UUIDs are to Postgres what they are here', () =>
    overLists(fc.uuid(), async (values) => expect(await elements('uuid', uuids(values))).to.deep.equal(values)));

  it('of integers are to Postgres what they are here, to both ends', async () => {
    const ends = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31)];
    expect(await elements('int', integers(ends))).to.deep.equal(ends);
    await overLists(fc.integer(), async (values) =>
      expect(await elements('int', integers(values))).to.deep.equal(values),
    );
  });

  it('of times are to Postgres what they are here, to the microsecond, from year 1 to 4283', async () => {
    const micros = '(extract(epoch from e) * 1000000)::bigint::text';
    const expected = (values: Date[]) => values.map((value) => String(BigInt(value.getTime()) * 1000n));
    const check = async (values: Date[]) =>
      expect(await elements('timestamptz', timestamps(values), micros)).to.deep.equal(expected(values));
    await check(
      [0, 1, -1, 999, Date.UTC(2000, 0), Date.UTC(2000, 0) - 1, Date.UTC(2000, 0) + 1].map((ms) => new Date(ms)),
    );
    const min = new Date('0001-01-01T00:00:00Z');
    await overLists(fc.date({ min, max: new Date('4283-01-01T00:00:00Z'), noInvalidDate: true }), check);
  });

  it('of json are to Postgres what they are here, to the letter, and null where there is none', async () => {
    const raw = new RawJson('{"b": 1.50, "a":"\\u00e9"}');
    expect(await elements('json', jsons([raw, null, { b: 1, a: 'é' }]), 'e::text')).to.deep.equal([
      raw.text,
      null,
      '{"b":1,"a":"é"}',
    ]);
    await overLists(fc.option(json), async (values) =>
      expect(await elements('json', jsons(values))).to.deep.equal(values),
    );
  });

  it('of jsonb are to Postgres what they are here', async () => {
    expect(await elements('jsonb', jsonbs([new RawJson('{"a":1.50}'), {}, []]), 'e::text')).to.deep.equal([
      '{"a": 1.50}',
      '{}',
      '[]',
    ]);
    await overLists(json, async (values) => expect(await elements('jsonb', jsonbs(values))).to.deep.equal(values));
  });

  it('may be empty', async () => {
    const empty = {
      text: texts([]),
      uuid: uuids([]),
      int: integers([]),
      timestamptz: timestamps([]),
      json: jsons([]),
      jsonb: jsonbs([]),
    };
    for (const [type, array] of Object.entries(empty)) {
      const { rows } = await client.query(`select cardinality($1::${type}[]) as length`, [array]);
      expect(rows, type).to.deep.equal([{ length: 0 }]);
    }
  });

  it('may have megabytes and many elements, and are as they should be after one that had', async () => {
    const large = ['x'.repeat(3 * 1024 * 1024), '€'.repeat(500_000), 'end'];
    const largeArray = texts(large);
    const many = Array.from({ length: 50_000 }, (_, i) => i);
    const manyArray = integers(many);
    const smallArray = texts(['a', null]);
    const [first] = await elements('text', largeArray, 'md5(e)');
    expect(first).to.equal((await client.query('select md5($1::text)', [large[0]])).rows[0].md5);
    expect(await elements('text', largeArray)).to.deep.equal(large);
    expect(await elements('int', manyArray)).to.deep.equal(many);
    expect(await elements('text', smallArray)).to.deep.equal(['a', null]);
  });

  it('of texts are whole where they take three times as many bytes as they have characters', async () => {
    for (let length = 15_000; length < 1_000_000; length *= 2) {
      const value = '€'.repeat(length);
      const [found] = await elements('text', texts([value]));
      expect(found === value, `of ${length} characters`).to.equal(true);
    }
  });

  it('do not change when the next one is made', async () => {
    const first = texts(['first', 'one']);
    texts(['other', 'two']);
    integers([1, 2, 3]);
    expect(await elements('text', first)).to.deep.equal(['first', 'one']);
  });
});
