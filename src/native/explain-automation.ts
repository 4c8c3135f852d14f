import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { findAutomation } from '../domain/automations/find-automations.ts';
import { explain } from '../domain/automations/reading/explain.ts';
import type { VersionCache } from '../domain/automations/stored/version-cache.ts';
import { unsentOfRuns } from '../domain/messages/read.ts';
import { currentId } from '../domain/profile-aliases.ts';
import type { Handler } from '../http/handler.ts';
import { automationId, existing } from './get-automation.ts';
import { toPageRequest } from './query.ts';
import { renderCandidate, renderStanding } from './representations/candidate.ts';

export function explainAutomation(stores: StoreData, versions: VersionCache): Handler<Operations, 'explainAutomation'> {
  return async ({ request: { path, query }, caller }) => {
    const sql = stores.of(caller.storeId);
    const automation = existing(await findAutomation(sql, caller.storeId, automationId(path.id)));
    const profileId = await currentId(sql, caller.storeId, query.profile_id);
    const page = toPageRequest(query);
    const { items, next, standing } = await explain(sql, caller, automation, profileId, page, versions);
    const segment = standing ? renderStanding(standing) : null;
    const runIds = items.flatMap(({ decision }) => (decision.made === 'entered' ? decision.runId : []));
    const unsent = caller.scopes.has('messages:read')
      ? Map.groupBy(await unsentOfRuns(sql, caller.storeId, profileId, runIds), ({ runId }) => runId)
      : null;
    const candidates = items.map((item) => renderCandidate(item, unsent));
    return { status: 200, body: { segment, candidates, next_cursor: next } };
  };
}
