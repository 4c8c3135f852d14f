import type { AutomationDefinition } from '../../definitions.ts';

/** In which order people read the members of definitions. What is not named follows. */
const ORDER = [
  ...['name', 'id', 'type', 'trigger', 'event_type', 'from_client', 'attribute', 'identifier', 'property'],
  ...['match', 'where'],
  ...['op', 'value'],
  ...['key', 'match_key', 'entry_condition', 'reentry', 'exit_on', 'goal', 'exit_when', 'time_zone', 'quiet_hours'],
  ...['start', 'steps', 'for', 'until', 'cases', 'when', 'weights', 'percent', 'set', 'unset', 'properties'],
  ...[
    'endpoint_id',
    'message_type',
    'template_id',
    'template_version',
    'sender_id',
    'data',
    'include',
    'expires_after',
    'await',
    'on_failure',
  ],
  ...['next', 'else', 'timeout', 'on_timeout'],
];
/** Below these, names are the store's own. */
const FREE = ['set', 'properties', 'data'];

/** A definition as text, in one order whatever the order of its members is: a database may change that. */
export function textOf(definition: AutomationDefinition): string {
  return JSON.stringify(ordered(definition), null, 2);
}

function ordered(value: unknown, isFree = false): unknown {
  if (Array.isArray(value)) return value.map((item) => ordered(item, isFree));
  if (value === null || typeof value !== 'object') return value;
  const rank = (name: string) => (isFree || !ORDER.includes(name) ? ORDER.length : ORDER.indexOf(name));
  const members = Object.entries(value).sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, inner]) => [name, ordered(inner, isFree || FREE.includes(name))]));
}
