import type { Config } from '../config.ts';
import type { BackgroundMigrations } from '../db/background/background-migrations.ts';
import type { Address, Database } from '../db/orm.ts';
import { maintainPartitions } from '../db/partition-maintenance.ts';
import { deletionOfAuditEntries } from '../domain/audit/delete-old.ts';
import { deletionOfAutomations } from '../domain/automations/retention/delete-old.ts';
import { SUM_UP_AUTOMATION_COUNTS } from '../domain/automations/retention/sum-up-counts.ts';
import { COUNT_CAMPAIGNS } from '../domain/campaigns/counting/count-in-background.ts';
import { DELETE_OLD_ACTIVITY } from '../domain/catalog/activity/delete-old.ts';
import { FOLLOW_CATALOGS, FOLLOW_COUPONS } from '../domain/catalog/activity/reader.ts';
import {
  deletionOfCatalogChanges,
  deletionOfCatalogSubscriptions,
  deletionOfCatalogSyncs,
  deletionOfFeedRuns,
} from '../domain/catalog/delete-old.ts';
import { FIND_LATE_RECOMMENDATIONS } from '../domain/catalog/recommendations/kept.ts';
import { deletionOfConfirmations } from '../domain/confirmations/delete-old.ts';
import { SUM_UP_COUPON_COUNTS } from '../domain/coupons/codes/counts.ts';
import { DELETE_CODES_OF_DELETED } from '../domain/coupons/codes/delete-codes.ts';
import { DELETE_EXPIRED_SUPPRESSIONS } from '../domain/erasures/delete-expired.ts';
import { SUM_UP_COUNTS } from '../domain/event-counts.ts';
import { DELETE_OLD_ADDITIONS } from '../domain/feed/delete-old.ts';
import { checkOfIdentifiers } from '../domain/identifier-splits/check-identifiers.ts';
import { DELETE_EXPIRED_JOBS } from '../domain/imports/bulk/jobs.ts';
import { DELETE_EXPIRED_IMPORTS } from '../domain/imports/files/delete-expired.ts';
import { DELETE_OLD_ANSWERS } from '../domain/kept-answers.ts';
import { DELETE_MEMBERS_OF_DELETED } from '../domain/lists/delete-members.ts';
import { FORGET_MERGED } from '../domain/merges/forget-before.ts';
import { deletionOfCountedWebhooks } from '../domain/messages/core/counted-webhooks.ts';
import { deletionOfMessages } from '../domain/messages/delete-old.ts';
import { deletionOfFeedback } from '../domain/messages/feedback/delete-old.ts';
import { deletionOfProofs } from '../domain/messages/feedback/proofs.ts';
import { deletionOfSoftBounces } from '../domain/messages/feedback/soft-bounces.ts';
import { deletionOfOldMails } from '../domain/messages/outbox.ts';
import { followingOfOrders } from '../domain/orders/reader/find-unread.ts';
import { deletionOfEnded } from '../domain/people/sign-in-failures.ts';
import { deletionOfHistory } from '../domain/profile-history/delete-old.ts';
import { DELETE_SUPERSEDED } from '../domain/profile-updates/delete-superseded.ts';
import { refreshingOfRfm } from '../domain/rfm/refresh-due.ts';
import type { Secrets } from '../domain/secrets/secrets.ts';
import { DELETE_OLD_CHANGES } from '../domain/segments/delete-old.ts';
import { deletionOfOrders, deletionOfTouches } from '../domain/tracking/attribution/delete-old.ts';
import { deletionOfHits } from '../domain/tracking/delete-old-hits.ts';
import { judgementOfHits } from '../domain/tracking/judge-hits.ts';
import { DELETE_OLD_DELIVERIES } from '../domain/webhooks/deliveries/delete-old.ts';
import { sealingOfSecrets } from '../domain/webhooks/endpoints/seal-secrets.ts';
import { secretsOfEndpoints } from '../domain/webhooks/endpoints/sealed-secrets.ts';
import { type DataTask, onData, type PeriodicTask } from '../engine/periodic.ts';
import type { DiskSpace } from '../process/disk-space.ts';
import type { Log } from '../process/log.ts';

