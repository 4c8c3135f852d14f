import { lookUp } from '../../../conditions/lookup.ts';
import { TooLarge as TextTooLarge } from '../../../templates/core/bounds.ts';
import type { Printing } from '../../../templates/core/liquid/piece.ts';
import type { Formats } from '../../../templates/core/rendering.ts';
import { fillShortText, MAX_WORK, readShortText, Unfillable } from '../../../templates/core/short-text.ts';
import { iso } from '../../../time/local.ts';
import { isComputed, operandsOf, operationOf } from '../definition/computations.ts';
import { isLiquid, isLiteral, isReference, referencePath } from '../definition/references.ts';
import type { Template } from '../definition/steps.ts';
import { compute } from './compute.ts';
import { resultsData } from './results.ts';
import type { Run, RunCoupon } from './run.ts';
import { StepFailed } from './step-failed.ts';
import type { Work } from './work.ts';

/** What references of a run lead to, and texts read. */
interface Sources {
  event: Record<string, unknown>;
  profile: Record<string, unknown>;
  run: Record<string, unknown>;
  coupon: Record<string, unknown> | null;
  steps: Record<string, unknown>;
}

/** As references and templates see it. */
export function couponData({ code, poolId, expiresAt }: RunCoupon): Record<string, unknown> {
  return { code, pool_id: poolId, expires_at: expiresAt === null ? null : iso(expiresAt) };
}

/** Characters of JSON, about, that a step may set or send: a small definition may name large values many times. */
const MAX_FILLED = 256 * 1024;

/** Thrown within the core: a step fails whose values are too large together. */
export class TooLarge extends Error {}

/** What one step of a run is filled in with, at one moment. */
export class Filling {
  readonly #sources: Sources;
  readonly #formats: Formats;
  readonly #work = { left: MAX_WORK };

  constructor(work: Work, { captured, id, key, coupon, results, version }: Run) {
    const profile = work.profile();
    const { event, properties } = captured;
    const { definition } = work.versionOf({ version });
    this.#formats = { locale: 'en', timeZone: work.zone(definition).name, now: iso(work.now) };
    this.#sources = {
      event: { id: event?.id, event_type: event?.eventType, occurred_at: event && iso(event.occurredAt), properties },
      profile: { id: profile.id, identifiers: profile.identifiers, attributes: profile.attributes },
      run: { id, key },
      coupon: coupon && couponData(coupon),
      steps: resultsData(results),
    };
  }

  /** Puts values in place of what stands for them; null where there is none. Throws `TooLarge`. */
  values(members: Readonly<Record<string, Template>>): Record<string, unknown> {
    const filled = this.#members(members);
    if (roomAfter(filled, MAX_FILLED) < 0) throw new TooLarge('The values of a step are too large');
    return filled;
  }

  /** Throws `TooLarge`. */
  text(source: string, printing: Printing = '_text'): string {
    const text = readShortText(source, printing);
    try {
      return fillShortText(text, { ...this.#sources, now: this.#formats.now }, this.#formats, this.#work);
    } catch (error) {
      if (error instanceof TextTooLarge) throw new TooLarge(error.message);
      if (error instanceof Unfillable) throw new StepFailed('render_failed');
      throw error;
    }
  }

  #members(members: Readonly<Record<string, Template>>): Record<string, unknown> {
    return Object.fromEntries(Object.entries(members).map(([name, template]) => [name, this.#value(template)]));
  }

  #value(template: Template): unknown {
    if (isReference(template)) return lookUp(this.#sources, referencePath(template)) ?? null;
    if (isLiteral(template)) return template.literal;
    if (isLiquid(template)) return this.text(String(template.liquid));
    if (isComputed(template)) {
      const operation = operationOf(template);
      return operation
        ? compute(
            operation,
            operandsOf(template).map(({ operand }) => this.#value(operand)),
          )
        : null;
    }
    if (Array.isArray(template)) return template.map((item) => this.#value(item));
    if (typeof template !== 'object' || template === null) return template;
    return this.#members(template as Record<string, Template>);
  }
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
