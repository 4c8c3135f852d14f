import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('Values', () => {
  let service: TestService;
  let client: Client;
  let keys = 0;

  before(async () => {
    service = await TestService.start();
    client = await service.client();
  });
  after(() => service.stop());

  /** Sends properties as they are written, twice: the second answer is what was stored. */
  async function roundTrip(properties: string): Promise<string> {
    keys += 1;
    const body = `{"event_type":"x","profile":{"external_id":"x"},"properties":${properties},"idempotency_key":"${keys}"}`;
    await client.send('POST', '/v1/events', body, { headers: JSON_TYPE, expect: 201 });
    const replay = await client.send('POST', '/v1/events', body, { headers: JSON_TYPE, expect: 201 });
    expect(replay.headers['idempotency-replayed']).to.equal('true');
    return JSON.stringify(replay.body.properties);
  }

  async function refusedField(body: string, path = '/v1/events'): Promise<string> {
    const answer = await client.send('POST', path, body, { headers: JSON_TYPE, expect: 400 });
    expect(answer.body.error.code).to.equal('validation_error');
    return answer.body.error.field;
  }
  const refusedProperty = (properties: string) =>
    refusedField(`{"event_type":"x","profile":{"external_id":"x"},"properties":${properties}}`);

  for (const [what, properties] of Object.entries({
    'names in their order': '{"z":1,"a":{"y":2,"b":3},"10":4}',
    'every kind of value': '{"s":"","n":null,"t":true,"f":false,"l":[[],{}],"o":{}}',
    'numbers as they are': '{"a":0,"b":-1.5,"c":9007199254740991,"d":1e+300,"e":0.1,"f":5e-324}',
    'text of any language': '{"名前":"東京 🛒 Zoë ñ","rtl":"שלום","control":"\\u0001\\t\\n\\u001f","quote":"\\"\\\\/"}',
    'ten levels': `${'{"a":'.repeat(9)}{}${'}'.repeat(9)}`,
    'a string of 100 KB': `{"s":"${'x'.repeat(102_400)}"}`,
    '400 properties': JSON.stringify(Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`p${i}`, i]))),
    'names that look like code': '{"constructor":1,"toString":2,"hasOwnProperty":3,"__defineGetter__":4,"$set":5}',
  })) {
    it(`are returned exactly as they were sent: ${what}`, async () => {
      expect(JSON.parse(await roundTrip(properties))).to.deep.equal(JSON.parse(properties));
      if (what === 'names in their order')
        expect(await roundTrip('{"z":1,"a":{"y":2,"b":3}}')).to.equal('{"z":1,"a":{"y":2,"b":3}}');
    });
  }

  it('may be numbers as other languages print them, and are returned in their shortest form', async () => {
    // PHP with `serialize_precision` 17 and 100, `%.17g`, and an exponent.
    const [exact, small] = ['47.9500000000000028421709430404007434844970703125', '1.0000000000000001e-05'];
    const properties = `{"a":47.950000000000003,"b":[${exact}],"c":${small},"d":0.10000000000000001,"e":36028797018963968}`;
    const shortest = '{"a":47.95,"b":[47.95],"c":0.00001,"d":0.1,"e":36028797018963970}';
    expect(await roundTrip(properties)).to.equal(shortest);
    const send = async (path: string, text: string, expected: number) =>
      (await client.send<any>('POST', path, text, { headers: JSON_TYPE, expect: expected })).body;
    const identifiers = '{"external_id":"php"}';
    const upsert = `{"identifiers":${identifiers},"attributes":${properties}}`;
    expect(JSON.stringify((await send('/v1/profiles/upsert', upsert, 201)).attributes)).to.equal(shortest);
    const event = `{"event_type":"priced","profile":${identifiers},"properties":${properties}}`;
    await send('/v1/events/bulk', `{"events":[${event},${event}]}`, 201);
    const { body } = await client.get('/v1/events?event_type=priced', { expect: 200 });
    for (const { properties: stored } of body.events) expect(JSON.stringify(stored)).to.equal(shortest);
    const definition = '{"attribute":{"name":"a","op":"eq","value":47.950000000000003}}';
    const segment = await send('/v1/segments', `{"name":"Priced","definition":${definition}}`, 201);
    expect(segment.definition.value).to.equal(47.95);
    expect((await send('/v1/segments/preview', `{"definition":${definition}}`, 200)).member_estimate.estimate).to.equal(
      1,
    );
  });

  for (const [what, [properties, field]] of Object.entries({
    'a NUL character': ['{"a":["b","\\u0000"]}', 'properties.a[1]'],
    'a NUL character in a name': ['{"\\u0000":1}', 'properties.\0'],
    'a lone surrogate': ['{"a":"\\ud83d"}', 'properties.a'],
    'a number that would lose digits': ['{"a":9007199254740993}', 'properties.a'],
    'a fraction that would lose digits': ['{"a":0.12345678901234567890}', 'properties.a'],
    'a fraction that is no print of its double': ['{"a":47.950000000000004}', 'properties.a'],
    'a whole number beside a double': ['{"a":1152921504606846977}', 'properties.a'],
    'a number beyond all doubles': ['{"a":1e400}', 'properties.a'],
    'a __proto__': ['{"__proto__":{"a":1}}', 'properties.__proto__'],
    'eleven levels': [`${'{"a":'.repeat(10)}{}${'}'.repeat(10)}`, `properties${'.a'.repeat(10)}`],
    'a string of more than 100 KB': [`{"s":{"t":"${'x'.repeat(102_401)}"}}`, 'properties.s.t'],
    'a string of more than 100 KB in UTF-8': [`{"s":"${'é'.repeat(51_201)}"}`, 'properties.s'],
    '401 properties': [JSON.stringify(Object.fromEntries(Array.from({ length: 401 }, (_, i) => [i, i]))), 'properties'],
  } as Record<string, [string, string]>)) {
    it(`are refused by name if they can't be stored exactly: ${what}`, async () => {
      expect(await refusedProperty(properties)).to.equal(field);
    });
  }

  it("are refused in every other field too if they can't be stored", async () => {
    const event = (fields: string) => refusedField(`{"event_type":"x","profile":{"external_id":"x"},${fields}}`);
    expect(await event('"idempotency_key":"\\u0000"')).to.equal('idempotency_key');
    expect(await refusedField('{"event_type":"a\\u0000","profile":{"external_id":"x"}}')).to.equal('event_type');
    expect(await refusedField('{"event_type":"x","profile":{"external_id":"\\ud800"}}')).to.equal(
      'profile.external_id',
    );
    const attributes = '{"identifiers":{"external_id":"x"},"attributes":{"a":{"b":"\\u0000"}}}';
    expect(await refusedField(attributes, '/v1/profiles/upsert')).to.equal('attributes.a.b');
  });

  it('may be existing times from 1990 to a year ahead, with any offset', async () => {
    const at = (time: string) => `{"event_type":"x","profile":{"external_id":"x"},"occurred_at":"${time}"}`;
    const year = new Date().getUTCFullYear();
    const taken = {
      '1990-01-01T00:00:00Z': '1990-01-01T00:00:00.000Z',
      '2024-02-29T23:59:59.9999-00:30': '2024-03-01T00:29:59.999Z',
      '2025-06-01t12:00:00z': '2025-06-01T12:00:00.000Z',
      [`${year + 1}-01-01T00:00:00+14:00`]: `${year}-12-31T10:00:00.000Z`,
    };
    for (const [time, stored] of Object.entries(taken)) {
      const { body } = await client.send('POST', '/v1/events', at(time), { headers: JSON_TYPE, expect: 201 });
      expect(body.occurred_at).to.equal(stored);
    }
    const refused = [
      '1989-12-31T23:59:59Z',
      `${year + 2}-01-02T00:00:00Z`,
      '2025-02-29T00:00:00Z',
      '2016-12-31T23:59:60Z',
    ];
    for (const time of [...refused, '0000-01-01T00:00:00Z', '2025-06-01', '2025-06-01T12:00:00', '1750000000', '']) {
      expect(await refusedField(at(time)), time).to.equal('occurred_at');
    }
  });

  it('may fill a body of 5 MB', async () => {
    const strings = Array.from({ length: 50 }, (_, i) => [`p${i}`, 'x'.repeat(102_400)]);
    await roundTrip(JSON.stringify(Object.fromEntries(strings)));
  });
});
