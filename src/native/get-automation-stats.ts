import type { Operations } from '../../generated/native/operations.gen.ts';
import type { AutomationStats } from '../../generated/native/types.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { type AutomationStats as Counts, countAutomation } from '../domain/automations/stats.ts';
import type { Handler } from '../http/handler.ts';
import { dateOf, toDays } from './days.ts';
import { automationId, existing } from './get-automation.ts';

export function getAutomationStats(stores: StoreData): Handler<Operations, 'getAutomationStats'> {
  return async ({ request: { path, query = {} }, caller: { storeId } }) => {
    const id = automationId(path.id);
    const range = toDays(query);
    const { entered, ended, skipped, failed, active, steps, days, goals } = existing(
      await countAutomation(stores.of(storeId), storeId, id, range),
    );
    // No run of this version ends for a reason that it does not have.
    const byReason = ended as AutomationStats['ended_by_reason'];
    const body = {
      from: dateOf(range.first),
      to: dateOf(range.last),
      entered,
      ended_by_reason: byReason,
      ended: byReason,
      skipped,
      failed,
      active,
      steps,
      ...(goals.length > 0 && { goal: renderGoal(goals) }),
      days: days.map((day, n) => ({ date: dateOf(range.first + n), ...day })),
    };
    return { status: 200, body };
  };
}

function renderGoal(goals: Counts['goals']): NonNullable<AutomationStats['goal']> {
  const sum = (of: 'entered' | 'reached') => goals.reduce((total, one) => total + one[of], 0);
  const [entered, reached] = [sum('entered'), sum('reached')];
  return { entered, reached, rate: rateOf(entered, reached), versions: goals.map(renderVersion) };
}

function renderVersion({ version, entered, reached }: Counts['goals'][number]) {
  return { version, entered, reached, rate: rateOf(entered, reached) };
}

/** To a hundredth of a per cent. */
function rateOf(entered: number, reached: number): number {
  return entered === 0 ? 0 : Math.round((reached / entered) * 10_000) / 10_000;
}
