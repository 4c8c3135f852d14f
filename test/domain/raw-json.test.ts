import { expect } from 'chai';
import { MAX_PARSED_BESIDE_REQUESTS, Oversized, parsed, RawJson, stringify } from '../../src/db/raw-json.ts';

describe('JSON of the database', () => {
  it('is put into an answer as it is', () => {
    const text = '{"b":1.50, "a":"$& \\u00e9"}';
    expect(stringify({ id: 1, list: [new RawJson(text), new RawJson('[]')], none: null })).to.equal(
      `{"id":1,"list":[${text},[]],"none":null}`,
    );
  });

  it('is data to whoever writes it down otherwise', () => {
    expect(JSON.stringify([new RawJson('{ "a": 1 }')])).to.equal('[{"a":1}]');
  });

  it('is parsed where requests are served only while that takes no time', () => {
    expect(parsed(new RawJson('{"a":1}'))).to.deep.equal({ a: 1 });
    expect(parsed({ a: 1 })).to.deep.equal({ a: 1 });
    const large = new RawJson(`"${'x'.repeat(MAX_PARSED_BESIDE_REQUESTS)}"`);
    expect(() => large.parse()).to.throw(Oversized);
  });
});
