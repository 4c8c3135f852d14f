import type { Operations } from '../../generated/native/operations.gen.ts';
import { changeStatus } from '../domain/automations/change-status.ts';
import { invalid } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { readStoreSettings } from '../domain/store-settings.ts';
import { DAY, durationMs, parseDuration } from '../domain/time/duration.ts';
import type { Handler } from '../http/handler.ts';
import { automationId, existing } from './get-automation.ts';
import { renderAutomation } from './representations/automation.ts';

const DEFAULT_SPREAD = 'PT15M';

export function setAutomationStatus(writing: WithConnection): Handler<Operations, 'setAutomationStatus'> {
  return async ({ request, caller }) => {
    const { status, overdue = 'run', spread = DEFAULT_SPREAD } = request.body;
    const change = { id: automationId(request.path.id), status, overdue, spreadMs: toSpread(spread) };
    const automation = await writing(caller.storeId, async (db, shared) => {
      const { timeZone: storeZone } = await readStoreSettings(shared, caller.storeId);
      return await changeStatus(db, caller, { ...change, storeZone });
    });
    return { status: 200, body: renderAutomation(existing(automation)), isRepeatable: true };
  };
}

function toSpread(text: string): number {
  const ms = parseDuration(text) ? durationMs(text) : -1;
  if (ms >= 0 && ms <= DAY) return ms;
  throw invalid({ path: ['spread'], problem: 'must be an ISO 8601 duration of at most a day, such as PT15M' });
}
