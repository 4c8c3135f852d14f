import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { NOBODY } from '../../ids/nobody.ts';
import { spanOf } from '../orders/ranges.ts';
import { type RevenueReport, type RevenueSums, readRevenue } from '../orders/revenue.ts';
import { scopesOfRole } from '../people/roles.ts';
import { zoned } from '../time/local.ts';
import { type Group, type Report, readReport } from '../tracking/attribution/report.ts';
import type { LookedAt } from './looked-at.ts';
import { type Line, type Part, writeMail } from './mail-text.ts';
import { type NewNotification, queueNotifications } from './queue.ts';
import { type Recipient, wants } from './recipients.ts';
import { footerOf, linesOf, lookAt, ofRole } from './tell-attention.ts';
import { namesOf, type TellableItem } from './wording.ts';

/** The hour of Mondays from which on the week before is reported. */
const HOUR_OF_DAY = 8;
/** Currencies that a report names. */
const MAX_CURRENCIES = 5;

/** The Monday whose report is the latest one that is due at a time, in milliseconds. */
export function reportDueAt(now: number, zone: string): Temporal.PlainDate {
  const local = zoned(now, zone).toPlainDateTime().subtract({ hours: HOUR_OF_DAY });
  return local.toPlainDate().subtract({ days: local.dayOfWeek - 1 });
}

/**
 * Has the week before the latest Monday reported to whoever wants that, each once. Where nothing was reported before, the first
 * report is that of the next Monday.
 */
export async function reportWeek(tx: Sql, db: Sql, looked: LookedAt, now = Date.now()): Promise<void> {
  const { storeId, zone } = looked;
  const monday = reportDueAt(now, zone);
  const { rows } = await sql<{ before: string | null }>`
    select reported_week::text as before from notification_settings where store_id = ${storeId}`.execute(tx);
  const before = rows[0]?.before ?? null;
  if (before !== null && before >= monday.toString()) return;
  await sql`
    update notification_settings set reported_week = ${monday.toString()}::date where store_id = ${storeId}`.execute(
    tx,
  );
  if (before === null || looked.senderId === null) return;
  const people = looked.recipients.filter((one) => wants('weekly_report', one));
  if (people.length === 0) return;
  const week = await readWeek(db, looked, monday, now);
  await queueNotifications(
    tx,
    storeId,
    people.map((person) => mailTo(person, week, looked)),
  );
}

interface Week {
  monday: Temporal.PlainDate;
  first: Temporal.PlainDate;
  last: Temporal.PlainDate;
  revenue: RevenueReport;
  messages: Report;
  attention: TellableItem[];
  names: ReadonlyMap<string, string>;
}

async function readWeek(db: Sql, looked: LookedAt, monday: Temporal.PlainDate, now: number): Promise<Week> {
  const { storeId, zone, currency } = looked;
  const [first, last] = [monday.subtract({ days: 7 }), monday.subtract({ days: 1 })];
  const range = { first, last, zone, interval: 'week', compare: 'previous_period', now } as const;
  const attention = await lookAt(db, storeId);
  const ids = attention.map(({ id }) => id).filter((id) => id !== NOBODY);
  return {
    ...{ monday, first, last, attention },
    revenue: await readRevenue(db, storeId, range, currency),
    messages: await readReport(db, storeId, { groupBy: 'source', sourceId: undefined, zone, ...spanOf(range) }),
    names: await namesOf(db, storeId, [...new Set(ids)]),
  };
}

