import type { Operations } from '../../generated/native/operations.gen.ts';
import type { SimulationInput } from '../../generated/native/types.gen.ts';
import { requireOwnThread } from '../db/raw-json.ts';
import type { Sql } from '../db/sql.ts';
import type { StoreData } from '../db/store-data.ts';
import { expectSimulatable } from '../domain/automations/check.ts';
import type { Definition } from '../domain/automations/core/definition/definition.ts';
import { type AutomationWithDraft, findAutomation } from '../domain/automations/find-automations.ts';
import { definitionOf, definitionOfDraft } from '../domain/automations/reading/shown-definition.ts';
import type { Start } from '../domain/automations/simulation/occasion.ts';
import { simulateRun } from '../domain/automations/simulation/simulate-run.ts';
import type { VersionCache } from '../domain/automations/stored/version-cache.ts';
import type { Caller } from '../domain/caller.ts';
import { parseTime } from '../domain/event-time.ts';
import { invalid, ServiceError } from '../domain/service-error.ts';
import type { TemplateTools } from '../domain/templates/template-tools.ts';
import type { Handler } from '../http/handler.ts';
import { automationId, existing } from './get-automation.ts';
import { toIdentifiers } from './representations/event.ts';
import { renderSimulation } from './representations/simulation.ts';
import { outsideOf } from './template-tools.ts';

export function simulateAutomation(
  stores: StoreData,
  versions: VersionCache,
  tools: TemplateTools,
): Handler<Operations, 'simulateAutomation'> {
  return async ({ request: { path, body }, caller, deadline }) => {
    requireOwnThread();
    const sql = stores.of(caller.storeId);
    const automation = existing(await findAutomation(sql, caller.storeId, automationId(path.id)));
    const start = toStart(body, caller);
    const definition = await definitionOfRequest(sql, caller.storeId, automation, body.version, versions);
    const { assume = [], follow_history: followHistory = false } = body;
    const asked = { automationId: automation.id, definition, start, assume, followHistory };
    const simulated = await simulateRun(sql, stores.shared, caller, asked, outsideOf(deadline, tools));
    return { status: 200, body: renderSimulation(simulated), isRepeatable: true };
  };
}

async function definitionOfRequest(
  db: Sql,
  storeId: string,
  automation: AutomationWithDraft,
  version: number | null | undefined,
  versions: VersionCache,
): Promise<Definition> {
  if (version === undefined || version === null) return definitionOfDraft(automation, expectSimulatable);
  const published = await definitionOf(db, storeId, automation.id, version, versions);
  if (!published) throw invalid({ path: ['version'], problem: 'is not the number of a version' });
  return published;
}

function toStart({ event_id: eventId, profile, ...madeUp }: SimulationInput, caller: Caller): Start {
  if ((eventId === undefined) === (profile === undefined)) {
    throw new ServiceError('validation_error', 'The body needs either event_id or profile');
  }
  const { properties, occurred_at, change } = madeUp;
  if (profile) {
    const occurredAt = occurred_at === undefined ? undefined : parseTime(occurred_at);
    return { identifiers: toIdentifiers(profile, caller), properties, occurredAt, change };
  }
  for (const name of ['properties', 'occurred_at', 'change'] as const) {
    if (madeUp[name] !== undefined) throw invalid({ path: [name], problem: 'must be absent with event_id' });
  }
  return { eventId: eventId as string };
}
