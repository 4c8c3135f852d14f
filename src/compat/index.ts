import { join } from 'node:path';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { SchemaProgress } from '../db/background/background-migrations.ts';
import type { StoreData } from '../db/store-data.ts';
import type { ApiKeys } from '../domain/api-keys/api-keys.ts';
import type { AuditLog } from '../domain/audit/audit-log.ts';
import type { VersionCache } from '../domain/automations/stored/version-cache.ts';
import { ClientEventTypes } from '../domain/client-event-types.ts';
import type { OnJob } from '../domain/imports/bulk/jobs.ts';
import type { FindReplay } from '../domain/record-event.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { GroupCommit } from '../domain/write/group-commit.ts';
import { bindContract, sharedContract } from '../http/bind-contract.ts';
import type { Handlers } from '../http/handler.ts';
import type { Reader } from '../http/read-from-replica.ts';
import type { Surface } from '../http/surface.ts';
import { createClientBackInStockSubscription } from './create-client-back-in-stock-subscription.ts';
import { createClientEvent } from './create-client-event.ts';
import { createClientEvents } from './create-client-events.ts';
import { createClientProfile } from './create-client-profile.ts';
import { createClientSubscription } from './create-client-subscription.ts';
import { createCompatEvent } from './create-compat-event.ts';
import { createCompatProfile } from './create-compat-profile.ts';
import { createDataPrivacyDeletionJob } from './create-data-privacy-deletion-job.ts';
import { createEventBulkCreateJob } from './create-event-bulk-create-job.ts';
import { createOrUpdateCompatProfile } from './create-or-update-compat-profile.ts';
import { createProfileBulkImportJob } from './create-profile-bulk-import-job.ts';
import { createProfileSubscriptionJob } from './create-profile-subscription-job.ts';
import { createProfileSuppressionJob } from './create-profile-suppression-job.ts';
import { createProfileUnsubscriptionJob } from './create-profile-unsubscription-job.ts';
import { createProfileUnsuppressionJob } from './create-profile-unsuppression-job.ts';
import { renderError, statusOf } from './document/error.ts';
import { getAccount } from './get-account.ts';
import { getCompatEvent } from './get-compat-event.ts';
import { getCompatEventMetric } from './get-compat-event-metric.ts';
import { getCompatEventProfile } from './get-compat-event-profile.ts';
import { getCompatList } from './get-compat-list.ts';
import { getCompatProfile } from './get-compat-profile.ts';
import { getEventBulkCreateJob } from './get-event-bulk-create-job.ts';
import { getEventBulkCreateJobErrors } from './get-event-bulk-create-job-errors.ts';
import { getProfileBulkImportJob } from './get-profile-bulk-import-job.ts';
import { getProfileBulkImportJobErrors } from './get-profile-bulk-import-job-errors.ts';
import { getProfileBulkImportJobListIds } from './get-profile-bulk-import-job-list-ids.ts';
import { getProfileBulkImportJobLists } from './get-profile-bulk-import-job-lists.ts';
import { getProfileBulkImportJobProfileIds } from './get-profile-bulk-import-job-profile-ids.ts';
import { getProfileBulkImportJobProfiles } from './get-profile-bulk-import-job-profiles.ts';
import { listAccounts } from './list-accounts.ts';
import { listCompatEvents } from './list-compat-events.ts';
import { listCompatLists } from './list-compat-lists.ts';
import { listCompatProfiles } from './list-compat-profiles.ts';
import { listProfileBulkImportJobs } from './list-profile-bulk-import-jobs.ts';
import { mergeCompatProfiles } from './merge-compat-profiles.ts';
import { notOffered } from './not-offered.ts';
import { compatVocabulary } from './schema-keywords.ts';
import { updateCompatProfile } from './update-compat-profile.ts';

const contract = sharedContract(join(import.meta.dirname, '../../generated/compat/requests.gen.json'), {
  vocabulary: compatVocabulary,
  ignoreUnknownQuery: true,
});
const PREFIX = '/compat/v1';
const UNKNOWN_SCHEME =
  'The Authorization header begins with a word that is not taken here; send Compat-API-Key or Bearer before the key, or have the operator allow the word with COMPAT_AUTH_SCHEMES';
/** What there is with `COMPAT_LISTS` only. */
const OF_LISTS: readonly string[] = ['listCompatLists', 'getCompatList'] satisfies (keyof Operations)[];
const JSON_API = 'application/vnd.api+json';
const JSON_TYPE = 'application/json';

