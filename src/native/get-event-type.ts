import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { reportEventType } from '../domain/reading/event-type-report.ts';
import type { ReportSlots } from '../domain/reading/report-slots.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { toTypeFilter } from './query.ts';
import { toStoreDays } from './store-days.ts';

export function getEventType(stores: StoreData, slots: ReportSlots): Handler<Operations, 'getEventType'> {
  return async ({ request: { path, query = {} }, caller }) => {
    const days = await toStoreDays(stores, caller.storeId, query);
    const eventType = toTypeFilter(path.event_type).eventType as string;
    const report = await slots.use(caller.storeId, () =>
      reportEventType(stores.of(caller.storeId), caller, { ...days, eventType, property: query.property }),
    );
    if (!report) throw new ServiceError('not_found', 'The store has no event of this type');
    const { sample, lastSeen, properties, topProfiles } = report;
    const body = {
      event_type: eventType,
      from: days.first,
      to: days.last,
      time_zone: days.timeZone,
      event_count: report.events,
      profile_count: report.profiles,
      last_seen_at: lastSeen?.toISOString() ?? null,
      days: report.days.map(({ date, events }) => ({ date, event_count: events })),
      sample: { event_count: sample.events, from: sample.from?.toISOString() ?? null, is_complete: sample.isComplete },
      sum: query.property === undefined ? null : { event_count: sample.measured, sum: sample.sum },
      properties,
      top_profiles: topProfiles,
    };
    return { status: 200, body };
  };
}
