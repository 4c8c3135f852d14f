import type { Operations } from '../../generated/native/operations.gen.ts';
import { requireOwnThread } from '../db/raw-json.ts';
import type { StoreData } from '../db/store-data.ts';
import { expectEntryPublishable } from '../domain/automations/check.ts';
import type { Definition } from '../domain/automations/core/definition/definition.ts';
import { findAutomation } from '../domain/automations/find-automations.ts';
import { type PreviewedEntry, previewEntries } from '../domain/automations/reading/preview.ts';
import { definitionOf, definitionOfDraft } from '../domain/automations/reading/shown-definition.ts';
import type { VersionCache } from '../domain/automations/stored/version-cache.ts';
import { iso } from '../domain/time/local.ts';
import type { Handler } from '../http/handler.ts';
import { automationId, existing } from './get-automation.ts';
import { renderSkipDetail } from './representations/finding.ts';

export function previewAutomationEntries(
  stores: StoreData,
  versions: VersionCache,
): Handler<Operations, 'previewAutomationEntries'> {
  return async ({ request: { path, query = {} }, caller }) => {
    requireOwnThread();
    const sql = stores.of(caller.storeId);
    const automation = existing(await findAutomation(sql, caller.storeId, automationId(path.id)));
    const { id, version } = automation;
    let definition: Definition | undefined;
    if (query.definition !== 'live') {
      definition = definitionOfDraft(automation, expectEntryPublishable);
    } else if (version !== null) definition = await definitionOf(sql, caller.storeId, id, version, versions);
    const entries = definition ? await previewEntries(sql, caller, definition) : [];
    return { status: 200, body: { events: entries.map(renderPreviewed) } };
  };
}

function renderPreviewed({ event, profileId, decision }: PreviewedEntry) {
  return {
    event_id: event.id,
    profile_id: profileId,
    occurred_at: iso(event.occurredAt),
    enters: decision.entered,
    reason: decision.entered ? null : decision.reason,
    detail: decision.entered ? null : renderSkipDetail(decision.detail),
  };
}
