import { expect } from 'chai';
import { pino } from 'pino';
import { Deadline } from '../../src/http/deadline.ts';
import { LargeRequests } from '../../src/large-requests/large-requests.ts';

describe('large requests', () => {
  it('are refused with upstream_error and a time to retry if their thread cannot start', async () => {
    // What cannot be copied to a thread keeps it from starting.
    const address = { url: '', isDistributed: false };
    const setup = {
      address,
      databaseTimeout: 3.7,
      compatAuthSchemes: [() => {}] as never,
      secretKeys: [],
      publicUrl: undefined,
    };
    const stores = { nodeOf: () => '', findNode: async () => '' };
    const told = { observe: () => {}, onJob: () => {} };
    const requests = new LargeRequests({ setup, stores, log: pino({ level: 'silent' }), ...told });
    const caller = {
      actor: { kind: 'key' as const, id: 'k' },
      storeId: 's',
      windowId: 'w',
      scopes: new Set<string>(),
      tier: 'standard',
      expiresAt: null,
      country: null,
      keepsHistory: false,
    };
    const request = {
      surface: 'native',
      operationId: 'createEvent',
      requestId: 'r',
      caller,
      base: 'http://localhost',
      facts: undefined,
    };
    const error = await requests
      .perform({ ...request, path: {}, query: {}, header: {}, body: undefined }, new Deadline(3_000))
      .catch((thrown) => thrown);
    expect(error).to.include({ code: 'upstream_error', retryAfter: 1 });
    await requests.stop();
  });
});
