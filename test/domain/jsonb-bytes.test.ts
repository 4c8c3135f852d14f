import { expect } from 'chai';
import fc from 'fast-check';
import { jsonbBytes } from '../../src/db/jsonb-binary.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';

describe('jsonbBytes', () => {
  let database: TestDatabase;

  before(async () => {
    database = await createDatabase();
  });
  after(() => database.drop());

  it('returns the bytes that Postgres prints', async () => {
    const text = fc.string({ unit: 'grapheme' }).filter((each) => !each.includes('\0'));
    const { tree } = fc.letrec((tie) => ({
      leaf: fc.oneof(
        text,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
      ),
      tree: fc.oneof(
        { maxDepth: 4 },
        tie('leaf'),
        fc.array(tie('tree')),
        fc.dictionary(text, tie('tree'), { noNullPrototype: true }),
      ),
    }));
    const values = [
      ...[0, -0, 1e21, -1.5e300, 1e-7, -1.25e-300, Number.MIN_VALUE, Number.MAX_VALUE, 123456789012345680000],
      ...['"\\/\b\f\n\r\t\u0001\u007f', 'ä€😀', [], {}, [[]], { a: {} }],
      ...fc.sample(tree, 500),
    ];
    const list = values.map((value) => `'${JSON.stringify(value).replaceAll("'", "''")}'::text`);
    const rows = await database.query<{ bytes: number }>(
      `select octet_length(value::jsonb::text) as bytes from unnest(array[${list}]) with ordinality as t (value, n) order by n`,
    );
    values.forEach((value, i) => {
      expect(jsonbBytes(value), JSON.stringify(value)).to.equal(rows[i]?.bytes);
    });
  });
});
