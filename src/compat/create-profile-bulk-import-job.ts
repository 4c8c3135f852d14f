import type { Operations } from '../../generated/compat/operations.gen.ts';
import { createImportJob, type OnJob } from '../domain/imports/bulk/jobs.ts';
import { profileDraft } from '../domain/record-profile.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { namedLists } from './document/import-lists.ts';
import { toJobDocument } from './document/job.ts';
import { toProfileChange } from './document/profile.ts';
import { translateIds } from './translate-ids.ts';

export function createProfileBulkImportJob(
  writing: WithConnection,
  onJob: OnJob,
): Handler<Operations, 'createProfileBulkImportJob'> {
  return async ({ request, caller, base }) => {
    const profiles = request.body.data.attributes.profiles.data.map((resource, i) => ({
      path: ['data', 'attributes', 'profiles', 'data', i],
      resource,
    }));
    await translateIds(writing, caller, profiles);
    const items = profiles.map(({ path, resource }) => ({
      path,
      draft: profileDraft(toProfileChange(resource, caller), caller.origin),
    }));
    const lists = namedLists(request.body.data);
    const job = await writing(caller.storeId, (db) => createImportJob(db, caller, 'profiles', items, lists));
    onJob(caller.storeId);
    return { status: 202, body: toJobDocument('profile-bulk-import-job', job, base()) };
  };
}
