import { NoEqual, type Operand } from './expression.ts';

/** Attributes of profiles, by what Klaviyo calls them. */
const PERSON: Readonly<Record<string, readonly string[]>> = {
  id: ['id'],
  KlaviyoID: ['id'],
  external_id: ['identifiers', 'external_id'],
  email: ['identifiers', 'email'],
  phone_number: ['identifiers', 'phone'],
  ...Object.fromEntries(
    ['address1', 'address2', 'city', 'country', 'region', 'zip', 'timezone', 'latitude', 'longitude'].map((name) => [
      `$${name}`,
      ['attributes', 'location', name],
    ]),
  ),
};
/** What Klaviyo writes with `$` or without. */
const EITHER_WAY = ['id', 'email', 'phone_number', 'first_name', 'last_name', 'organization', 'title', 'image'];

const EVENT: Readonly<Record<string, string>> = { $value: 'value', $currency_code: 'currency' };

const ORGANIZATION: Readonly<Record<string, string>> = {
  name: 'name',
  full_address: 'postal_address',
  address: 'postal_address',
};

/** Names that stand for something of the profile by themselves. */
const SHORT = new Set(['first_name', 'last_name', 'email', 'phone_number']);

const LINKS: Readonly<Record<string, string>> = {
  unsubscribe: 'unsubscribe_url',
  manage_preferences: 'preferences_url',
  web_view: 'view_url',
};

const LOOP: Readonly<Record<string, string>> = {
  counter: 'index',
  counter0: 'index0',
  revcounter: 'rindex',
  revcounter0: 'rindex0',
  first: 'first',
  last: 'last',
};

const CONSTANTS: Readonly<Record<string, string>> = {
  True: 'true',
  False: 'false',
  None: 'nil',
  true: 'true',
  false: 'false',
};

/** `unsubscribe`, `unsubscribe_link` and `unsubscribe_url` → `unsubscribe_url`; undefined for what leads elsewhere. */
export function ownLink(name: string): string | undefined {
  const link = name.replace(/_(?:link|url)$/, '');
  return Object.hasOwn(LINKS, link) ? LINKS[link] : undefined;
}

/** Writes a path of Klaviyo as one of Liquid. Throws `NoEqual`. */
export function toPath(names: readonly string[], locals: ReadonlySet<string>): string {
  const [root = '', ...rest] = names;
  if (locals.has(root)) return writePath([root, ...rest]);
  if (rest.length === 0 && Object.hasOwn(CONSTANTS, root)) return CONSTANTS[root] as string;
  if (root === 'forloop') return `forloop.${known(LOOP, rest, names)}`;
  if (root === 'person') return writePath(['profile', ...ofPerson(rest)]);
  if (SHORT.has(root) && rest.length === 0) return writePath(['profile', ...ofPerson([root])]);
  if (root === 'event') return writePath(['event', 'properties', ...renamed(EVENT, rest)]);
  if (root === 'organization') return `store.${known(ORGANIZATION, rest, names)}`;
  if (root === 'campaign' && rest[0] === 'name') return 'campaign.name';
  const link = rest.length === 0 ? ownLink(root) : undefined;
  if (link !== undefined && root.includes('_')) return link;
  throw new NoEqual(`“${names.join('.')}”`);
}

function ofPerson([name, ...rest]: readonly string[]): string[] {
  if (name === undefined) return [];
  const plain = name.startsWith('$') && EITHER_WAY.includes(name.slice(1)) ? name.slice(1) : name;
  if (plain === 'full_name') throw new NoEqual('“full_name”; write first_name and last_name');
  const mapped = Object.hasOwn(PERSON, plain) ? PERSON[plain] : undefined;
  return [...(mapped ?? ['attributes', plain]), ...rest];
}

function renamed(table: Readonly<Record<string, string>>, [name, ...rest]: readonly string[]): string[] {
  if (name === undefined) return [];
  return [Object.hasOwn(table, name) ? (table[name] as string) : name, ...rest];
}

function known(table: Readonly<Record<string, string>>, rest: readonly string[], names: readonly string[]): string {
  const [name = '', more] = rest;
  if (more !== undefined || !Object.hasOwn(table, name)) throw new NoEqual(`“${names.join('.')}”`);
  return table[name] as string;
}

function writePath([root, ...rest]: readonly string[]): string {
  return rest.reduce((path, name) => {
    if (/^\d+$/.test(name)) return `${path}[${name}]`;
    return /^[A-Za-z_][\w-]*$/.test(name) ? `${path}.${name}` : `${path}[${writeText(name)}]`;
  }, root as string);
}

export function writeText(text: string): string {
  if (!text.includes('"')) return `"${text}"`;
  if (!text.includes("'")) return `'${text}'`;
  throw new NoEqual('a text with both kinds of quotes');
}

export function writeOperand(operand: Operand, locals: ReadonlySet<string>): string {
  if (operand.kind === 'text') return writeText(operand.text);
  return operand.kind === 'number' ? operand.text : toPath(operand.names, locals);
}
