import { expect } from 'chai';
import { MAX_PARSED_BESIDE_REQUESTS, Oversized, parsed, RawJson, stringify } from '../../src/db/raw-json.ts';

describe('Raw JSON of the database', () => {
  it('is inserted unchanged into a response', () => {
    const text = '{"b":1.50, "a":"$& \\u00e9"}';
    expect(stringify({ id: 1, list: [new RawJson(text), new RawJson('[]')], none: null })).to.equal(
      `{"id":1,"list":[${text},[]],"none":null}`,
    );
  });

  it('is serialised as data by JSON.stringify', () => {
    expect(JSON.stringify([new RawJson('{ "a": 1 }')])).to.equal('[{"a":1}]');
  });

  it('is parsed on the thread that serves requests only if it is small', () => {
    expect(parsed(new RawJson('{"a":1}'))).to.deep.equal({ a: 1 });
    expect(parsed({ a: 1 })).to.deep.equal({ a: 1 });
    const large = new RawJson(`"${'x'.repeat(MAX_PARSED_BESIDE_REQUESTS)}"`);
    expect(() => large.parse()).to.throw(Oversized);
  });
});
