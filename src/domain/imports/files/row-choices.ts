import { CHANNELS, type Channel, type ConsentChange, choiceTime, DEFAULT_REASON } from '../../consent/consent.ts';
import { CONSENT_PARTS } from './column-names.ts';
import type { PlannedColumn } from './columns.ts';
import type { ImportedConsent } from './customer-import.ts';
import { isDateType, readDate } from './dates.ts';
import type { RowError } from './find-imports.ts';
import { isBlank } from './read-rows.ts';
import { toError } from './row-error.ts';

/** A choice of the customer of a row, or a suppression. */
export type RowChoice = Pick<ConsentChange, 'channel' | 'kind' | 'changedAt' | 'isNow' | 'source' | 'reason'>;

const MAX_SOURCE = 1000;

const STATUS = new Map<string, 'subscribed' | 'unsubscribed' | 'never'>([
  ...['subscribed', 'opted in', 'yes', 'true', '1'].map((word) => [word, 'subscribed'] as const),
  ...['unsubscribed', 'opted out', 'no', 'false', '0'].map((word) => [word, 'unsubscribed'] as const),
  ...['never', 'never subscribed'].map((word) => [word, 'never'] as const),
]);
const PROBLEM_OF_STATUS = 'must be subscribed, unsubscribed or never, yes or no, true or false, 1 or 0';
const FLAG = new Map([
  ...['suppressed', 'yes', 'true', '1'].map((word) => [word, true] as const),
  ...['no', 'false', '0'].map((word) => [word, false] as const),
]);
const PROBLEM_OF_FLAG = 'must be yes or no, true or false, 1 or 0';

/** Whether a row says itself what its customer has chosen for a channel. */
export function hasStatus(columns: readonly PlannedColumn[], channel: Channel): boolean {
  return columns.some(({ consent }) => consent === `${channel}_status`);
}

/**
 * Returns what the columns of a row say of consent; `general` has the time and the source of rows without their own. Who
 * opts in has to have done so at some time: an old file must not win over a later opt-out.
 */
export function readChoices(
  columns: readonly PlannedColumn[],
  cells: readonly string[],
  line: number,
  general: ImportedConsent | null,
): RowChoice[] | RowError {
  if (columns.every(({ consent }) => consent === undefined)) return [];
  const choices: RowChoice[] = [];
  for (const channel of CHANNELS) {
    const read = readChannel(channel, columns, cells, line, general);
    if ('problem' in read) return read;
    choices.push(...read);
  }
  return choices;
}

function readChannel(
  channel: Channel,
  columns: readonly PlannedColumn[],
  cells: readonly string[],
  line: number,
  general: ImportedConsent | null,
): RowChoice[] | RowError {
  const find = (part: (typeof CONSENT_PARTS)[number]) =>
    columns.find(({ consent }) => consent === `${channel}_${part}`);
  const textOf = (column: PlannedColumn | undefined) => (column ? (cells[column.index] ?? '').trim() : '');
  const wrong = (column: PlannedColumn | undefined, problem: string) => toError(line, problem, column, textOf(column));
  const [statusColumn, timeColumn, sourceColumn, flagColumn] = CONSENT_PARTS.map(find);
  const [status, time, source, flag] = [statusColumn, timeColumn, sourceColumn, flagColumn].map(textOf) as string[];

  const kind = status === '' ? 'never' : STATUS.get(wordOf(status as string));
  if (kind === undefined) return wrong(statusColumn, PROBLEM_OF_STATUS);
  const isSuppressed = flag === '' ? false : FLAG.get(wordOf(flag as string));
  if (isSuppressed === undefined) return wrong(flagColumn, PROBLEM_OF_FLAG);
  if ([...(source as string)].length > MAX_SOURCE) {
    return wrong(sourceColumn, `must not be longer than ${MAX_SOURCE} characters`);
  }
  const given = isBlank(time as string) ? general?.changedAt : timeOf(timeColumn, time as string);
  if (given === undefined && time !== '')
    return wrong(timeColumn, 'must be a time from 1990 on that is not in the future');
  if (kind === 'subscribed' && given === undefined) return wrong(statusColumn, 'needs to say since when');
  const made = {
    channel,
    changedAt: given ?? new Date(),
    isNow: given === undefined,
    source: source === '' ? (general?.source ?? null) : (source as string),
  };
  return [
    ...(kind === 'never' ? [] : [{ ...made, kind }]),
    ...(isSuppressed ? [{ ...made, kind: 'suppressed' as const, reason: DEFAULT_REASON }] : []),
  ];
}

function wordOf(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_-]+/g, ' ');
}

function timeOf(column: PlannedColumn | undefined, text: string): Date | undefined {
  const { type = 'date_ymd' } = column ?? {};
  const date = isDateType(type) ? readDate(type, text) : undefined;
  return date === undefined ? undefined : choiceTime(new Date(date));
}
