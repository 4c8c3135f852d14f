import { ServiceError } from '../domain/errors.ts';

const INSTEAD = 'manage them through the native API (/v1) or the dashboard';

/** What this surface does not offer, by the first step of the path, and what to use instead. */
const FAMILIES: readonly [RegExp, string][] = [
  [/^catalog/, `Catalogs are not offered here; ${INSTEAD}`],
  [/^campaign/, `Campaigns are not offered here; ${INSTEAD}`],
  [/^list/, `Lists are not offered here; ${INSTEAD}`],
  [/^segment/, `Segments are not offered here; ${INSTEAD}`],
  [/^metric/, 'Metrics can not be browsed here; events are recorded under event types of the native API (/v1)'],
  [/^profile-import$/, 'Use POST /compat/v1/profiles: it creates the profile or updates it'],
  [/^profiles$/, 'Of profiles only POST /compat/v1/profiles is offered here; read them through the native API (/v1)'],
  [/^events$/, 'Of events only POST /compat/v1/events is offered here; read them through the native API (/v1)'],
];

/** What to say of a path, without the surface's prefix, that is no operation. */
export function notOffered(method: string, path: string): ServiceError {
  const family = path.split('/')[1] ?? '';
  const [, detail] = FAMILIES.find(([pattern]) => pattern.test(family)) ?? [];
  return new ServiceError('not_found', detail ?? `There is no ${method} operation at this path`);
}
