import type { Consents } from '../../../conditions/standing.ts';
import type { CustomerEvent, Profile } from '../../../conditions/subject.ts';
import { durationMs } from '../../../time/duration.ts';
import type { Definition } from '../definition/definition.ts';
import type { Automation } from '../machine/automation.ts';
import { type Effect, isMessage, type MessageEffect } from '../machine/effects.ts';
import type { EntryDecision } from '../machine/entry.ts';
import type { Answers, Facts } from '../machine/facts.ts';
import type { Input, Occurrence } from '../machine/input.ts';
import { originOf } from '../machine/origin.ts';
import { explainEntry, type Surroundings } from '../machine/react.ts';
import type { Run, State } from '../machine/run.ts';
import { askUntilKnown, settle } from '../machine/settle.ts';
import type { TimelineEntry } from '../machine/timeline.ts';
import { Agenda, makeSo } from './agenda.ts';
import { type Assumption, assumedDraw } from './assumptions.ts';
import { type Fate, type Happening, type KnownStanding, World } from './world.ts';

/** Entries of timelines, after which a simulation ends. */
export const MAX_STEPS = 500;

export interface SimulationOptions {
  /** The automation in which customers have drawn lots that stay. */
  automationId?: string;
  /** As it is now: no history of attributes is kept. */
  profile: Profile;
  /** As it is now, too: of the lists and segments that the definition names. */
  standing?: KnownStanding;
  /** The customer's events. Those received after the trigger happen in the simulation. */
  history?: readonly CustomerEvent[];
  assume?: readonly Assumption[];
  /** Why a customer who has chosen so is not sent a message at a time, in milliseconds; by default they are. */
  reasonToSkip?: (message: MessageEffect, consents: Consents, at: number) => string | undefined;
  /** Why a webhook is not sent that counts as a message; by default it is. */
  countWebhook?: Answers['counted'];
  /** When the trigger is dealt with, in milliseconds; by default when it was received. */
  now?: number;
}

/** What a run would do. Times are milliseconds. */
export interface SimulatedEffect {
  at: number;
  effect: Effect;
  /** Why a message is not sent, if it is not. */
  skipped?: string | undefined;
  /** Whether the customer is asked to confirm it first. */
  awaitsConfirmation?: boolean;
  /** What the customer is like when a message is sent. */
  attributes?: Profile['attributes'] | undefined;
}

export interface Simulation {
  /** Whether a run starts, or why not; undefined if the trigger is not about such an occurrence. */
  entry: EntryDecision | undefined;
  run: Run | undefined;
  timeline: TimelineEntry[];
  /** In order. */
  effects: SimulatedEffect[];
  /** Whether the run was still under way after `MAX_STEPS`. */
  truncated: boolean;
}

/** Plays through what an occurrence would start, as if the definition were live: nothing is read or written. */
export function simulate(definition: Definition, occurrence: Occurrence, options: SimulationOptions): Simulation {
  const steps = simulating(definition, occurrence, options);
  for (;;) {
    const { value, done } = steps.next();
    if (done) return value;
  }
}

/** The same, one happening after the other: whoever asks for them can do something else in between, or stop. */
export function simulating(
  definition: Definition,
  occurrence: Occurrence,
  options: SimulationOptions,
): Generator<Simulation, Simulation> {
  return new Player(definition, occurrence, options).play();
}

