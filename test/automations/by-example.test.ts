import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { toEventType } from '../../src/compat/document/metric.ts';
import { clause } from '../../src/dashboard/conditions/sentence.ts';
import { OPERATIONS as OFFERED } from '../../src/dashboard/pages/automations/words/computations.ts';
import { STEP_NAMES, stepWords } from '../../src/dashboard/pages/automations/words/steps.ts';
import { triggerWords } from '../../src/dashboard/pages/automations/words/trigger.ts';
import { OPERATIONS } from '../../src/domain/automations/core/definition/computations.ts';
import { Shop } from '../messages/support/shop.ts';
import { specDocument } from '../support/spec-documents.ts';
import { put } from './support/drafts.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';
import { SegmentEngine } from './support/segment-engine.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../src/docs/guides/automations-by-example.md'), 'utf8');
const ADA = 'ada@shop.example';
/** As the guide names a template, a segment, a list, an endpoint and a coupon pool. */
const IDS = [
  '01a1f852-c410-7e05-8b27-3d6fa91c5e42',
  '01a1f848-1a20-7c14-9d3b-6f0e25a8c741',
  '01a1f846-2b18-7d35-8c60-4e9a1f7b2d03',
  '01a1f852-3c10-7a42-9d7e-5b8f10c6e2d4',
  '01a1f858-1a20-7c31-9e84-6b0d2f57c819',
];

/** The rows of a table of the guide: what stands in them, without the marks of code. */
function rowsOf(section: string): [string, string][] {
  const [, text = ''] = GUIDE.split(`\n## ${section}\n`);
  const [table = ''] = text.split('\n## ');
  return [...table.matchAll(/^\| `(.*)` \| `?(.*?)`? \|$/gm)].map(([, one = '', other = '']) => [one, other]);
}

