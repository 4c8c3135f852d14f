import { sql } from 'kysely';
import { texts } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import type { Channel } from '../consent/consent.ts';
import { invalid } from '../service-error.ts';
import { DAY, durationMs, parseDuration } from '../time/duration.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import { type Sender, takes } from './sender.ts';

/** What is recorded of what customers do with messages. */
export interface Tracking {
  opens: boolean;
  clicks: boolean;
  /** Whether transactional messages are tracked, too. */
  transactional: boolean;
  /** Whether there is an event for each message that is sent, and delivered. */
  sent: boolean;
  delivered: boolean;
}

/** Which events are orders, and which message leads to one. */
export interface AttributionRule {
  /** Types of events: of orders, and of refunds. */
  conversionTypes: readonly string[];
  refundTypes: readonly string[];
  /** The duration after a click in which an order is credited to it; that after an open, null if opens earn nothing. */
  clickWindow: string;
  openWindow: string | null;
}

/** What a store says of all its messages. */
export interface MessageSettings {
  /** In the footer of marketing messages, on one line or several. */
  postalAddress: string | null;
  /** Null for the outbox. */
  defaultSenderId: string | null;
  /** The same for text messages. */
  defaultSmsSenderId: string | null;
  /** Marketing messages that a customer may get within a duration; null for any number. */
  caps: { most: number; within: string } | null;
  /** The duration between two of them; null for none. */
  smartSending: string | null;
  tracking: Tracking;
  attribution: AttributionRule;
  /** Null before anybody has changed them. */
  updatedAt: Date | null;
}

const USUAL: MessageSettings = {
  postalAddress: null,
  defaultSenderId: null,
  defaultSmsSenderId: null,
  caps: null,
  smartSending: null,
  tracking: { opens: true, clicks: true, transactional: false, sent: false, delivered: false },
  attribution: {
    conversionTypes: ['placed_order'],
    refundTypes: ['refunded_order'],
    clickWindow: 'P5D',
    openWindow: null,
  },
  updatedAt: null,
};

/** Days that a duration of the caps may have: messages of so long are looked through. */
const MAX_DAYS = 30;
/** Days that an order may come after a click, and after an open, at most. */
export const MAX_WINDOW_DAYS = { click: 30, open: 1 };

interface SettingsRow
  extends Omit<MessageSettings, 'caps' | 'tracking' | 'attribution' | 'updatedAt'>,
    Tracking,
    AttributionRule {
  capCount: number | null;
  capWithin: string | null;
  updated: number;
}

export async function readMessageSettings(db: Sql, storeId: string): Promise<MessageSettings> {
  const { rows } = await sql<SettingsRow>`
    select postal_address as "postalAddress", default_sender_id as "defaultSenderId",
      default_sms_sender_id as "defaultSmsSenderId", cap_count as "capCount",
      cap_within as "capWithin", smart_sending as "smartSending", track_opens as opens, track_clicks as clicks,
      track_transactional as transactional, track_sent as sent, track_delivered as delivered,
      conversion_types as "conversionTypes", refund_types as "refundTypes", click_window as "clickWindow",
      open_window as "openWindow",
      (extract(epoch from updated_at) * 1000)::float8 as updated
    from message_settings where store_id = ${storeId}`.execute(db);
  const [row] = rows;
  if (!row) return USUAL;
  const { capCount, capWithin, opens, clicks, transactional, sent, delivered, updated, ...more } = row;
  const { conversionTypes, refundTypes, clickWindow, openWindow, ...settings } = more;
  const attribution = { conversionTypes, refundTypes, clickWindow, openWindow };
  const caps = capCount === null || capWithin === null ? null : { most: capCount, within: capWithin };
  const tracking = { opens, clicks, transactional, sent, delivered };
  return { ...settings, caps, tracking, attribution, updatedAt: new Date(updated) };
}

/**
 * Replaces the settings. Throws `validation_error` for durations that are none or too long, for a sender that is not there,
 * and for a type that is one of orders and of refunds.
 */
