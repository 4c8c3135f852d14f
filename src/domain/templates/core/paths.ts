/** What a value consists of: anything, properties of these names, or one for each item that a template names. */
type Shape = 'anything' | 'by item' | { readonly [name: string]: Shape };

/** What templates may read. */
const DATA: Shape = {
  profile: {
    id: {},
    identifiers: { email: {}, phone: {}, external_id: {}, source_id: {}, anonymous_id: {} },
    attributes: 'anything',
    created_at: {},
    updated_at: {},
  },
  event: {
    id: {},
    event_type: {},
    profile_id: {},
    properties: 'anything',
    items: 'anything',
    occurred_at: {},
    received_at: {},
  },
  store: { id: {}, name: {}, country: {}, time_zone: {}, currency: {}, website_url: {}, postal_address: {} },
  campaign: { id: {}, name: {} },
  coupon: { code: {}, pool_id: {}, expires_at: {} },
  recommended: {
    also_bought: 'anything',
    also_bought_with: 'by item',
    best_sellers: 'anything',
    buy_again: 'anything',
    recently_viewed: 'anything',
  },
  data: 'anything',
  unsubscribe_url: {},
  preferences_url: {},
  view_url: {},
  now: {},
};

export const ROOTS: ReadonlySet<string> = new Set(Object.keys(DATA));

/** Links by which customers look after their messages; nobody's clicks on them are counted. */
export const OWN_LINKS: ReadonlySet<string> = new Set(['unsubscribe_url', 'preferences_url', 'view_url']);

/** What lists and texts have besides. */
const OF_ALL = new Set(['size', 'first', 'last']);

/** Returns what is wrong with a path; undefined for one that may have a value. */
export function problemOfPath(path: readonly string[]): string | undefined {
  let shape: Shape = DATA;
  for (const [i, name] of path.entries()) {
    if (shape === 'anything' || shape === 'by item') return undefined;
    if (i > 0 && OF_ALL.has(name)) return undefined;
    if (!Object.hasOwn(shape, name)) return `There is no ${path.slice(0, i + 1).join('.')}${suggestion(path)}`;
    shape = shape[name] as Shape;
  }
  // What nobody knows before cannot be looked up.
  if (shape === 'by item') return `${path.join('.')} takes the id of an item, as in ${path.join('.')}["TEA-1"]`;
  return undefined;
}

function suggestion([root = '', name = '']: readonly string[]): string {
  if (root === 'profile' && ['email', 'phone', 'external_id'].includes(name))
    return `; use profile.identifiers.${name}`;
  if (root === 'profile' && name !== '') return `; use profile.attributes.${name}`;
  if (root === 'event' && name !== '') return `; use event.properties.${name}`;
  return ROOTS.has(root) ? '' : `; values are in ${[...ROOTS].join(', ')}`;
}