describe('The guide of automations by example', () => {
  it('says each part as the dashboard does', () => {
    const words: Record<string, (part: any) => string> = {
      Triggers: triggerWords,
      Steps: (step) => `${STEP_NAMES[step.type as keyof typeof STEP_NAMES]}: ${stepWords(step)}`,
      Conditions: clause,
    };
    for (const [section, say] of Object.entries(words)) {
      const rows = rowsOf(section);
      expect(rows, section).not.to.deep.equal([]);
      for (const [json, said] of rows) expect(say(JSON.parse(json))).to.equal(said);
    }
  });

  it('has each trigger, step, condition and operator of the spec', () => {
    const { schemas } = specDocument('native').components as any;
    const parts = (section: string) => rowsOf(section).map(([json]) => JSON.parse(json));
    const typesOf = (schema: string) => Object.keys(schemas[schema].discriminator.mapping);
    const namesIn = (value: unknown): string[] =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([name, one]) => [name, ...namesIn(one)])
        : [];
    expect(parts('Triggers').map(({ type }) => type)).to.include.members(typesOf('AutomationTriggerInput'));
    expect(parts('Steps').map(({ type }) => type)).to.include.members(typesOf('AutomationStepInput'));
    const kinds = schemas.ConditionInput.oneOf
      .map(({ $ref }: { $ref: string }) => schemas[$ref.split('/').at(-1) as string])
      .filter(({ deprecated }: { deprecated?: boolean }) => !deprecated)
      .map(({ required }: { required: string[] }) => required[0]);
    expect(namesIn(parts('Conditions'))).to.include.members(kinds);
    const all = GUIDE.replaceAll(' ', '');
    for (const op of schemas.ComparisonOperator.enum) expect(all).to.include(`"op":"${op}"`);
    for (const measure of schemas.ValueMeasure.enum)
      expect(all).to.match(new RegExp(`"${measure}":|"measure":"${measure}"`));
    for (const repeat of schemas.ScheduleTriggerInput.properties.repeat.enum)
      expect(all).to.include(`"repeat":"${repeat}"`);
    for (const change of schemas.CatalogTriggerChange.enum) expect(all).to.include(`"change":"${change}"`);
  });

  it('may work out what the dashboard offers', () => {
    const offered = Object.entries(OFFERED).map(([name, { least, most }]) => [name, { least, most }]);
    expect(offered).to.deep.equal(Object.entries(OPERATIONS).map(([name, { least, most }]) => [name, { least, most }]));
  });

  it('names the event types of metrics', () => {
    const rows = rowsOf('Events of the compatibility surface');
    expect(rows).to.have.length(6);
    for (const [metric, type] of rows) expect(toEventType(metric)).to.equal(type);
  });

  describe('has automations that', () => {
    const definitions = [...GUIDE.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) => JSON.parse(code));
    let room: EngineRoom;
    let shop: Shop;
    let segments: SegmentEngine;
    let list: string;
    let endpoint: string;
    let [template, segment, pool] = ['', '', ''];

    useRooms(async (one) => {
      room = one;
      shop = Shop.of(room.service.database, room.client, room.storeId);
      segments = new SegmentEngine(room);
      await shop.customer(ADA);
    });

    /** What definitions name of a store. */
    async function prepare(): Promise<void> {
      template = await shop.template();
      const { body: created } = await room.client.post<any>('/v1/lists', { name: 'Some' }, { expect: 201 });
      const to = { name: 'Scores', url: 'https://scores.example' };
      const { body: made } = await room.client.post<any>('/v1/webhook-endpoints', to, { expect: 201 });
      [list, endpoint] = [created.id, made.endpoint.id];
      segment = await segments.create({ attribute: { name: 'member', op: 'eq', value: true } });
      pool = (await room.client.post<any>('/v1/coupon-pools', { name: 'Spring', kind: 'uploaded' }, { expect: 201 }))
        .body.id;
    }

    /** Publishes one, with a template and a segment of this store. */
    async function publish(name: string): Promise<string> {
      await prepare();
      const definition = definitions.find((one) => one.name === name);
      const names = [template, segment, list, endpoint, pool];
      const text = IDS.reduce((found, id, i) => found.replaceAll(id, names[i] as string), JSON.stringify(definition));
      const { body } = await room.client.post<any>(
        '/v1/automations',
        { definition: JSON.parse(text) },
        { expect: 201 },
      );
      expect([body.problems, body.warnings]).to.deep.equal([[], []]);
      await room.client.post(`/v1/automations/${body.id}/publish`, { revision: 1 }, { expect: 200 });
      return body.id;
    }

    /** Saves a draft, and returns what is wrong with it. */
    async function problemsOf(definition: object): Promise<unknown> {
      const names = [template, segment, list, endpoint, pool];
      const text = IDS.reduce((found, id, i) => found.replaceAll(id, names[i] as string), JSON.stringify(definition));
      const asked = { definition: { name: 'Part', trigger: { type: 'manual' }, ...JSON.parse(text) } };
      const { body } = await room.client.post<any>('/v1/automations', asked, { expect: 201 });
      return body.problems;
    }

    it('can have each part', async () => {
      await prepare();
      const words = await shop.template({ kind: 'sms', subject: undefined, body: 'Hello' });
      const end = (...ids: string[]) => ids.map((id) => ({ id, type: 'exit' }));
      const event = { type: 'event', event_type: 'asked' };
      const ask = { id: 'score', type: 'call_webhook', endpoint_id: endpoint, next: 'a' };
      const paid = {
        id: 'paid',
        type: 'wait',
        for: [{ event_type: 'paid', next: 'a' }],
        timeout: 'P1D',
        on_timeout: null,
      };
      for (const [json] of rowsOf('Triggers')) {
        expect(await problemsOf({ trigger: JSON.parse(json), start: 'b', steps: end('b') }), json).to.deep.equal([]);
      }
      for (const [json] of rowsOf('Steps')) {
        const isText = json.includes('"send_sms"');
        const after = ['b', 'c'].filter((id) => json.includes(`"${id}"`));
        const before = json.includes('steps.paid') ? [paid] : [];
        const steps = [...before, JSON.parse(json), ...end(...after)];
        if (isText) for (const one of steps) if ('template_id' in one) one.template_id = words;
        expect(await problemsOf({ trigger: event, start: steps[0].id, steps }), json).to.deep.equal([]);
      }
      for (const [json] of rowsOf('Conditions')) {
        const when = JSON.parse(json);
        if ('profile' in when) {
          await room.client.post('/v1/segments/preview', { definition: when }, { expect: 200 });
          continue;
        }
        const audience = { subscribed: true };
        const trigger = 'item' in when ? { type: 'catalog', change: 'back_in_stock', audience } : event;
        const branch = { id: 'a', type: 'branch', cases: [{ when, next: 'b' }], else: null };
        const steps = [...('from' in when ? [ask] : []), branch, ...end('b')];
        expect(await problemsOf({ trigger, start: steps[0]?.id, steps }), json).to.deep.equal([]);
      }
    });

    const simulate = async (id: string, input: object = {}) => {
      const asked = { version: 1, profile: { email: ADA }, ...input };
      const { body } = await room.client.post<any>(`/v1/automations/${id}/simulate`, asked, { expect: 200 });
      expect(body.entry.entered).to.equal(true);
      return body.effects.map(({ step_id }: { step_id: string }) => step_id);
    };
    const pass = async (duration: string) => {
      room.pass(duration);
      await room.settle();
    };
    const attributes = async () => {
      const { body } = await room.client.get<any>(`/v1/profiles/${await room.upsert(ADA, {})}`);
      return body.attributes;
    };
    const steps = async (id: string) => {
      const done = ['message_queued', 'profile_set', 'event_emitted'];
      return (await room.timeline(id)).filter(({ outcome }) => done.includes(outcome)).map(({ step }) => step);
    };

    it('welcome', async () => {
      const id = await publish('Welcome series');
      expect(await simulate(id)).to.deep.equal(['hello', 'story']);
      await room.upsert(ADA, { member: true });
      await segments.settle();
      await pass('P2D');
      await pass('P1D');
      expect(await steps(id)).to.deep.equal(['hello', 'story']);
      expect((await room.outcomes(id)).at(-1)).to.equal('ended: completed');
    });

    it('remind of a cart', async () => {
      const id = await publish('Abandoned cart');
      const properties = { cart_id: 'c-1', items: [{ title: 'Hat' }, { title: 'Tie' }] };
      expect(await simulate(id, { properties })).to.deep.equal(['remind', 'lost']);
      await room.send('started_checkout', ADA, properties);
      await room.settle();
      await pass('PT1H');
      const [message] = await shop.query(`select context from message where store_id = '${room.storeId}'`);
      expect(message.context.data).to.deep.equal({ cart: 'c-1', first: 'Hat', titles: 'Hat, Tie' });
      await pass('P1D');
      expect(await steps(id)).to.deep.equal(['remind', 'lost']);
    });

    it('thank for a first order, and keep what the review says', async () => {
      const id = await publish('After an order');
      const properties = { order_id: 'o-1' };
      const review = { event_type: 'reviewed_product', properties: { ...properties, stars: 5 } };
      expect(await simulate(id, { properties })).to.deep.equal(['thank', 'ask']);
      const assume = [{ event: review, after: 'P2D' }];
      expect(await simulate(id, { properties, assume })).to.deep.equal(['thank', 'keep']);
      await room.send('placed_order', ADA, properties);
      await room.settle();
      await room.send('reviewed_product', ADA, review.properties);
      await room.settle();
      await room.step();
      expect(await steps(id)).to.deep.equal(['thank', 'keep']);
      expect(await attributes()).to.deep.include({ last_stars: 5, reviewed: ['o-1'] });
    });

    it('win back one half', async () => {
      const id = await publish('Win back');
      expect(await simulate(id, { assume: [{ step: 'half', weight: 0 }] })).to.deep.equal(['offer', 'lapsing']);
      await room.send('placed_order', ADA);
      await room.settle();
      await pass('P90D');
      const { won_back_by } = await attributes();
      const expected = won_back_by === 'offer' ? ['offer', 'lapsing'] : ['nothing'];
      expect(await steps(id)).to.deep.equal(expected);
    });

    it('congratulate', async () => {
      const birthday = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
      await room.upsert(ADA, { birthday: `1990${birthday.slice(4)}` });
      const id = await publish('Birthday');
      expect(await simulate(id)).to.deep.equal(['greet', 'note']);
      await room.settle();
      // Not more than a day after it is due, whatever the hour is.
      await pass('P1DT12H');
      await pass('P1D');
      await room.takeDates();
      await room.settle();
      expect(await steps(id)).to.deep.equal(['greet', 'note']);
      expect((await attributes()).greeted).to.equal(birthday.slice(0, 4));
    });

    const join = () => room.client.post(`/v1/lists/${list}/members`, { members: [{ email: ADA }] }, { expect: 200 });
    const members = async () => (await room.client.get<any>(`/v1/lists/${list}/members`)).body.members.length;

    it('remind before a trial ends', async () => {
      const ends = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
      await room.upsert(ADA, { trial_ends_at: ends });
      const id = await publish('Trial ends');
      expect(await simulate(id)).to.deep.equal(['remind', 'over', 'stop']);
      await join();
      await room.settle();
      expect(await steps(id)).to.deep.equal([]);
      await pass('P8D');
      await room.settle();
      await room.settle();
      expect(await steps(id)).to.deep.equal(['remind']);
      expect(await members()).to.equal(0);
    });

    it('ask a web service about whoever leaves', async () => {
      const id = await publish('Goodbye');
      const assume = [{ step: 'score', answer: { status: 200, json: { tier: 'gold' } } }];
      expect(await simulate(id, { assume })).to.deep.equal(['keep', 'score', 'tell']);
      expect(await simulate(id)).to.deep.equal(['keep', 'score']);
      const profile = await room.upsert(ADA, {});
      const withdrawn = { email: { status: 'unsubscribed' } };
      await put(room.client, `/v1/profiles/${profile}/consent`, withdrawn, 200);
      await room.settle();
      await room.settle();
      expect(await members()).to.equal(1);
      expect((await room.outcomes(id)).slice(0, 3)).to.deep.equal(['started', 'list_changed', 'delivery_queued']);
    });

    it('start those who are in a list once a week', async () => {
      const id = await publish('Weekly pick');
      await join();
      await room.send('placed_order', ADA);
      expect(await simulate(id)).to.deep.equal(['pick']);
      await room.settle();
      const { schedule } = (await room.client.get<any>(`/v1/automations/${id}`)).body;
      const ahead = Date.parse(schedule.upcoming[0].due_at) - room.tools.now();
      await pass(`PT${Math.ceil(ahead / 1_000)}S`);
      await room.settle();
      expect(await steps(id)).to.deep.equal(['pick']);
      await room.upsert(ADA, { member: true });
      for (let turn = 0; turn < 3; turn += 1) await segments.settle();
      expect((await room.outcomes(id)).at(-1)).to.equal('ended: completed');
    });
  });
});
