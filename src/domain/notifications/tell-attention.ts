import { sql } from 'kysely';
import { texts, timestamps, uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import { NOBODY } from '../../ids/nobody.ts';
import { lowestIdAt } from '../../ids/uuid-v7.ts';
import { SCOPES } from '../caller.ts';
import { scopesOfRole } from '../people/roles.ts';
import { inReport } from '../reading/in-report.ts';
import { findAttentionRows, scopeOfKind } from '../reports/overview/attention.ts';
import { HOUR, MINUTE } from '../time/duration.ts';
import type { LookedAt } from './looked-at.ts';
import { type Line, writeMail } from './mail-text.ts';
import { type NewNotification, queueNotifications } from './queue.ts';
import { type Recipient, wants } from './recipients.ts';
import { lineOf, namesOf, type TellableItem, whatIsIt } from './wording.ts';

/** Times in an hour that those of a store are told something; what comes in between is in the next one. */
const MAX_AN_HOUR = 4;
/** Milliseconds for which something is gone before it is over: what comes and goes is told once. */
const OVER_AFTER = 15 * MINUTE;
/** Things that a mail or a webhook names. */
const [MAX_LINES, MAX_ITEMS] = [20, 100];
const TOO_LONG = 'What needs attention takes too long to look at';
const ALL = new Set<string>(SCOPES);

interface Known extends TellableItem {
  isTold: boolean;
  isOver: boolean;
}

/** What is told together. */
interface News {
  began: TellableItem[];
  over: TellableItem[];
}

/** Looks at what needs attention of a store, and has what has begun and what is over told, each once. */
export async function tellAttention(tx: Sql, db: Sql, looked: LookedAt): Promise<void> {
  const { storeId, endpointId } = looked;
  const people = looked.senderId === null ? [] : looked.recipients.filter((one) => wants('attention', one));
  if (people.length === 0 && endpointId === null) return;
  const known = await compare(tx, storeId, await lookAt(db, storeId));
  const news: News = { began: known.filter(isNew), over: known.filter(({ isOver }) => isOver) };
  if (news.began.length + news.over.length === 0 || (await hasToldEnough(tx, storeId))) return;
  const ids = [...news.began, ...news.over].map(({ id }) => id).filter((id) => id !== NOBODY);
  const names = await namesOf(db, storeId, [...new Set(ids)]);
  const told = [
    ...people.flatMap((person) => mailTo(person, news, { ...looked, names })),
    ...(endpointId === null ? [] : [callOf(endpointId, news, { ...looked, names })]),
  ];
  await queueNotifications(tx, storeId, told);
  await setTold(tx, storeId, news);
}

const isNew = ({ isTold, isOver }: Known): boolean => !(isTold || isOver);

/** Everything that needs somebody now, each thing once. */
export async function lookAt(db: Sql, storeId: string): Promise<TellableItem[]> {
  const rows = await inReport(db, TOO_LONG, (tx) => findAttentionRows(tx, storeId, ALL));
  const now = Date.now();
  const items = rows.map(({ kind, id, since }) => ({ kind, id: id ?? NOBODY, since: since ?? now }));
  return [...new Map(items.map((item) => [`${item.kind} ${item.id}`, item])).values()];
}

/** Writes down what is found now, and since when something is not. Returns all that is known, but for what is gone and not over yet. */
async function compare(tx: Sql, storeId: string, found: readonly TellableItem[]): Promise<Known[]> {
  await sql`
    insert into attention_item (store_id, kind, subject_id, since)
    select ${storeId}, kind, id, since from unnest(
      ${texts(found.map(({ kind }) => kind))}::text[],
      ${uuids(found.map(({ id }) => id))}::uuid[],
      ${timestamps(found.map(({ since }) => new Date(since)))}::timestamptz[]
    ) as f (kind, id, since)
    on conflict (store_id, kind, subject_id) do update set gone_at = null where attention_item.gone_at is not null`.execute(
    tx,
  );
  await sql`
    update attention_item a set gone_at = now()
    where store_id = ${storeId} and gone_at is null and not exists (
      select from unnest(
        ${texts(found.map(({ kind }) => kind))}::text[], ${uuids(found.map(({ id }) => id))}::uuid[]
      ) as f (kind, id) where f.kind = a.kind and f.id = a.subject_id
    )`.execute(tx);
  // Of what nobody was told, nobody needs to know that it is over.
  await sql`
    delete from attention_item where store_id = ${storeId} and told_at is null and gone_at is not null`.execute(tx);
  const { rows } = await sql<Known>`
    select kind, subject_id as id, (extract(epoch from since) * 1000)::float8 as since, told_at is not null as "isTold",
      gone_at is not null as "isOver"
    from attention_item
    where store_id = ${storeId} and (gone_at is null or gone_at <= now() - make_interval(secs => ${OVER_AFTER / 1000}))
    order by since, kind, subject_id`.execute(tx);
  return rows;
}

async function hasToldEnough(tx: Sql, storeId: string): Promise<boolean> {
  const since = lowestIdAt(new Date(Date.now() - HOUR));
  const { rows } = await sql<{ times: number }>`
    select count(distinct created_at)::int as times from notification
    where store_id = ${storeId} and id >= ${since} and kind = 'attention'`.execute(tx);
  return (rows[0]?.times ?? 0) >= MAX_AN_HOUR;
}

async function setTold(tx: Sql, storeId: string, { began, over }: News): Promise<void> {
  const among = (items: readonly TellableItem[]) => sql`store_id = ${storeId} and (kind, subject_id) in (
    select * from unnest(${texts(items.map(({ kind }) => kind))}::text[], ${uuids(items.map(({ id }) => id))}::uuid[])
  )`;
  await sql`update attention_item set told_at = now() where ${among(began)}`.execute(tx);
  await sql`delete from attention_item where ${among(over)}`.execute(tx);
}

interface Telling extends LookedAt {
  names: ReadonlyMap<string, string>;
}

/** Nothing where none of it is for the role of the person. */
function mailTo(person: Recipient, news: News, telling: Telling): NewNotification[] {
  const { storeName } = telling;
  const [began, over] = [ofRole(person, news.began), ofRole(person, news.over)];
  if (began.length + over.length === 0) return [];
  const subject = `${storeName}: ${subjectOf({ began, over })}`;
  const content = writeMail({
    subject,
    title: storeName,
    parts: [
      ...(began.length > 0 ? [{ heading: 'Needs attention', lines: linesOf(began, telling) }] : []),
      ...(over.length > 0 ? [{ heading: 'Is over', lines: linesOf(over, telling) }] : []),
    ],
    footer: footerOf(telling.base),
  });
  return [{ kind: 'attention', to: { personId: person.personId }, subject, content }];
}

export const footerOf = (base: string): Line => ({
  text: 'You get this as you have chosen so under Your account, where you can change it.',
  href: `${base}/dashboard/settings/account`,
});

/** What somebody may be told of. */
export function ofRole<Item extends { kind: string }>(
  { role }: Pick<Recipient, 'role'>,
  items: readonly Item[],
): Item[] {
  const scopes = scopesOfRole(role);
  return items.filter(({ kind }) => scopes.has(scopeOfKind(kind) ?? ''));
}

function subjectOf({ began, over }: News): string {
  const [first] = began;
  if (began.length > 1) return `${began.length} things need attention`;
  if (first) return whatIsIt(first.kind);
  return over.length > 1 ? `${over.length} things are over` : `Is over: ${whatIsIt((over[0] as TellableItem).kind)}`;
}

/** One line each, and how many more there are. */
export function linesOf(items: readonly TellableItem[], { names, base, zone }: Telling): Line[] {
  const lines = items.slice(0, MAX_LINES).map((item) => lineOf(item, { names, base, zone }));
  return items.length > MAX_LINES ? [...lines, { text: `and ${items.length - MAX_LINES} more` }] : lines;
}

function callOf(endpointId: string, { began, over }: News, { storeName, names }: Telling): NewNotification {
  const render = (items: readonly TellableItem[]) =>
    items.slice(0, MAX_ITEMS).map(({ kind, id, since }) => ({
      kind,
      id: id === NOBODY ? null : id,
      name: names.get(id) ?? null,
      since: new Date(since).toISOString(),
    }));
  const content = { store: storeName, began: render(began), ended: render(over) };
  return { kind: 'attention', to: { endpointId }, subject: subjectOf({ began, over }), content };
}
