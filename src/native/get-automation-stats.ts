import type { Operations } from '../../generated/native/operations.gen.ts';
import type { AutomationStats } from '../../generated/native/types.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { countAutomation, type Days } from '../domain/automations/stats.ts';
import { invalid } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { automationId, existing } from './get-automation.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Days of a range, by default and at most. */
const [DEFAULT_DAYS, MAX_DAYS] = [30, 366];
/** The 1st of January of the year 1. */
const EARLIEST = -719_162;

export function getAutomationStats(stores: StoreData): Handler<Operations, 'getAutomationStats'> {
  return async ({ request: { path, query = {} }, caller: { storeId } }) => {
    const id = automationId(path.id);
    const range = toDays(query);
    const { entered, ended, skipped, failed, active, steps, days } = existing(
      await countAutomation(stores.of(storeId), storeId, id, range),
    );
    const body = {
      from: dateOf(range.first),
      to: dateOf(range.last),
      entered,
      // No run of this version ends for a reason that it does not have.
      ended: ended as AutomationStats['ended'],
      skipped,
      failed,
      active,
      steps,
      days: days.map((day, n) => ({ date: dateOf(range.first + n), ...day })),
    };
    return { status: 200, body };
  };
}

/** Converts validated dates. Throws `validation_error` unless they are a range of days that can be counted. */
function toDays(query: { from?: string; to?: string }): Days {
  const last = query.to === undefined ? Math.floor(Date.now() / DAY_MS) : dayOf(query.to);
  const first = query.from === undefined ? last - DEFAULT_DAYS + 1 : dayOf(query.from);
  if (first > last) throw invalid({ path: ['from'], problem: 'must not be after to' });
  if (first < EARLIEST) throw invalid({ path: [query.from === undefined ? 'to' : 'from'], problem: 'is too long ago' });
  if (last - first >= MAX_DAYS) throw invalid({ path: ['from'], problem: `is more than ${MAX_DAYS} days before to` });
  return { first, last };
}

function dayOf(date: string): number {
  return Date.parse(`${date}T00:00Z`) / DAY_MS;
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
