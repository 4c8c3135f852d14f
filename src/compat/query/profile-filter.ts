import type { Caller } from '../../domain/caller.ts';
import { readEmail } from '../../domain/canonical/email.ts';
import { readPhone } from '../../domain/canonical/phone.ts';
import { allSpellings, type IdentifierKind } from '../../domain/identifiers.ts';
import type { IdentifierCondition, ProfileSearch, TimeRange } from '../../domain/reading/profile-conditions.ts';
import { withPlusSigns } from '../../http/plus-signs.ts';
import { type Condition, parseFilter, timeOf, unknownCondition } from './filter.ts';

type Kind = IdentifierKind | 'id';

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['id', 'id'],
  ['email', 'email'],
  ['phone_number', 'phone'],
  ['external_id', 'external_id'],
  ['anonymous_id', 'anonymous_id'],
]);

/** Fields that an `any` may have. */
const LISTED: ReadonlySet<string> = new Set(['id', 'email', 'phone_number', 'external_id']);

/** Milliseconds that the bounds of a range lie after the time of a condition: `from` is inclusive, `before` is not. */
const BOUNDS = new Map<string, ['from' | 'before', number]>([
  ['greater-than', ['from', 1]],
  ['greater-or-equal', ['from', 0]],
  ['less-than', ['before', 0]],
  ['less-or-equal', ['before', 1]],
]);

const REASON = 'subscriptions.email.marketing.suppression.reason';

/** The third party counts opting out among the reasons. */
function toSuppression(reason: string): ProfileSearch['suppression'] {
  return reason === 'UNSUBSCRIBE' ? 'unsubscribed' : { reason: reason.replaceAll('\0', '') };
}

/** Converts the `filter` of a list of profiles. Throws `validation_error` for what it may not have. */
export function toProfileSearch(
  filter: string | undefined,
  caller: Caller,
): Omit<ProfileSearch, 'order' | 'descending'> {
  const conditions = filter === undefined || filter.trim() === '' ? [] : parseFilter(filter);
  const identifiers = conditions.flatMap((condition) => toIdentifiers(condition, caller) ?? []);
  const ranges: Record<'created' | 'updated', TimeRange> = { created: {}, updated: {} };
  let suppression: ProfileSearch['suppression'];
  for (const condition of conditions.filter((one) => !toIdentifiers(one, caller))) {
    if (condition.operator === 'equals' && condition.field === REASON && !suppression) {
      suppression = toSuppression(condition.values[0] as string);
      continue;
    }
    const bound = BOUNDS.get(condition.operator);
    const { field } = condition;
    if (!bound || (field !== 'created' && field !== 'updated')) throw unknownCondition(condition);
    narrow(ranges[field], bound[0], new Date(timeOf(condition).getTime() + bound[1]));
  }
  return { identifiers, ...ranges, suppression };
}

function narrow(range: TimeRange, bound: 'from' | 'before', time: Date): void {
  const other = range[bound];
  if (!other || (bound === 'from' ? time > other : time < other)) range[bound] = time;
}

/** Undefined for a condition on anything else. */
function toIdentifiers({ operator, field, values }: Condition, caller: Caller): IdentifierCondition | undefined {
  if (operator !== 'equals' && !(operator === 'any' && LISTED.has(field))) return undefined;
  // Only the third party can decode it, so no profile is stored with one.
  if (field === '_kx') return { kind: 'id', values: [] };
  const kind = KINDS.get(field);
  return kind && { kind, values: values.flatMap((value) => spellingsOf(kind, value, caller)) };
}

/** None of a malformed value, which no profile has. */
function spellingsOf(kind: Kind, value: string, { country }: Caller): readonly string[] {
  if (kind === 'email') return allSpellings(readEmail(withPlusSigns('idn-email', value)));
  // One that was encoded twice is %2B.
  if (kind === 'phone') {
    return allSpellings(readPhone(withPlusSigns('phone', value.replace(/^%2B(?=\d)/i, '+')), country));
  }
  return value.includes('\0') ? [] : [value];
}
