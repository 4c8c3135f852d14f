/** What differs from a definition that can be published, and the field that is to be named. */
type Bad = Record<string, [fields: Record<string, unknown>, field: string | null]>;

const SEGMENT = '01a1f848-4b68-7e02-8a95-c1d7340fe962';
const END = { id: 'end', type: 'exit' };
const EVENT = { type: 'event', event_type: 'placed_order' };
const step = (fields: object) => ({ start: 'one', steps: [{ id: 'one', next: null, ...fields }] });
const steps = (...all: object[]) => ({ start: 'one', steps: all });
const delay = (id: string, next: string | null, fields: object = { for: 'PT1M' }) => ({
  id,
  type: 'delay',
  ...fields,
  next,
});
const wait = (one: object, fields: object = {}) =>
  steps({ id: 'one', type: 'wait', for: [{ next: null, ...one }], timeout: 'P1D', on_timeout: null, ...fields });
const when = (condition: unknown) => ({ entry_condition: condition });
const attribute = (op: string, value?: unknown) => when({ attribute: 'tier', op, value });
const emit = (properties: object, fields: object = { trigger: EVENT }) => ({
  ...fields,
  ...step({ type: 'emit_event', event_type: 'seen', properties }),
});
const nested = (levels: number, inner: unknown): unknown => (levels === 0 ? inner : { not: nested(levels - 1, inner) });
const listed = (levels: number): unknown => (levels === 0 ? 1 : [listed(levels - 1)]);
// biome-ignore lint/suspicious/noThenProperty: it is the contract's name, and no function.
const quiet = (from: string, to: string) => ({ quiet_hours: { from, to, then: 'wait' } });
const EXISTS = { attribute: 'tier', op: 'exists' };