export interface CompatParts {
  groupCommit: GroupCommit;
  findReplay: FindReplay;
  writing: WithConnection;
  reading: WithConnection;
  onJob: OnJob;
  /** For read-only operations, with fair access for all stores. */
  reads: EntityManager;
  /** The same, for statements of their own. */
  stores: StoreData;
  background: SchemaProgress;
  /** For lists, which may be read from a replica. */
  reader: Reader;
  keys: Pick<ApiKeys, 'account'>;
  auditLog: AuditLog;
  versions: VersionCache;
}

/**
 * Returns the compatibility surface: JSON:API documents under `/compat/v1`. `schemes` are words of the Authorization
 * header; `offersLists` says whether the names of lists can be read.
 */
export async function compatSurface(
  {
    groupCommit,
    findReplay,
    writing,
    reading,
    onJob,
    reads,
    stores,
    background,
    reader,
    keys,
    auditLog,
    versions,
  }: CompatParts,
  schemes: readonly string[],
  offersLists = false,
): Promise<Surface> {
  const clientEventTypes = new ClientEventTypes();
  const handlers: Handlers<Operations> = {
    createCompatEvent: createCompatEvent(groupCommit, findReplay),
    listCompatEvents: reader(listCompatEvents),
    getCompatEvent: getCompatEvent(stores),
    getCompatEventMetric: getCompatEventMetric(stores),
    getCompatEventProfile: getCompatEventProfile(stores),
    createEventBulkCreateJob: createEventBulkCreateJob(writing, onJob),
    getEventBulkCreateJob: getEventBulkCreateJob(reads),
    getEventBulkCreateJobErrors: getEventBulkCreateJobErrors(reads),
    createCompatProfile: createCompatProfile({ groupCommit, reading }),
    listCompatProfiles: reader((from) => listCompatProfiles(from, background)),
    getCompatProfile: getCompatProfile(stores),
    updateCompatProfile: updateCompatProfile({ groupCommit, reading }),
    createOrUpdateCompatProfile: createOrUpdateCompatProfile({ groupCommit, reading }),
    createProfileBulkImportJob: createProfileBulkImportJob(writing, onJob),
    getProfileBulkImportJob: getProfileBulkImportJob(reads),
    getProfileBulkImportJobErrors: getProfileBulkImportJobErrors(reads),
    listProfileBulkImportJobs: reader(listProfileBulkImportJobs),
    getProfileBulkImportJobProfiles: getProfileBulkImportJobProfiles(reads, stores),
    getProfileBulkImportJobProfileIds: getProfileBulkImportJobProfileIds(reads, stores),
    getProfileBulkImportJobLists: getProfileBulkImportJobLists(reads),
    getProfileBulkImportJobListIds: getProfileBulkImportJobListIds(reads),
    createProfileSubscriptionJob: createProfileSubscriptionJob(writing),
    createProfileUnsubscriptionJob: createProfileUnsubscriptionJob(writing),
    createProfileSuppressionJob: createProfileSuppressionJob(writing),
    createDataPrivacyDeletionJob: createDataPrivacyDeletionJob(writing, versions, background),
    mergeCompatProfiles: mergeCompatProfiles(writing, versions, background),
    createProfileUnsuppressionJob: createProfileUnsuppressionJob(writing),
    listCompatLists: listCompatLists(stores),
    getCompatList: getCompatList(stores),
    listAccounts: listAccounts(keys),
    getAccount: getAccount(keys),
    createClientEvent: createClientEvent(groupCommit, clientEventTypes),
    createClientEvents: createClientEvents(groupCommit, clientEventTypes),
    createClientProfile: createClientProfile(groupCommit),
    createClientSubscription: createClientSubscription(writing),
    createClientBackInStockSubscription: createClientBackInStockSubscription(groupCommit, writing),
  };
  const operations = bindContract(await contract(), handlers, { log: auditLog, statusOf });
  return {
    name: 'compat',
    prefix: PREFIX,
    schemes: new Set(['compat-api-key', 'bearer', ...schemes.map((word) => word.toLowerCase())]),
    unknownScheme: UNKNOWN_SCHEME,
    operations: offersLists ? operations : operations.filter(({ id }) => !OF_LISTS.includes(id)),
    // A page's `sendBeacon` declares a text as such.
    clientPaths: { prefix: `${PREFIX}/client/`, parameter: 'company_id', bodyTypes: ['text/plain'] },
    bodyTypes: [JSON_TYPE, JSON_API],
    responseType: (ctx) => ctx.accepts(JSON_API, JSON_TYPE) || JSON_TYPE,
    route,
    notFound: (method, path) => notOffered(method, path.slice(PREFIX.length)),
    statusOf,
    renderError,
  };
}

/** Clients put `/api` after the base URL, and slashes wherever they like. */
function route(path: string): string {
  const plain = path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  return plain.startsWith(`${PREFIX}/api/`) ? PREFIX + plain.slice(`${PREFIX}/api`.length) : plain;
}
