import { lookUpInLists } from '../../../conditions/lookup.ts';
import type { Profile } from '../../../conditions/subject.ts';
import { iso } from '../../../time/local.ts';
import { isLiteral, isReference, referencePath } from '../definition/references.ts';
import type { Template } from '../definition/steps.ts';
import type { Run, RunCoupon } from './run.ts';

/** What references of a run lead to. */
export interface Sources {
  event: Record<string, unknown>;
  profile: Record<string, unknown>;
  run: Record<string, unknown>;
  coupon: Record<string, unknown> | null;
}

export function sourcesOf({ captured, id, key, coupon }: Run, profile: Profile): Sources {
  const { event, properties } = captured;
  return {
    event: { id: event?.id, event_type: event?.eventType, occurred_at: event && iso(event.occurredAt), properties },
    profile: { id: profile.id, identifiers: profile.identifiers, attributes: profile.attributes },
    run: { id, key },
    coupon: coupon && couponData(coupon),
  };
}

/** As references and templates see it. */
export function couponData({ code, poolId, expiresAt }: RunCoupon): Record<string, unknown> {
  return { code, pool_id: poolId, expires_at: expiresAt === null ? null : iso(expiresAt) };
}

/** Characters of JSON, about, that a step may set or send: a small definition may name large values many times. */
const MAX_FILLED = 256 * 1024;

/** Thrown within the core: a step fails whose values are too large together. */
export class TooLarge extends Error {}

/** The same as `fill`. Throws `TooLarge`. */
export function fillWithin(members: Readonly<Record<string, Template>>, sources: Sources): Record<string, unknown> {
  const filled = fill(members, sources);
  if (roomAfter(filled, MAX_FILLED) < 0) throw new TooLarge('The values of a step are too large');
  return filled;
}

/** Returns how much room a value leaves; less than none as soon as it is known to have too little. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length - 2;
  if (typeof value !== 'object' || value === null) return room - String(value).length;
  let left = room - 2;
  for (const [name, item] of Object.entries(value)) {
    left = roomAfter(item, left - (Array.isArray(value) ? 1 : name.length + 4));
    if (left < 0) break;
  }
  return left;
}

/** Puts the values in place of the references; null where there is none. */
function fill(members: Readonly<Record<string, Template>>, sources: Sources): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).map(([name, template]) => [name, fillIn(template, sources)]));
}

function fillIn(template: Template, sources: Sources): unknown {
  if (isReference(template)) return lookUpInLists(sources, referencePath(template)) ?? null;
  if (isLiteral(template)) return template.literal;
  if (Array.isArray(template)) return template.map((item) => fillIn(item, sources));
  if (typeof template !== 'object' || template === null) return template;
  return fill(template as Record<string, Template>, sources);
}