/** What the schema refuses, so that it is not even stored. */
export const MISSHAPEN: Bad = {
  'an unknown trigger': [{ trigger: { type: 'segment' } }, 'trigger.type'],
  'a segment that is not named': [{ trigger: { type: 'segment_entry' } }, 'trigger.segment'],
  'a segment that is a list': [{ trigger: { type: 'segment_entry', segment: [SEGMENT] } }, 'trigger.segment'],
  'members that are a text': [
    { trigger: { type: 'segment_entry', segment: SEGMENT, include_members: 'yes' } },
    'trigger.include_members',
  ],
  'members of those who leave': [
    { trigger: { type: 'segment_exit', segment: SEGMENT, include_members: true } },
    'trigger.include_members',
  ],
  'a trigger without a type': [{ trigger: {} }, 'trigger.type'],
  'a trigger that is a text': [{ trigger: 'manual' }, 'trigger'],
  'no trigger': [{ trigger: undefined }, 'trigger'],
  'an unknown step': [step({ type: 'send_push' }), 'steps[0].type'],
  'a message to no endpoint': [step({ type: 'send_webhook' }), 'steps[0].endpoint_id'],
  'an e-mail of no template': [step({ type: 'send_email' }), 'steps[0].template_id'],
  'an e-mail of version 0': [
    step({ type: 'send_email', template_id: 'x', template_version: 0 }),
    'steps[0].template_version',
  ],
  'an e-mail that awaits its opening': [
    step({ type: 'send_email', template_id: 'x', await: 'opened' }),
    'steps[0].await',
  ],
  'a step of Object.prototype': [step({ type: 'constructor' }), 'steps[0].type'],
  'a step that is null': [steps(null as never), 'steps[0]'],
  'no list of steps': [{ steps: { 0: END } }, 'steps'],
  '101 steps': [{ steps: Array.from({ length: 101 }, (_, i) => ({ ...END, id: `s${i}` })) }, 'steps'],
  'an id with a dot': [steps({ ...END, id: 'a.b' }), 'steps[0].id'],
  'an id of 65 characters': [steps({ ...END, id: 'x'.repeat(65) }), 'steps[0].id'],
  'no next': [step({ type: 'delay', for: 'P1D', next: undefined }), 'steps[0].next'],
  'an unknown field': [{ colour: 'red' }, 'colour'],
  'an unknown field of a step': [step({ type: 'delay', for: 'P1D', until_at: 'x' }), 'steps[0].until_at'],
  'no timeout': [wait({ event_type: 'x' }, { timeout: undefined }), 'steps[0].timeout'],
  'a wait for neither': [wait({ filter: EXISTS }), 'steps[0].for[0]'],
  'an unknown condition': [when({ colour: 'red' }), 'entry_condition'],
  'consent without a status': [when({ consent: { channel: 'email' } }), 'entry_condition.consent.status'],
  'consent for letters': [
    when({ consent: { channel: 'letter', status: 'subscribed' } }),
    'entry_condition.consent.channel',
  ],
  'a list by a number': [when({ list: 7 }), 'entry_condition.list'],
  'a segment by too long an id': [when({ segment: 'x'.repeat(65) }), 'entry_condition.segment'],
  'a list with an operator': [when({ list: 'x', op: 'exists' }), 'entry_condition.op'],
  'a condition that is a list': [when([EXISTS]), 'entry_condition'],
  'a condition of two kinds': [when({ ...EXISTS, property: 'x' }), 'entry_condition.attribute'],
  'an unknown operator': [attribute('matches', '^a'), 'entry_condition.op'],
  'an operator of Object.prototype': [attribute('__proto__'), 'entry_condition.op'],
  'an unknown identifier': [when({ identifier: 'ssn', op: 'exists' }), 'entry_condition.identifier'],
  'an object to compare with': [attribute('eq', { from: 'x' }), 'entry_condition.value'],
  'null to compare with': [attribute('eq', null), 'entry_condition.value'],
  '101 values': [attribute('in', Array(101).fill('x')), 'entry_condition.value'],
  'a number that is too large': [attribute('gt', 2 ** 53), 'entry_condition.value'],
  '33 levels': [when(nested(33, EXISTS)), 'entry_condition'],
  '8,000 levels': [when(nested(8_000, EXISTS)), 'entry_condition'],
  'a path of 11 names': [when({ attribute: Array(11).fill('x'), op: 'exists' }), 'entry_condition.attribute'],
  'a number as a name': [{ trigger: EVENT, key: { property: 7 } }, 'key.property'],
  'an unknown weekday': [
    step({ type: 'delay', until: { at: '10:00', weekdays: ['sunday'] } }),
    'steps[0].until.weekdays[0]',
  ],
  'a weekday twice': [
    step({ type: 'delay', until: { at: '10:00', weekdays: ['sun', 'sun'] } }),
    'steps[0].until.weekdays',
  ],
  'a type of event of 129 characters': [{ trigger: { ...EVENT, event_type: 'x'.repeat(129) } }, 'trigger.event_type'],
  'an empty type of event': [step({ type: 'emit_event', event_type: '' }), 'steps[0].event_type'],
  '401 attributes': [
    step({ type: 'set_profile', set: Object.fromEntries(Array.from({ length: 401 }, (_, i) => [`a${i}`, i])) }),
    'steps[0].set',
  ],
  'values 11 levels deep': [step({ type: 'set_profile', set: { a: listed(10) } }), `steps[0].set.a${'[0]'.repeat(9)}`],
  'a share of 101 %': [
    step({ type: 'split', weights: [{ percent: 101, next: null }], next: undefined }),
    'steps[0].weights[0].percent',
  ],
  'how often, as a fraction': [when({ did: { event_type: 'x', at_least: 1.5 } }), 'entry_condition.did.at_least'],
  'a name of two lines': [{ name: 'a\nb' }, 'name'],
  'no name': [{ name: '' }, 'name'],
};

/** JSON in the place of a value that can't be kept: a text that is compared with, a value that is set, and a name. */
export const UNSTORABLE_JSON = [
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00x"',
  '9007199254740993',
  '1e999',
  '0.12345678901234567890',
];
export const UNSTORABLE_NAMES = ['"__proto__"', '"a\\u0000b"', '"\\ud800"', '"\\u005f_proto__"'];