function mailTo(person: Recipient, week: Week, looked: LookedAt): NewNotification {
  const { storeName, base } = looked;
  const subject = `${storeName}: the week of ${dateText(week.first)}`;
  const attention = ofRole(person, week.attention);
  const lines: Line[] =
    attention.length > 0 ? linesOf(attention, { ...looked, names: week.names }) : [{ text: 'Nothing' }];
  const content = writeMail({
    subject,
    title: `${storeName}, ${dateText(week.first)} to ${dateText(week.last)}`,
    parts: [
      revenuePart(week.revenue, base),
      ...(scopesOfRole(person.role).has('messages:read') ? [messagesPart(week.messages, looked.currency)] : []),
      { heading: 'Needs attention', lines },
    ],
    footer: footerOf(base),
  });
  return { kind: 'weekly_report', to: { personId: person.personId }, subject, content, week: week.monday.toString() };
}

function revenuePart({ totals, comparison, isComplete, isEstimated }: RevenueReport, base: string): Part {
  const before = comparison?.totals;
  const currencies = new Set([...totals.revenue, ...(before?.revenue ?? [])].map(({ currency }) => currency));
  const netOf = (sums: RevenueSums | undefined, currency: string | null) =>
    sums?.revenue.find((one) => one.currency === currency)?.net ?? '0';
  const ofCurrencies = [...currencies].slice(0, MAX_CURRENCIES).map((currency) => {
    const [now, then] = [netOf(totals, currency), netOf(before, currency)];
    return [
      'Revenue less refunds',
      moneyText(now, currency),
      moneyText(then, currency),
      change(Number(now), Number(then)),
    ];
  });
  const counted = (name: string, count: (sums: RevenueSums) => number) => {
    const [now, then] = [count(totals), before ? count(before) : 0];
    return [name, now.toLocaleString('en-GB'), then.toLocaleString('en-GB'), change(now, then)];
  };
  return {
    heading: 'Orders',
    table: [
      ['', 'Last week', 'Week before', 'Change'],
      ...ofCurrencies,
      counted('Orders', ({ revenue }) => revenue.reduce((sum, { orders }) => sum + orders, 0)),
      counted('New customers', ({ newCustomers }) => newCustomers),
      counted(
        isEstimated ? 'Returning customers (estimated)' : 'Returning customers',
        (sums) => sums.returningCustomers,
      ),
    ],
    lines: [
      ...(isComplete ? [] : [{ text: 'Orders of the past are still being read: there may be more.' }]),
      { text: 'All orders', href: `${base}/dashboard/orders` },
    ],
  };
}

const SOURCES: Record<NonNullable<Group['source']>, string> = {
  campaign: 'Campaigns',
  automation: 'Automations',
  request: 'Messages of the API',
};

function messagesPart({ groups }: Report, usual: string | null): Part {
  const lines = groups.map(({ source, revenue }) => {
    const orders = revenue.reduce((sum, one) => sum + one.orders, 0);
    const amounts = revenue
      .slice(0, MAX_CURRENCIES)
      .map(({ amount, currency }) => moneyText(amount, currency ?? usual));
    const counted = `${orders.toLocaleString('en-GB')} ${orders === 1 ? 'order' : 'orders'}`;
    return { text: `${source ? SOURCES[source] : 'Others'}: ${counted}, ${amounts.join(', ')}` };
  });
  return { heading: 'What messages brought', lines: lines.length > 0 ? lines : [{ text: 'No orders' }] };
}

function change(now: number, then: number): string {
  if (then === 0) return now === 0 ? 'the same' : '–';
  const percent = Math.round(((now - then) / Math.abs(then)) * 100);
  return percent === 0 ? 'the same' : `${percent > 0 ? '+' : '−'}${Math.abs(percent).toLocaleString('en-GB')} %`;
}

/** `amount` is a decimal number as text, of any length. */
function moneyText(amount: string, currency: string | null): string {
  // Exact, as the types do not know yet.
  const exact = amount as Intl.StringNumericLiteral;
  if (currency === null || !/^[A-Z]{3}$/.test(currency)) {
    const number = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 }).format(exact);
    return currency === null ? number : `${number} ${currency}`;
  }
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(exact);
}

function dateText(date: Temporal.PlainDate): string {
  return date.toLocaleString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
}
