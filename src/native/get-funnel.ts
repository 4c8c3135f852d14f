import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { expectScopes, READS, scopesOf } from '../domain/expect-scopes.ts';
import { readFunnelNumbers, type StepNumbers } from '../domain/reports/funnel/funnel.ts';
import { readFunnel } from '../domain/reports/funnel/steps.ts';
import type { ReportSlots } from '../domain/reports/slots.ts';
import type { Handler } from '../http/handler.ts';
import { toSegmentDefinition } from './representations/segment.ts';
import { toStoreDays } from './store-days.ts';

const [DEFAULT_WINDOW, MAX_DAYS] = ['P7D', 92];

export function getFunnel(stores: StoreData, slots: ReportSlots): Handler<Operations, 'getFunnel'> {
  return async ({ request: { body: given }, caller }) => {
    const { window = DEFAULT_WINDOW, breakdown, from: first, to: last } = given;
    const steps = given.steps.map(({ event_type, where, from_client }) => ({
      eventType: event_type,
      ...(where && { where: toSegmentDefinition(where) }),
      fromClient: from_client ?? true,
    }));
    const funnel = readFunnel({ steps, window, breakdown });
    // A breakdown returns values of properties.
    if (funnel.breakdown) expectScopes(caller, ['events:read'], READS);
    for (const { where } of funnel.steps) if (where) expectScopes(caller, scopesOf(where), READS);
    const range = { ...(first !== undefined && { from: first }), ...(last !== undefined && { to: last }) };
    const days = await toStoreDays(stores, caller.storeId, range, MAX_DAYS);
    const { report, at } = await slots.useOnce(caller.storeId, ['funnel', funnel, days], () =>
      readFunnelNumbers(stores.of(caller.storeId), caller, funnel, days),
    );
    const stepsOf = (numbers: readonly StepNumbers[]) =>
      numbers.map(({ profiles, shareOfFirst, shareOfPrevious, medianSeconds }, i) => ({
        event_type: funnel.steps[i]?.eventType ?? '',
        profiles,
        share_of_first: shareOfFirst,
        share_of_previous: shareOfPrevious,
        median_seconds: medianSeconds,
      }));
    const { sample } = report;
    const body = {
      ...{ from: days.first, to: days.last, time_zone: days.timeZone, window, event_count: report.events },
      sample: sample && { sampled_count: sample.sampled, profile_count: sample.profiles },
      steps: stepsOf(report.steps),
      groups: report.groups.map(({ value, steps }) => ({ value, steps: stepsOf(steps) })),
      computed_at: new Date(at).toISOString(),
    };
    return { status: 200, body };
  };
}