const onAll = ({ stores }: Database, tasks: readonly DataTask[]) => tasks.map((task) => onData(stores, task));

interface OfAll {
  address: Address;
  database: Database;
  background: Pick<BackgroundMigrations, 'tick' | 'isComplete'>;
  secrets: Secrets;
  diskSpace: DiskSpace | undefined;
}

/** Sums, deletions and checks of every process. */
export function tasksOfAll(
  { address, database, background, secrets, diskSpace }: OfAll,
  { automationRetentionDays, eventRetentionDays, messageRetentionDays }: Config,
  log: Log,
): PeriodicTask[] {
  return [
    { failure: 'migrations in the background not looked for', everyMs: 1_000, run: () => background.tick() },
    ...onAll(database, [
      SUM_UP_COUNTS,
      SUM_UP_AUTOMATION_COUNTS,
      SUM_UP_COUPON_COUNTS,
      COUNT_CAMPAIGNS,
      DELETE_OLD_ADDITIONS,
      DELETE_OLD_ANSWERS,
      DELETE_SUPERSEDED,
      deletionOfAutomations(automationRetentionDays),
      deletionOfMessages(messageRetentionDays),
      deletionOfOldMails(),
      deletionOfFeedback(),
      deletionOfProofs(),
      deletionOfSoftBounces(),
      deletionOfCountedWebhooks(),
      judgementOfHits(),
      deletionOfHits(),
      deletionOfTouches(),
      deletionOfOrders(messageRetentionDays),
      deletionOfConfirmations(),
      deletionOfCatalogChanges(),
      deletionOfCatalogSubscriptions(),
      deletionOfHistory(database.stores.shared),
      deletionOfAuditEntries(),
      ...deletionOfCatalogSyncs(),
      ...deletionOfFeedRuns(),
      DELETE_MEMBERS_OF_DELETED,
      sealingOfSecrets(secretsOfEndpoints(secrets, background)),
      DELETE_EXPIRED_SUPPRESSIONS,
      FORGET_MERGED,
      DELETE_CODES_OF_DELETED,
      FOLLOW_CATALOGS,
      FOLLOW_COUPONS,
      followingOfOrders(),
      ...DELETE_OLD_ACTIVITY,
      FIND_LATE_RECOMMENDATIONS,
    ]),
    deletionOfEnded(database.stores.shared),
    checkOfIdentifiers(database.stores, log),
    maintenanceOfPartitions(address, eventRetentionDays, log),
    checkOfSpace(diskSpace),
  ];
}

/** Of those that work on automations, segments and webhooks. */
export function tasksOfEngines(database: Database): PeriodicTask[] {
  return onAll(database, [DELETE_OLD_CHANGES, DELETE_OLD_DELIVERIES, refreshingOfRfm(database.stores.shared)]);
}

/** Of those that process bulk jobs. */
export function tasksOfBulkJobs(database: Database): PeriodicTask[] {
  return onAll(database, [DELETE_EXPIRED_JOBS, DELETE_EXPIRED_IMPORTS]);
}

function maintenanceOfPartitions(address: Address, eventRetentionDays: number, log: Log): PeriodicTask {
  return {
    failure: 'partitions not maintained',
    everyMs: 6 * 60 * 60 * 1000,
    alsoAt: eventRetentionDays > 0 ? 'start' : undefined,
    run: () =>
      maintainPartitions(address, eventRetentionDays).then(
        (dropped) => dropped.length > 0 && log.info({ dropped }, 'expired events dropped'),
        // Each time: without partitions nothing can be written.
        (err) => log.error({ err }, 'partitions not maintained'),
      ),
  };
}

function checkOfSpace(diskSpace: DiskSpace | undefined): PeriodicTask {
  return {
    failure: 'the disk of the database is full',
    everyMs: 5_000,
    async run() {
      if (diskSpace?.isFull) throw new Error(`${diskSpace.freeBytes} bytes are free on the disk of DATA_DIR`);
    },
  };
}