/** What is in no draft, as it is no unfinished work. */
export const MALFORMED: Bad = {
  ...Object.fromEntries(
    ['-P1D', 'P1M', 'P1Y', '1h', 'P', 'PT', 'P1DT', 'PT1.5S', 'p1d', 'P٣D', 'P9999999999D'].map((text) => [
      `a delay of "${text}"`,
      [step({ type: 'delay', for: text }), 'steps[0].for'],
    ]),
  ),
  ...Object.fromEntries(
    ['24:00', '09:60', '9:00', '09:00:00', '25:00', '0９:00'].map((at) => [
      `until ${at}`,
      [step({ type: 'delay', until: { at } }), 'steps[0].until.at'],
    ]),
  ),
  'quiet hours from when there is none': [quiet('8', '09:00'), 'quiet_hours.from'],
  'a text for a number': [attribute('gt', '5'), 'entry_condition.value'],
  'a number for a text': [attribute('starts_with', 5), 'entry_condition.value'],
  'one value for a list': [attribute('in', 'gold'), 'entry_condition.value'],
  'a list for one value': [attribute('eq', ['gold']), 'entry_condition.value'],
  'no value': [attribute('eq'), 'entry_condition.value'],
  'a value where there is none': [attribute('exists', true), 'entry_condition.value'],
  'an identifier that is greater': [when({ identifier: 'email', op: 'gt', value: 1 }), 'entry_condition.op'],
  'a list to follow that is not named': [{ trigger: { type: 'list_joined' } }, 'trigger.list'],
  'a channel to follow that is none': [{ trigger: { type: 'consent_given', channel: 'post' } }, 'trigger.channel'],
  'a schedule without a time of day': [{ trigger: { type: 'schedule', list: SEGMENT, repeat: 'daily' } }, 'trigger.at'],
  'the 32nd of a month': [
    { trigger: { type: 'schedule', list: SEGMENT, repeat: 'monthly', day: 32, at: '09:00' } },
    'trigger.day',
  ],
  'a day of a schedule that does not exist': [
    { trigger: { type: 'schedule', list: SEGMENT, repeat: 'once', date: '2027-02-30', at: '09:00' } },
    'trigger.date',
  ],
  'a goal without an end': [{ goal: { event_type: 'ordered' } }, 'goal.within'],
  'a goal within months': [{ goal: { event_type: 'ordered', within: 'P1M' } }, 'goal.within'],
  'a list that is not named': [steps({ id: 'one', type: 'remove_from_list', next: null }), 'steps[0].list'],
  'a channel that is none': [steps({ id: 'one', type: 'subscribe', channel: 'post', next: null }), 'steps[0].channel'],
  'an offset of months': [
    { trigger: { type: 'date', attribute: 'birthday', repeat: 'once', at: '09:00', offset: '-P1M' } },
    'trigger.offset',
  ],
};

