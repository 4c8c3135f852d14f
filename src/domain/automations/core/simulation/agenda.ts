import type { Audience } from '../../../conditions/audience.ts';
import type { CustomerEvent } from '../../../conditions/subject.ts';
import { durationMs } from '../../../time/duration.ts';
import type { ProfileChange } from '../machine/input.ts';
import type { AssumedChange, Assumption } from './assumptions.ts';
import type { Happening, World } from './world.ts';

interface Item {
  /** Milliseconds. */
  at: number;
  /** What the world then has, and automations are told; undefined if nothing has changed. */
  what: (world: World) => Happening | undefined;
}

/** What will happen in a simulation, by time; at the same time in the order that it was added. */
export class Agenda {
  readonly #items: Item[] = [];

  /** `start` is what assumptions count from. */
  constructor(events: readonly CustomerEvent[], assumptions: readonly Assumption[], start: number) {
    for (const event of events.toSorted((a, b) => a.receivedAt - b.receivedAt || (a.id < b.id ? -1 : 1))) {
      this.add(event.receivedAt, recorded(event));
    }
    for (const [i, assumption] of assumptions.entries()) {
      if ('step' in assumption || assumption.after === undefined) continue;
      const at = start + durationMs(assumption.after);
      if ('event' in assumption) this.addEvent(assumption.event, i, at);
      else this.add(at, (world) => assumedChange(world, assumption, i, at));
    }
  }

  add(at: number, what: Item['what']): void {
    const index = this.#items.findLastIndex((item) => item.at <= at) + 1;
    this.#items.splice(index, 0, { at, what });
  }

  /** Adds an event that is assumed by the `i`th assumption. */
  addEvent(event: Parameters<typeof assumedEvent>[0], i: number, at: number): void {
    this.add(at, recorded(assumedEvent(event, i, at)));
  }

  /** Takes what happens next, if it does by a time. */
  takeUntil(time: number): Item | undefined {
    const [next] = this.#items;
    return next && next.at <= time ? this.#items.shift() : undefined;
  }
}

function recorded(event: CustomerEvent) {
  return (world: World) => {
    world.record(event);
    return { type: 'event', event } as const;
  };
}

function assumedEvent(
  { event_type: eventType, properties = {} }: { event_type: string; properties?: CustomerEvent['properties'] },
  i: number,
  at: number,
): CustomerEvent {
  return { id: `assumed:${i}`, eventType, properties, occurredAt: at, receivedAt: at, backfill: false, depth: 0 };
}

function assumedChange(world: World, assumed: AssumedChange, i: number, at: number): Happening | undefined {
  const change = makeSo(world, assumed, { id: `assumed:${i}`, at, depth: 0 });
  return change && { type: 'change', change };
}

/** Changes a customer to what is assumed. Undefined if that is so already. */
export function makeSo(
  world: World,
  assumed: AssumedChange,
  about: Omit<ProfileChange, 'changes'>,
): ProfileChange | undefined {
  if ('set' in assumed) return world.change(assumed.set, [], about);
  if ('consent' in assumed) return world.choose(assumed.consent, about);
  const audience: Audience =
    'list' in assumed ? { kind: 'list', id: assumed.list } : { kind: 'segment', id: assumed.segment };
  return world.move({ kind: audience.kind, id: audience.id.toLowerCase(), isMember: assumed.member }, about);
}
