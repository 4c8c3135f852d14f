import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';
import { ServiceProcess } from '../support/process.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const EVENT = { event_type: 'visit', profile: { external_id: 'c1' } };

/** What the lines of one request say of its trace. */
type Traces = { trace_id?: string; span_id?: string }[];

describe('The trace of a request', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let client: Client;

  before(async () => {
    database = await createDatabase();
    service = new ServiceProcess({ DATABASE_URL: database.url });
    const url = await service.url();
    client = new Client(url, service.key as string);
  });
  after(async () => {
    await service.stop();
    await database.drop();
  });

  const record = async (traceparent: string | undefined, status = 201): Promise<string> => {
    const headers: Record<string, string> = traceparent === undefined ? {} : { traceparent };
    const response = await client.post('/v1/events', EVENT, { headers, expect: status });
    return response.headers['x-request-id'] as string;
  };

  /** What the log has of each request, once the service has ended. */
  async function tracesOf(requests: string[]): Promise<Traces[]> {
    await service.stop();
    const entries = service.stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    return requests.map((id) =>
      entries
        .filter(({ request_id }) => request_id === id)
        .map(({ trace_id, span_id }) => (trace_id || span_id ? { trace_id, span_id } : {})),
    );
  }

  it('is in the log lines of the request and its error if traceparent is well-formed, otherwise ignored', async () => {
    const wellFormed = [
      `00-${TRACE}-${SPAN}-01`,
      `00-${TRACE}-${SPAN}-00`,
      // Of a later version, which may have more to say.
      `cc-${TRACE}-${SPAN}-01`,
      `01-${TRACE}-${SPAN}-01-what-the-future-brings`,
    ];
    const malformed = [
      undefined,
      '',
      'nonsense',
      `00-${TRACE}-${SPAN}`,
      `00-${TRACE}-${SPAN}-01-more`,
      `00-${TRACE}-${SPAN}-01-`,
      `01-${TRACE}-${SPAN}-01more`,
      `ff-${TRACE}-${SPAN}-01`,
      `00-${TRACE.toUpperCase()}-${SPAN}-01`,
      `00-${'0'.repeat(32)}-${SPAN}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `00-${TRACE}a-${SPAN}-01`,
      `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
      `00-ada@example.com-${SPAN}-01`,
    ];
    const traced = [];
    for (const traceparent of wellFormed) traced.push(await record(traceparent));
    const untraced = [];
    for (const traceparent of malformed) untraced.push(await record(traceparent));
    await database.query('alter table event rename to elsewhere');
    const failed = await record(wellFormed[0], 500);

    const trace = { trace_id: TRACE, span_id: SPAN };
    const traces = await tracesOf([...traced, ...untraced, failed]);
    expect(traces).to.deep.equal([...traced.map(() => [trace]), ...untraced.map(() => [{}]), [trace, trace]]);
    expect(service.stdout).not.to.contain('ada@');
  });
});