/** What is stored as a draft, and can't be published. */
export const UNPUBLISHABLE: Bad = {
  'a goal for ever': [{ goal: { event_type: 'ordered', within: 'P91D' } }, 'goal.within'],
  'a schedule for nobody': [{ trigger: { type: 'schedule', repeat: 'daily', at: '09:00' } }, 'trigger'],
  'a schedule on no day of the week': [
    { trigger: { type: 'schedule', list: SEGMENT, repeat: 'weekly', weekdays: [], at: '09:00' } },
    'trigger.weekdays',
  ],
  'a schedule in no time zone': [
    { trigger: { type: 'schedule', list: SEGMENT, repeat: 'daily', at: '09:00', time_zone: 'Mars/Base' } },
    'trigger.time_zone',
  ],
  'a segment that is no id': [{ trigger: { type: 'segment_exit', segment: 'gold' } }, 'trigger.segment'],
  'a list to follow that is no id': [{ trigger: { type: 'list_left', list: 'vip' } }, 'trigger.list'],
  'a key where somebody joins a list': [
    { trigger: { type: 'list_joined', list: SEGMENT }, key: { property: 'id' } },
    'key',
  ],
  'a list that is no id': [steps({ id: 'one', type: 'add_to_list', list: 'vip', next: null }), 'steps[0].list'],
  'a list to unsubscribe from that is no id': [
    steps({ id: 'one', type: 'unsubscribe', channel: 'sms', list: '', next: null }),
    'steps[0].list',
  ],
  'no steps': [{ steps: [] }, 'steps'],
  'an id twice': [steps(delay('one', 'two'), delay('two', null), delay('two', null)), 'steps[2].id'],
  'a step that is not there': [steps(delay('one', 'two')), 'steps[0].next'],
  'a step of Object.prototype that is not there': [steps(delay('one', '__proto__')), 'steps[0].next'],
  'a step that is never reached': [steps(delay('one', null), delay('two', null)), 'steps[1]'],
  'a cycle': [steps(delay('one', 'two'), delay('two', 'one')), 'steps[1].next'],
  'a step that leads to itself': [steps(delay('one', 'one')), 'steps[0].next'],
  'a start that is not there': [{ start: 'nowhere' }, 'start'],
  'an empty start': [{ start: '' }, 'start'],
  'no cases': [step({ type: 'branch', cases: [], else: null, next: undefined }), 'steps[0].cases'],
  'weights of 99 %': [
    step({ type: 'split', weights: [{ percent: 99, next: null }], next: undefined }),
    'steps[0].weights',
  ],
  'no weights': [step({ type: 'split', weights: [], next: undefined }), 'steps[0].weights'],
  ...Object.fromEntries(
    ['PT0S', 'P401D', 'PT9601H', ''].map((text) => [
      `a delay of "${text}"`,
      [step({ type: 'delay', for: text }), 'steps[0].for'],
    ]),
  ),
  '401 days in all': [steps(delay('one', 'two', { for: 'P200D' }), delay('two', null, { for: 'P201D' })), 'steps'],
  'a delay for and until': [step({ type: 'delay', for: 'P1D', until: { at: '10:00' } }), 'steps[0]'],
  'a delay of neither': [step({ type: 'delay' }), 'steps[0]'],
  'until an empty time': [step({ type: 'delay', until: { at: '' } }), 'steps[0].until.at'],
  'no weekdays': [step({ type: 'delay', until: { at: '10:00', weekdays: [] } }), 'steps[0].until.weekdays'],
  ...Object.fromEntries(
    ['Berlin', 'Europe/Nowhere', '+02:00', '', 'UTC\u0001', '2026-01-01T00:00Z', '../../etc/passwd'].map((zone) => [
      `the time zone ${JSON.stringify(zone)}`,
      [{ time_zone: { default: zone } }, 'time_zone.default'],
    ]),
  ),
  'quiet hours of no time': [quiet('08:00', '08:00'), 'quiet_hours.to'],
  'an empty list': [attribute('not_in', []), 'entry_condition.value'],
  'no moment': [attribute('before', '30 February'), 'entry_condition.value'],
  'a day that does not exist': [attribute('after', '2026-02-30'), 'entry_condition.value'],
  '6 levels': [when(nested(5, EXISTS)), 'entry_condition.not.not.not.not.not'],
  'all of nothing': [when({ all: [] }), 'entry_condition.all'],
  '101 comparisons': [when({ any: Array.from({ length: 2 }, () => ({ all: Array(51).fill(EXISTS) })) }), null],
  'an empty name': [when({ attribute: '', op: 'exists' }), 'entry_condition.attribute'],
  'an empty path': [when({ attribute: [], op: 'exists' }), 'entry_condition.attribute'],
  'a path with an empty name': [when({ attribute: ['a', ''], op: 'exists' }), 'entry_condition.attribute'],
  'a profile in the filter of an event': [{ trigger: { ...EVENT, filter: EXISTS } }, 'trigger.filter.attribute'],
  'a list by its name': [when({ list: 'VIPs' }), 'entry_condition.list'],
  'a segment without an id': [wait({ when: { segment: '' } }), 'steps[0].for[0].when.segment'],
  'a list in the filter of an event': [
    { trigger: { ...EVENT, filter: { list: '01a1f846-2b18-7d35-8c60-4e9a1f7b2d03' } } },
    'trigger.filter.list',
  ],
  'consent in the filter of what was done': [
    when({ did: { event_type: 'x', filter: { consent: { channel: 'sms', status: 'never' } } } }),
    'entry_condition.did.filter.consent',
  ],
  'history in the condition of a wait': [wait({ when: { did: { event_type: 'x' } } }), 'steps[0].for[0].when.did'],
  'an event where there is none': [
    {
      trigger: { type: 'date', attribute: 'birthday', repeat: 'yearly', at: '09:00' },
      ...when({ property: 'x', op: 'exists' }),
    },
    'entry_condition.property',
  ],
  'a wait for nothing': [wait({ event_type: 'x' }, { for: [] }), 'steps[0].for'],
  'a key to match without a key': [
    { trigger: EVENT, ...wait({ event_type: 'x', match_key: { property: 'id' } }) },
    'steps[0].for[0].match_key',
  ],
  'an exit by a key without a key': [
    { exit_on: [{ event_type: 'x', match_key: { property: 'id' } }] },
    'exit_on[0].match_key',
  ],
  'a key without an event': [
    { trigger: { type: 'profile_change', attribute: 'tier' }, key: { property: 'id' } },
    'key',
  ],
  'a key of those who enter a segment': [
    { trigger: { type: 'segment_entry', segment: SEGMENT }, key: { property: 'id' } },
    'key',
  ],
  'runs per key without a key': [{ reentry: { mode: 'once', per: 'key' } }, 'reentry.per'],
  'an interval of no time': [
    { reentry: { mode: 'once', per: 'profile', min_interval: 'PT0S' } },
    'reentry.min_interval',
  ],
  'an age of 31 days': [{ trigger: { ...EVENT, max_age: 'P31D' } }, 'trigger.max_age'],
  'more than at most': [when({ did: { event_type: 'x', at_least: 3, at_most: 2 } }), 'entry_condition.did.at_least'],
  'within and since': [
    when({ did: { event_type: 'x', within: 'P1D', since: 'trigger' } }),
    'entry_condition.did.since',
  ],
  'longer than anybody lives': [when({ did: { event_type: 'x', within: 'P99999999D' } }), 'entry_condition.did.within'],
  'nothing to set': [step({ type: 'set_profile', set: {}, unset: [] }), 'steps[0]'],
  'an attribute that is set and removed': [
    step({ type: 'set_profile', set: { a: 1 }, unset: ['a'] }),
    'steps[0].unset[0]',
  ],
  ...Object.fromEntries(
    [
      'cart.id',
      'event',
      'event.properties',
      'event.properties.',
      'event.source',
      'profile.attributes',
      'profile.identifiers.ssn',
      'profile.__proto__',
      'run.id.x',
      'constructor.constructor',
      '',
      [],
      ['event', 'properties', ''],
      ['event', 'properties', 0],
      7,
      null,
      { from: 'run.id' },
      [['run', 'id']],
    ].map((from) => [
      `a reference to ${JSON.stringify(from)}`,
      [emit({ a: [{ b: { from } }] }), 'steps[0].properties.a[0].b.from'],
    ]),
  ),
  'a reference to an event where a segment triggers': [
    emit({ a: { from: 'event.properties.x' } }, { trigger: { type: 'segment_exit', segment: SEGMENT } }),
    'steps[0].properties.a.from',
  ],
  'a reference to an event where there is none': [
    emit({ a: { from: 'event.properties.x' } }, { trigger: { type: 'profile_change', attribute: 'tier' } }),
    'steps[0].properties.a.from',
  ],
  'a reference to the type of an event where there is none': [
    emit({ a: { from: 'event.event_type' } }, { trigger: { type: 'manual' } }),
    'steps[0].properties.a.from',
  ],
};