class Player {
  readonly #automation: Automation;
  readonly #assumptions: readonly Assumption[];
  readonly #draw: ReturnType<typeof assumedDraw>;
  readonly #reasonToSkip: NonNullable<SimulationOptions['reasonToSkip']>;
  readonly #world: World;
  readonly #agenda: Agenda;
  readonly #occurrence: Occurrence;
  readonly #result: Simulation = {
    entry: undefined,
    run: undefined,
    timeline: [],
    effects: [],
    truncated: false,
  };
  #state: State;
  #now: number;
  #entries = 0;
  #runs = 1;

  constructor(
    definition: Definition,
    occurrence: Occurrence,
    {
      automationId = 'simulated',
      profile,
      standing,
      history = [],
      assume = [],
      reasonToSkip = () => undefined,
      countWebhook,
      now,
    }: SimulationOptions,
  ) {
    const { receivedAt } = originOf(occurrence, profile.id);
    this.#now = now ?? receivedAt;
    this.#occurrence = occurrence;
    this.#assumptions = assume;
    this.#draw = assumedDraw(definition, assume);
    this.#reasonToSkip = reasonToSkip;
    const version = { number: 1, definition, inFlight: 'keep' } as const;
    this.#automation = { id: automationId, status: 'live', version: 1, versions: new Map([[1, version]]) };
    this.#state = { profileId: profile.id, enrolments: [], runs: [] };
    const own = occurrence.type === 'event' ? occurrence.event.id : undefined;
    const others = history.filter(({ id }) => id !== own);
    this.#world = new World(
      profile,
      others.filter((event) => event.receivedAt <= this.#now),
      standing,
      countWebhook,
    );
    for (const one of assume) {
      if ('step' in one || 'event' in one || one.after !== undefined) continue;
      makeSo(this.#world, one, { id: 'assumed', at: this.#now, depth: 0 });
    }
    if (occurrence.type === 'event') this.#world.record(occurrence.event);
    if (occurrence.type === 'change') this.#world.takeFor(occurrence.change);
    this.#agenda = new Agenda(
      others.filter((event) => event.receivedAt > this.#now),
      assume,
      this.#now,
    );
  }

  *play(): Generator<Simulation, Simulation> {
    const explain = (facts: Facts) => {
      return explainEntry(this.#state, this.#occurrence, { ...this.#surroundings(), facts });
    };
    this.#result.entry = askUntilKnown<EntryDecision | undefined>(explain, this.#world);
    this.#tell(this.#occurrence);
    while (this.#result.run?.status === 'active') {
      if (this.#entries >= MAX_STEPS) return { ...this.#result, truncated: true };
      yield this.#result;
      this.#next();
    }
    return this.#result;
  }

  /** What happens comes before what is due at the same moment. */
  #next(): void {
    const dueAt = (run: Run) => run.dueAt ?? Number.POSITIVE_INFINITY;
    const [due] = this.#state.runs.toSorted((one, other) => dueAt(one) - dueAt(other));
    const happening = this.#agenda.takeUntil(due ? dueAt(due) : Number.POSITIVE_INFINITY);
    this.#now = Math.max(this.#now, happening ? happening.at : dueAt(due as Run));
    if (happening) this.#happen(happening.what(this.#world));
    else this.#tell({ type: 'due', runId: (due as Run).id });
  }

  #happen(happening: Happening | undefined): void {
    if (happening?.type === 'delivery' || happening?.type === 'message') {
      this.#tell(happening);
    } else if (happening) {
      this.#runs += 1;
      this.#tell({ ...happening, runId: `${this.#occurrence.runId}/${this.#runs}` });
    }
  }

  #tell(input: Input): void {
    const { state, runs, timeline, effects } = settle(this.#state, input, this.#surroundings(), this.#world);
    this.#state = state;
    this.#entries += timeline.length;
    const { runId } = this.#occurrence;
    this.#result.run = runs.find(({ id }) => id === runId) ?? this.#result.run;
    this.#result.timeline.push(...timeline.filter((entry) => entry.runId === runId));
    for (const effect of effects) {
      const fate = this.#fateOf(effect);
      if ('runId' in effect && effect.runId === runId) {
        this.#result.effects.push({
          at: this.#now,
          effect,
          ...(fate.skipped !== undefined && { skipped: fate.skipped }),
          ...(this.#world.awaitsConfirmation(effect) && { awaitsConfirmation: true }),
          ...(isMessage(effect) && { attributes: this.#world.profile().attributes }),
        });
      }
      const happenings = this.#world.carryOut(effect, this.#now, fate);
      for (const happening of happenings) this.#agenda.add(this.#now, () => happening);
      if (effect.type === 'send_email' && !fate.skipped && !fate.result) this.#react(effect);
    }
  }

  /** What the customer is assumed to do with a message. */
  #react({ runId, stepId, templateId, templateVersion }: MessageEffect): void {
    for (const [i, one] of this.#assumptions.entries()) {
      if (!('reaction' in one) || one.step !== stepId) continue;
      const properties = { run_id: runId, step_id: stepId, template_id: templateId, version: templateVersion };
      const event = { event_type: `email_${one.reaction}`, properties };
      this.#agenda.addEvent(event, i, this.#now + durationMs(one.after));
    }
  }

  #surroundings(): Surroundings {
    return { now: this.#now, automation: this.#automation, draw: this.#draw };
  }

  #fateOf(effect: Effect): Fate {
    if (effect.type !== 'send_webhook' && effect.type !== 'call_webhook' && !isMessage(effect)) return {};
    const skipped = isMessage(effect) ? this.#reasonToSkip(effect, this.#world.consents(), this.#now) : undefined;
    const assumed = this.#assumptions.find((one) => 'delivery' in one && one.step === effect.stepId);
    const answered = this.#assumptions.find((one) => 'answer' in one && one.step === effect.stepId);
    return {
      skipped,
      result: assumed && 'delivery' in assumed ? assumed.delivery : undefined,
      ...(answered && 'answer' in answered && { answer: answered.answer }),
    };
  }
}
