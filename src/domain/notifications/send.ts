import { sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import type { StoreData } from '../../db/store-data.ts';
import { keepMail } from '../messages/outbox.ts';
import { type DirectContent, type DirectTools, directMail, sendDirectly } from '../messages/send-directly.ts';
import { answerOfOutbox } from '../messages/sending/simulator.ts';
import { findSealed, type SenderWithSealed } from '../senders/find-senders.ts';
import type { HandOverResult } from '../senders/hand-over.ts';
import { isReady, takes } from '../senders/sender.ts';
import { SENT_TODAY, WARM_UP_DAYS } from '../senders/warm-up.ts';
import { ServiceError } from '../service-error.ts';
import { isHeld } from '../store-hold.ts';
import { bytesOf } from '../webhooks/deliveries/message.ts';
import { queueMessage } from '../webhooks/deliveries/queue.ts';
import type { NewNotification } from './queue.ts';
import { type Recipient, wants } from './recipients.ts';

/** Milliseconds for the hand-over of a mail. */
const SEND_MS = 8_000;
/** Minutes until what failed for the time being is tried again; then it has failed. */
const BACKOFF_MINUTES = [1, 5, 30, 120, 360];
/** Notifications that are sent at once, and those of one store: however many one has, others do not wait for all of them. */
const [MOST, MOST_OF_STORE] = [200, 5];
/** Minutes after which what is being sent was interrupted. */
const LEASE_MINUTES = 5;
export const ATTENTION_TYPE = 'store.needs_attention';

interface Due {
  storeId: string;
  id: string;
  kind: NewNotification['kind'];
  personId: string | null;
  endpointId: string | null;
  attempts: number;
  content: RawJson;
  created: number;
}

/** What came of it. `reason` is why it was not sent. */
type Outcome =
  | { status: 'sent'; reason?: undefined }
  | { status: 'failed' | 'unknown'; reason: string }
  | { status: 'later'; reason: string | null };

export interface NotificationTools extends DirectTools {
  stopping: AbortSignal;
}

/**
 * Sends what is due. A mail that was being sent when a process ended may have arrived, and is not sent again; an endpoint is called
 * once however often that is queued.
 */
export async function sendDue(stores: StoreData, tools: NotificationTools): Promise<void> {
  const { shared } = stores;
  await sql`
    update notification set status = case when endpoint_id is null then 'unknown' else 'waiting' end,
      reason = case when endpoint_id is null then 'interrupted' end, due_at = case when endpoint_id is not null then due_at end,
      finished_at = case when endpoint_id is null then now() end
    where due_at <= now() and status = 'sending'`.execute(shared);
  await Promise.all((await claim(shared)).map((due) => sendOne(stores, due, tools)));
}

async function claim(shared: Sql): Promise<Due[]> {
  const { rows } = await sql<Due>`
    with due as (
      select store_id, id from (
        select store_id, id, due_at, row_number() over (partition by store_id order by due_at, id) as place
        from notification where due_at <= now() and status = 'waiting'
      ) d
      where place <= ${MOST_OF_STORE}
      order by place, due_at
      limit ${MOST}
    )
    update notification n
    set status = 'sending', attempts = attempts + 1, due_at = now() + make_interval(mins => ${LEASE_MINUTES})
    from due
    where n.store_id = due.store_id and n.id = due.id and n.status = 'waiting' and n.due_at <= now()
    returning n.store_id as "storeId", n.id, n.kind, n.person_id as "personId", n.endpoint_id as "endpointId", n.attempts, n.content,
      (extract(epoch from n.created_at) * 1000)::float8 as created`.execute(shared);
  return rows;
}

async function sendOne(stores: StoreData, due: Due, tools: NotificationTools): Promise<void> {
  const outcome = await attempt(stores, due, tools);
  const delay = BACKOFF_MINUTES[due.attempts - 1];
  const isLater = outcome.status === 'later' && (delay !== undefined || outcome.reason === null);
  const status = isLater ? 'waiting' : outcome.status === 'later' ? 'failed' : outcome.status;
  await sql`
    update notification
    set status = ${status}, reason = ${outcome.reason ?? null},
      attempts = attempts - ${outcome.status === 'later' && outcome.reason === null ? 1 : 0},
      due_at = case when ${isLater} then now() + make_interval(mins => ${delay ?? 1}) end,
      finished_at = case when ${isLater} then null else now() end
    where store_id = ${due.storeId} and id = ${due.id} and status = 'sending'`.execute(stores.shared);
}

async function attempt(stores: StoreData, due: Due, tools: NotificationTools): Promise<Outcome> {
  const db = stores.of(due.storeId);
  if (await isHeld(db, due.storeId)) return { status: 'later', reason: null };
  if (due.endpointId !== null) return await callEndpoint(db, due, due.endpointId);
  const { rows } = await sql<Recipient & { senderId: string | null }>`
    select coalesce(p.provider_email, p.email) as email, m.role, m.attention_mails as attention, m.weekly_report as "weeklyReport",
      s.sender_id as "senderId"
    from membership m join person p on p.id = m.person_id
    left join notification_settings s on s.store_id = m.store_id
    where m.store_id = ${due.storeId} and m.person_id = ${due.personId}`.execute(stores.shared);
  const [person] = rows;
  if (!person) return { status: 'failed', reason: 'person_left' };
  if (!wants(due.kind, person)) return { status: 'failed', reason: 'not_wanted' };
  const found = person.senderId === null ? undefined : await findSealed(db, due.storeId, person.senderId);
  if (!found || found.sender.deletedAt || !takes(found.sender, 'email'))
    return { status: 'failed', reason: 'no_sender' };
  if (!isReady(found.sender)) return { status: 'later', reason: 'sender_not_ready' };
  return outcomeOf(await mail(db, due, found, person.email, tools));
}

async function callEndpoint(db: Sql, { storeId, id, content, created }: Due, endpointId: string): Promise<Outcome> {
  const body = bytesOf({ type: ATTENTION_TYPE, at: created, data: content.parse<Record<string, unknown>>() });
  const isQueued = await queueMessage(db, storeId, { id, endpointId, type: ATTENTION_TYPE, body });
  return isQueued ? { status: 'sent' } : { status: 'failed', reason: 'no_endpoint' };
}

type Mailed = HandOverResult | { outcome: 'misconfigured' };

async function mail(
  db: Sql,
  { storeId, id, content: stored }: Due,
  found: SenderWithSealed,
  to: string,
  tools: NotificationTools,
): Promise<Mailed> {
  const content = stored.parse<DirectContent>();
  if (found.sender.kind === 'outbox') {
    const answer = answerOfOutbox(to);
    if (answer.outcome === 'accepted') await keepMail(db, storeId, id, directMail(found.sender, to, id, content));
    return answer;
  }
  // Counted as what it sends, and never held back for that: it is little.
  await sql`
    update sender s set day = current_date, sent_today = ${SENT_TODAY} + 1, warm_up_days = ${WARM_UP_DAYS}
    where store_id = ${storeId} and id = ${found.sender.id}`.execute(db);
  const signal = AbortSignal.any([tools.stopping, AbortSignal.timeout(SEND_MS)]);
  try {
    return await sendDirectly(storeId, found, { to, id, content }, tools, signal);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { outcome: 'misconfigured' };
  }
}

function outcomeOf(result: Mailed): Outcome {
  if (result.outcome === 'accepted') return { status: 'sent' };
  if (result.outcome === 'misconfigured') return { status: 'failed', reason: 'sender_not_ready' };
  if (result.outcome === 'refused') {
    return result.permanent ? { status: 'failed', reason: 'refused' } : { status: 'later', reason: 'refused' };
  }
  if (result.maybeSent) return { status: 'unknown', reason: result.reason };
  return { status: 'later', reason: result.reason };
}
