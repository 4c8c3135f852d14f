import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { EventGroup } from '../../generated/compat/types.gen.ts';
import type { Caller } from '../domain/caller.ts';
import { createImportJob, type OnJob } from '../domain/imports/bulk/jobs.ts';
import type { ImportItem } from '../domain/imports/bulk/packed-items.ts';
import { eventDraft } from '../domain/record-event.ts';
import { invalid } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { toEventInputs } from './document/event.ts';
import { toJobDocument } from './document/job.ts';
import { partialFailure } from './document/profile.ts';
import { translateIds } from './translate-ids.ts';

const MAX_EVENTS = 1_000;
const GROUPS = ['data', 'attributes', 'events-bulk-create', 'data'];

export function createEventBulkCreateJob(
  writing: WithConnection,
  onJob: OnJob,
): Handler<Operations, 'createEventBulkCreateJob'> {
  return async ({ request, caller, base }) => {
    const groups = request.body.data.attributes['events-bulk-create'].data;
    const profiles = groups.map(({ attributes }, i) => ({
      path: [...GROUPS, i, 'attributes', 'profile', 'data'],
      resource: attributes.profile.data,
    }));
    await translateIds(writing, caller, profiles);
    const receivedAt = new Date();
    const items = groups.flatMap((group, i) => toItems(group, [...GROUPS, i], caller, receivedAt));
    if (items.length > MAX_EVENTS) {
      throw invalid({ path: GROUPS, problem: `must not have more than ${MAX_EVENTS} events in all` });
    }
    const job = await writing(caller.storeId, (db) => createImportJob(db, caller, 'events', items));
    onJob(caller.storeId);
    return {
      status: 202,
      body: toJobDocument('event-bulk-create-job', job, base()),
      headers: partialFailure(profiles.map(({ resource }) => resource)),
    };
  };
}

function toItems(group: EventGroup, path: ImportItem['path'], caller: Caller, receivedAt: Date): ImportItem[] {
  return toEventInputs(group, caller).map((input, i) => ({
    path: [...path, 'attributes', 'events', 'data', i],
    draft: eventDraft(input, receivedAt, caller.origin),
  }));
}
