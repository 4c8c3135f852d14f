import type { Operations } from '../../generated/native/operations.gen.ts';
import { enrol } from '../domain/automations/enrol.ts';
import { findAutomation } from '../domain/automations/find-automations.ts';
import type { VersionCache } from '../domain/automations/stored/version-cache.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { automationId, existing } from './get-automation.ts';
import { toIdentifiers } from './representations/event.ts';
import { renderSkipDetail } from './representations/finding.ts';
import { renderRun } from './representations/run.ts';

export function enrolProfile(writing: WithConnection, versions: VersionCache): Handler<Operations, 'enrolProfile'> {
  return async ({ request: { path, body }, caller }) => {
    const { storeId } = caller;
    const { profile, properties = {}, idempotency_key: idempotencyKey } = body;
    const enrolled = await writing(storeId, async (db) => {
      const { id } = existing(await findAutomation(db, storeId, automationId(path.id)));
      const enrolling = { automationId: id, identifiers: toIdentifiers(profile, caller), idempotencyKey, properties };
      return await enrol(db, caller, enrolling, versions);
    });
    const isRepeatable = idempotencyKey !== undefined;
    if ('run' in enrolled) {
      const { run, ...of } = enrolled.run;
      return { status: 201, body: { run: renderRun({ ...run, ...of }), skipped: null }, isRepeatable };
    }
    const { reason, detail } = enrolled.skipped;
    return { status: 201, body: { run: null, skipped: { reason, detail: renderSkipDetail(detail) } }, isRepeatable };
  };
}
