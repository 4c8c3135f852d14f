import { sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import type { ConsentRecord } from '../../db/entities/consent.ts';
import type { ConsentChangeRecord } from '../../db/entities/consent-change.ts';
import type { ConsentListRecord } from '../../db/entities/consent-list.ts';
import type { Sql } from '../../db/orm.ts';
import { idCursor, type Page, type PageRequest, readBefore, toPage } from '../reading/cursor.ts';
import { chosenLists } from './chosen-lists.ts';
import { type Channel, type Consent, holdsOver, type ListChoice } from './consent.ts';

/** Lists per profile that are read: a client may make up any number. */
const MAX_LISTS = 100;

/** A change of consent as it was sent. */
export interface RecordedChange
  extends Omit<ConsentChangeRecord, 'storeId' | 'profileId' | 'changedAt' | 'recordedAt'> {
  changedAt: Date;
  recordedAt: Date;
}

type ConsentRow = Pick<ConsentRecord, 'profileId' | 'channel' | 'status' | 'source' | 'suppressionReason'> & {
  changed: number | null;
  suppressed: number | null;
};
type ListRow = Pick<ConsentListRecord, 'profileId' | 'channel' | 'listId' | 'listName' | 'status'> & {
  changed: number;
};

/** Returns the consent of each profile. */
export async function readConsents(db: Sql, storeId: string, ids: readonly string[]): Promise<Map<string, Consent>> {
  const consents = new Map(ids.map((id) => [id, { email: noChoice(), sms: noChoice() }]));
  if (ids.length === 0) return consents;
  const { rows } = await sql<ConsentRow>`
    select c.profile_id as "profileId", c.channel, c.status, c.source, c.suppression_reason as "suppressionReason",
      (extract(epoch from c.changed_at) * 1000)::float8 as changed,
      (extract(epoch from c.suppressed_at) * 1000)::float8 as suppressed
    from unnest(${uuids(ids)}::uuid[]) as w (id)
    cross join lateral (select * from consent where store_id = ${storeId} and profile_id = w.id limit 2) c`.execute(db);
  for (const { profileId, channel, status, source, changed, suppressed, suppressionReason } of rows) {
    const consent = channelOf(consents, profileId, channel);
    consent.status = status;
    consent.source = source;
    consent.changedAt = changed === null ? null : new Date(changed);
    consent.suppressed = suppressed === null ? null : { at: new Date(suppressed), reason: suppressionReason as string };
  }
  const { rows: lists } = await sql<ListRow>`
    select l.profile_id as "profileId", l.channel, l.list_id as "listId", l.list_name as "listName", l.status,
      (extract(epoch from l.changed_at) * 1000)::float8 as changed
    from unnest(${uuids(ids)}::uuid[]) as w (id)
    cross join lateral (
      select * from consent_list where store_id = ${storeId} and profile_id = w.id
      order by channel, list_id limit ${MAX_LISTS}
    ) l`.execute(db);
  const listOf = await chosenLists(db, storeId, [...new Set(lists.map(({ listId }) => listId))]);
  for (const { profileId, channel, listId, listName, status, changed } of lists) {
    const { id, sourceId } = listOf(listId);
    const choice = { id, name: listName ?? listId, sourceId, status, changedAt: new Date(changed) };
    addChoice(channelOf(consents, profileId, channel).lists, choice);
  }
  return consents;
}

/** Of a list for which choices are kept under several of its names, only the one that holds is shown. */
function addChoice(choices: ListChoice[], choice: ListChoice): void {
  const known = choices.findIndex(({ id }) => id === choice.id);
  const other = choices[known];
  if (!other) choices.push(choice);
  else if (holdsOver({ ...choice, kind: choice.status }, { ...other, kind: other.status })) choices[known] = choice;
}

function channelOf(consents: ReadonlyMap<string, Consent>, profileId: string, channel: Channel) {
  return (consents.get(profileId) as Consent)[channel];
}

function noChoice(): Consent['email'] {
  return { status: 'never', changedAt: null, source: null, suppressed: null, lists: [] };
}

type ChangeRow = Omit<RecordedChange, 'changedAt' | 'recordedAt'> & { changed: number; recorded: number };

/** Returns the changes of a profile's consent, the latest first. */
export async function readConsentHistory(
  db: Sql,
  storeId: string,
  profileId: string,
  page: PageRequest,
): Promise<Page<RecordedChange>> {
  const before = readBefore(page.cursor);
  const { rows } = await sql<ChangeRow & { candidates?: never }>`
    select id, channel, kind, list_id as "listId", source, reason, applied, from_client as "isFromClient",
      (extract(epoch from changed_at) * 1000)::float8 as changed,
      (extract(epoch from recorded_at) * 1000)::float8 as recorded
    from consent_change
    where store_id = ${storeId} and profile_id = ${profileId} and id < ${before}
    order by id desc
    limit ${page.limit + 1}`.execute(db);
  const toChange = ({ changed, recorded, ...change }: ChangeRow): RecordedChange => {
    return { ...change, changedAt: new Date(changed), recordedAt: new Date(recorded) };
  };
  return toPage(rows, page.limit, toChange, idCursor);
}