export async function updateMessageSettings(
  db: Sql,
  storeId: string,
  settings: Omit<MessageSettings, 'updatedAt'>,
): Promise<MessageSettings> {
  const { postalAddress, defaultSenderId, defaultSmsSenderId, caps, smartSending, tracking, attribution } = settings;
  if (caps) expectDuration(caps.within, ['caps', 'within']);
  if (smartSending !== null) expectDuration(smartSending, ['smart_sending']);
  expectRule(attribution);
  const address = postalAddress?.trim() || null;
  const update = async (tx: Sql) => {
    if (defaultSenderId !== null) await expectSender(tx, storeId, defaultSenderId, 'email');
    if (defaultSmsSenderId !== null) await expectSender(tx, storeId, defaultSmsSenderId, 'sms');
    await sql`
      insert into message_settings
        (store_id, postal_address, default_sender_id, default_sms_sender_id, cap_count, cap_within, smart_sending,
          track_opens, track_clicks, track_transactional, track_sent, track_delivered, conversion_types, refund_types,
          click_window, open_window, updated_at)
      values (${storeId}, ${address}, ${defaultSenderId}, ${defaultSmsSenderId}, ${caps?.most ?? null},
        ${caps?.within ?? null}, ${smartSending}, ${tracking.opens}, ${tracking.clicks}, ${tracking.transactional},
        ${tracking.sent}, ${tracking.delivered}, ${texts(attribution.conversionTypes)}::text[],
        ${texts(attribution.refundTypes)}::text[], ${attribution.clickWindow}, ${attribution.openWindow}, now())
      on conflict (store_id) do update
      set postal_address = excluded.postal_address, default_sender_id = excluded.default_sender_id,
        default_sms_sender_id = excluded.default_sms_sender_id, cap_count = excluded.cap_count,
        cap_within = excluded.cap_within, smart_sending = excluded.smart_sending,
        track_opens = excluded.track_opens, track_clicks = excluded.track_clicks,
        track_transactional = excluded.track_transactional, track_sent = excluded.track_sent,
        track_delivered = excluded.track_delivered, conversion_types = excluded.conversion_types,
        refund_types = excluded.refund_types, click_window = excluded.click_window, open_window = excluded.open_window,
        updated_at = excluded.updated_at`.execute(tx);
    return await readMessageSettings(tx, storeId);
  };
  return await retryConflicts(db, () => db.transaction().execute(update));
}

/** Where the shop is; null for nowhere. */
export async function setPostalAddress(db: Sql, storeId: string, address: string | null): Promise<void> {
  await sql`
    insert into message_settings (store_id, postal_address, updated_at)
    values (${storeId}, ${address?.trim() || null}, now())
    on conflict (store_id) do update set postal_address = excluded.postal_address, updated_at = excluded.updated_at`.execute(
    db,
  );
}

function expectDuration(text: string, path: string[], maxDays = MAX_DAYS): void {
  const ms = parseDuration(text) ? durationMs(text) : 0;
  if (ms > 0 && ms <= maxDays * DAY) return;
  const most = maxDays === 1 ? 'one day' : `${maxDays} days`;
  throw invalid({
    path,
    problem: `must be a duration such as PT16H${maxDays > 1 ? ' or P7D' : ''}, of ${most} at most`,
  });
}

function expectRule({ conversionTypes, refundTypes, clickWindow, openWindow }: AttributionRule): void {
  const isBoth = refundTypes.findIndex((type) => conversionTypes.includes(type));
  if (isBoth >= 0) {
    throw invalid({ path: ['attribution', 'refund_types', isBoth], problem: 'is one of conversion_types, too' });
  }
  expectDuration(clickWindow, ['attribution', 'click_window'], MAX_WINDOW_DAYS.click);
  if (openWindow !== null) expectDuration(openWindow, ['attribution', 'open_window'], MAX_WINDOW_DAYS.open);
}

/** Locked, so that it is not deleted meanwhile. */
async function expectSender(tx: Sql, storeId: string, id: string, channel: Channel): Promise<void> {
  const { rows } = await sql<Pick<Sender, 'kind'>>`
    select kind from sender where store_id = ${storeId} and id = ${id} and deleted_at is null
    for share`.execute(tx);
  const path = [channel === 'sms' ? 'default_sms_sender_id' : 'default_sender_id'];
  if (!rows[0]) throw invalid({ path, problem: 'is not the id of a sender' });
  if (takes(rows[0], channel)) return;
  throw invalid({
    path,
    problem: `is that of a sender that sends no ${channel === 'sms' ? 'text messages' : 'e-mail'}`,
  });
}
