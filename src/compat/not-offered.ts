import { ServiceError } from '../domain/service-error.ts';

const PROFILES = 'Profiles can be listed, read, created and updated here, not deleted or related to anything else';
const NOWHERE = 'neither here nor in the native API (/v1)';

/** Operations that this surface does not offer, by method and first path segment, and the alternative to each. */
const FAMILIES: readonly [RegExp, string][] = [
  [/^\w+ catalog-categor/, inNative('Categories of the catalog are', 'POST /v1/catalog/categories/upsert')],
  [
    /^\w+ catalog/,
    inNative('The catalog is', 'POST /v1/catalog/items/bulk, up to 1,000 items with their variants at once'),
  ],
  [
    /^\w+ back-in-stock-/,
    inNative('Back-in-stock subscriptions are', 'POST /v1/catalog/subscriptions; those of pages, POST /client/…'),
  ],
  [/^\w+ campaign/, managed('Campaigns are', '/v1/campaigns')],
  [/^\w+ flow/, managed('What flows do, automations do: they are', '/v1/automations')],
  [/^\w+ webhook/, managed('Webhooks are steps of automations; their endpoints are', '/v1/webhook-endpoints')],
  [/^\w+ coupon/, managed('Coupons are', '/v1/coupon-pools')],
  [/^\w+ template/, managed('Templates are', '/v1/templates')],
  [/^\w+ image/, managed('Images of templates are', '/v1/images')],
  [/^\w+ (form|tag)/, `This is offered ${NOWHERE}`],
  [/^\w+ list/, `${managed('Lists are', '/v1/lists')}; subscriptions and imports can name one that profiles join`],
  [/^\w+ segment/, managed('Segments are', '/v1/segments')],
  [/^\w+ metric/, 'Metrics cannot be browsed here; GET /v1/events/stats of the native API counts events by type'],
  [
    /^\w+ profile-(subscription|suppression)-/,
    'Jobs about consent are complete once they are accepted, so there is nothing to read; create them with POST',
  ],
  [/^\w+ profile-merge/, 'Customers are merged with POST; what became of it says the native API (/v1/merges)'],
  [/^\w+ data-privacy-/, 'Customers are erased with POST; what became of it says the native API (/v1/erasures)'],
  [/^\w+ client$/, 'Pages and apps can send events, profiles and subscriptions here, with POST, and nothing else'],
  [/^\w+ profile-import$/, 'Use POST /compat/v1/profile-import: it creates or updates the profile'],
  [/^\w+ profiles$/, PROFILES],
  [/^\w+ events$/, 'Events can be recorded, listed and read here, not changed or deleted'],
];

function inNative(what: string, path: string): string {
  return `${what} written and read in the native API (${path}), not here`;
}

function managed(what: string, path: string): string {
  return `${what} managed in the dashboard and in the native API (${path}), not here`;
}

/** Returns the error for a path (without the surface's prefix) that is not an operation. */
export function notOffered(method: string, path: string): ServiceError {
  const target = `${method} ${path.split('/')[1] ?? ''}`;
  const [, detail] = FAMILIES.find(([pattern]) => pattern.test(target)) ?? [];
  return new ServiceError('not_found', detail ?? `There is no ${method} operation at this path`);
}
