import { expect } from 'chai';
import { loadSpec, type Spec } from '../support/spec.ts';

const GOOD = {
  status: 201,
  headers: {
    date: 'Fri, 20 Nov 2026 09:15:27 GMT',
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': '6f1c2a90-3d5b-4e7a-9b1f-2c8d7e6f5a43',
    'ratelimit-limit': '700',
    'ratelimit-remaining': '699',
    'ratelimit-reset': '60',
  },
  body: {
    id: '01936b2e-7c1a-7d3e-9a44-5f0c7e2b9d10',
    event_type: 'placed_order',
    profile_id: '01936b2e-7c19-7a02-8c51-0d9f6a1e4b77',
    properties: { value: 59.9 },
    idempotency_key: null,
    occurred_at: '2026-11-20T09:15:27.412Z',
    received_at: '2026-11-20T09:15:27.412Z',
  },
};

describe('The client of the tests, which holds every answer against its spec,', () => {
  let spec: Spec;

  before(async () => {
    spec = await loadSpec('native');
  });

  it('accepts an answer that the spec declares', () => {
    expect(spec.problems('createEvent', GOOD)).to.deep.equal([]);
  });

  it('refuses what only later versions answer', () => {
    const change = {
      id: GOOD.body.id,
      profile_id: GOOD.body.profile_id,
      kind: 'entered',
      changed_at: GOOD.body.occurred_at,
    };
    const answer = (cause: string) => ({
      ...GOOD,
      status: 200,
      body: { changes: [{ ...change, cause }], next_cursor: null },
    });
    expect(spec.problems('listSegmentChanges', answer('event'))).to.deep.equal([]);
    expect(spec.problems('listSegmentChanges', answer('weather'))).not.to.be.empty;
  });

  const { 'ratelimit-reset': _, ...tooFewHeaders } = GOOD.headers;
  const { received_at: __, ...tooFewProperties } = GOOD.body;
  for (const [what, answer] of Object.entries({
    'a status that is not declared': { ...GOOD, status: 200 },
    'a header that is not declared': { ...GOOD, headers: { ...GOOD.headers, 'x-powered-by': 'koa' } },
    'a header that is missing': { ...GOOD, headers: tooFewHeaders },
    'a header with a value out of bounds': { ...GOOD, headers: { ...GOOD.headers, 'ratelimit-reset': '61' } },
    'a header with a value of another type': { ...GOOD, headers: { ...GOOD.headers, 'x-request-id': '7' } },
    'a content type that is not declared': { ...GOOD, headers: { ...GOOD.headers, 'content-type': 'text/html' } },
    'a property that is not declared': { ...GOOD, body: { ...GOOD.body, store_id: 1 } },
    'a property that is missing': { ...GOOD, body: tooFewProperties },
    'a property of another type': { ...GOOD, body: { ...GOOD.body, event_type: 7 } },
    'a text instead of the body': { ...GOOD, body: 'stored' },
  })) {
    it(`refuses ${what}`, () => {
      expect(spec.problems('createEvent', answer)).to.have.length(1);
    });
  }
});
