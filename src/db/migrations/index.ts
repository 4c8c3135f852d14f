import { Initial } from './0001-initial.ts';
import { Compatibility } from './0002-compatibility.ts';
import { ImportJobs } from './0003-import-jobs.ts';
import { Reading } from './0004-reading.ts';
import { CountsByDay } from './0005-counts-by-day.ts';
import { RunningCounts } from './0006-running-counts.ts';
import { AttemptsAtJobs } from './0007-attempts-at-jobs.ts';
import { KeyWindows } from './0008-key-windows.ts';
import { EventsOfAnOrder } from './0009-events-of-an-order.ts';
import { NamesOfCustomers } from './0010-names-of-customers.ts';
import { Consent } from './0011-consent.ts';
import { ReadingJobs } from './0013-reading-jobs.ts';
import { SourceIds } from './0014-source-ids.ts';
import { ChangeFeed } from './0015-change-feed.ts';
import { PublicKeys } from './0016-public-keys.ts';
import { UpdatedProfiles } from './0017-updated-profiles.ts';
import { Automations } from './0018-automations.ts';
import { Webhooks } from './0019-webhooks.ts';
import { WebhookHealth } from './0020-webhook-health.ts';
import { Lists } from './0021-lists.ts';
import { CustomerImports } from './0022-customer-imports.ts';
import { Segments } from './0023-segments.ts';
import { SegmentTriggers } from './0024-segment-triggers.ts';
import { SegmentComparisons } from './0025-segment-comparisons.ts';
import { SegmentPace } from './0026-segment-pace.ts';
import { HistoricalImports } from './0027-historical-imports.ts';
import { DoubtfulLines } from './0028-doubtful-lines.ts';
import { Spellings } from './0029-spellings.ts';
import { SetAside } from './0030-set-aside.ts';
import { NamesOfLists } from './0031-names-of-lists.ts';
import { ChainsOfAutomations } from './0032-chains-of-automations.ts';
import { ResentAttempts } from './0033-resent-attempts.ts';
import { KeptAnswers } from './0034-kept-answers.ts';
import { BackgroundMigrations } from './0035-background-migrations.ts';
import { WrittenNames } from './0036-written-names.ts';
import { ProfileUpdates } from './0037-profile-updates.ts';
import { JobsDue } from './0038-jobs-due.ts';
import { RoomForUpdates } from './0039-room-for-updates.ts';
import { Templates } from './0040-templates.ts';
import { Senders } from './0041-senders.ts';
import { Messages } from './0042-messages.ts';
import { Images } from './0043-images.ts';
import { SuppressedAddresses } from './0044-suppressed-addresses.ts';
import { Topics } from './0045-topics.ts';
import { Tracking } from './0046-tracking.ts';
import { DkimKeys } from './0048-dkim-keys.ts';
import { TextMessages } from './0049-text-messages.ts';
import { DoubleOptIn } from './0050-double-opt-in.ts';
import { Campaigns } from './0051-campaigns.ts';

/** All migrations, in their order. */
export const MIGRATIONS = {
  migrationsList: [
    { name: '0001-initial', class: Initial },
    { name: '0002-compatibility', class: Compatibility },
    { name: '0003-import-jobs', class: ImportJobs },
    { name: '0004-reading', class: Reading },
    { name: '0005-counts-by-day', class: CountsByDay },
    { name: '0006-running-counts', class: RunningCounts },
    { name: '0007-attempts-at-jobs', class: AttemptsAtJobs },
    { name: '0008-key-windows', class: KeyWindows },
    { name: '0009-events-of-an-order', class: EventsOfAnOrder },
    { name: '0010-names-of-customers', class: NamesOfCustomers },
    { name: '0011-consent', class: Consent },
    { name: '0013-reading-jobs', class: ReadingJobs },
    { name: '0014-source-ids', class: SourceIds },
    { name: '0015-change-feed', class: ChangeFeed },
    { name: '0016-public-keys', class: PublicKeys },
    { name: '0017-updated-profiles', class: UpdatedProfiles },
    { name: '0018-automations', class: Automations },
    { name: '0019-webhooks', class: Webhooks },
    { name: '0020-webhook-health', class: WebhookHealth },
    { name: '0021-lists', class: Lists },
    { name: '0022-customer-imports', class: CustomerImports },
    { name: '0023-segments', class: Segments },
    { name: '0024-segment-triggers', class: SegmentTriggers },
    { name: '0025-segment-comparisons', class: SegmentComparisons },
    { name: '0026-segment-pace', class: SegmentPace },
    { name: '0027-historical-imports', class: HistoricalImports },
    { name: '0028-doubtful-lines', class: DoubtfulLines },
    { name: '0029-spellings', class: Spellings },
    { name: '0030-set-aside', class: SetAside },
    { name: '0031-names-of-lists', class: NamesOfLists },
    { name: '0032-chains-of-automations', class: ChainsOfAutomations },
    { name: '0033-resent-attempts', class: ResentAttempts },
    { name: '0034-kept-answers', class: KeptAnswers },
    { name: '0035-background-migrations', class: BackgroundMigrations },
    { name: '0036-written-names', class: WrittenNames },
    { name: '0037-profile-updates', class: ProfileUpdates },
    { name: '0038-jobs-due', class: JobsDue },
    { name: '0039-room-for-updates', class: RoomForUpdates },
    { name: '0040-templates', class: Templates },
    { name: '0041-senders', class: Senders },
    { name: '0042-messages', class: Messages },
    { name: '0043-images', class: Images },
    { name: '0044-suppressed-addresses', class: SuppressedAddresses },
    { name: '0045-topics', class: Topics },
    { name: '0046-tracking', class: Tracking },
    { name: '0048-dkim-keys', class: DkimKeys },
    { name: '0049-text-messages', class: TextMessages },
    { name: '0050-double-opt-in', class: DoubleOptIn },
    { name: '0051-campaigns', class: Campaigns },
  ],
  tableName: 'migration',
  snapshot: false,
  // Each in a transaction of its own: what one locks is free before the next begins.
  allOrNothing: false,
};
