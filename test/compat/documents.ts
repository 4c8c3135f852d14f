/** What a profile resource has: its attributes, and under `beside` what stands next to them, such as `id` and `meta`. */
export type ProfileFields = Record<string, unknown> & { beside?: object };

/** The attributes of an event; `metric` is a name, or what the metric's attributes are. */
export type EventFields = Record<string, unknown> & { metric: string | object; profile?: ProfileFields };

/** The events of one profile, in a bulk request; `backfill` is that of the group. */
export interface EventGroup {
  profile: ProfileFields;
  events: EventFields[];
  backfill?: unknown;
}

/** The document that creates an event. */
export function eventDocument(fields: EventFields) {
  return { data: eventResource(fields) };
}

/** The document that creates or updates a profile. */
export function profileDocument(fields: ProfileFields) {
  return { data: profileResource(fields) };
}

/** The document that creates events in bulk. */
export function eventJobDocument(groups: EventGroup[]) {
  const data = groups.map(({ profile, events, ...attributes }) => ({
    type: 'event-bulk-create',
    attributes: {
      ...attributes,
      profile: { data: profileResource(profile) },
      events: { data: events.map(eventResource) },
    },
  }));
  return { data: { type: 'event-bulk-create-job', attributes: { 'events-bulk-create': { data } } } };
}

/** The document that imports profiles. */
export function profileJobDocument(profiles: ProfileFields[], relationships?: object) {
  const attributes = { profiles: { data: profiles.map(profileResource) } };
  return { data: { type: 'profile-bulk-import-job', attributes, ...(relationships && { relationships }) } };
}

function eventResource({ metric, profile, ...attributes }: EventFields) {
  const metricAttributes = typeof metric === 'string' ? { name: metric } : metric;
  return {
    type: 'event',
    attributes: {
      ...attributes,
      metric: { data: { type: 'metric', attributes: metricAttributes } },
      ...(profile && { profile: { data: profileResource(profile) } }),
    },
  };
}

function profileResource({ beside, ...attributes }: ProfileFields) {
  return { type: 'profile', attributes, ...beside };
}
