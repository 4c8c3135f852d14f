import type { Definition, InFlight } from '../../../../src/domain/automations/core/definition/definition.ts';
import type { Automation, AutomationStatus } from '../../../../src/domain/automations/core/machine/automation.ts';
import type { Effect, Reaction } from '../../../../src/domain/automations/core/machine/effects.ts';
import type { Input, ProfileChange, RunInput } from '../../../../src/domain/automations/core/machine/input.ts';
import type { Run, State } from '../../../../src/domain/automations/core/machine/run.ts';
import { settle } from '../../../../src/domain/automations/core/machine/settle.ts';
import type { TimelineEntry } from '../../../../src/domain/automations/core/machine/timeline.ts';
import { World } from '../../../../src/domain/automations/core/simulation/world.ts';
import type { CustomerEvent, JsonObject, Profile } from '../../../../src/domain/conditions/subject.ts';
import { durationMs } from '../../../../src/domain/time/duration.ts';

/** A Monday. */
export const START = Temporal.Instant.from('2026-03-02T10:00:00Z').epochMilliseconds;

/** What is committed and has to be read, with the automation as it was then. */
type Committed = News & { customer: string; automation: Automation };
type News = { type: 'event'; event: CustomerEvent } | { type: 'change'; change: ProfileChange };

interface Customer {
  world: World;
  state: State;
  ids: number;
}

interface Options {
  /** Of every customer. */
  attributes?: JsonObject;
  identifiers?: JsonObject;
  /** Whether what is recorded is read, and what is due taken, only when the test says so. */
  manual?: boolean;
  /** Whether all that is sent is delivered at once; else tests say what becomes of it. */
  delivers?: boolean;
  /** Whether whoever decides something dies before it is written, each time, and another does it again. */
  crashes?: boolean;
}

/**
 * A store with one automation, in memory: what is recorded is committed at once, read in that order, and runs are taken
 * when they are due, as the service does it with a database.
 */
export class Shop {
  now = START;
  readonly runs = new Map<string, Run>();
  readonly timeline: TimelineEntry[] = [];
  readonly effects: (Effect & { at: number })[] = [];
  readonly #options: Options;
  readonly #customers = new Map<string, Customer>();
  readonly #log: Committed[] = [];
  readonly #deliveries: Extract<RunInput, { type: 'delivery' | 'message' }>[] = [];
  #read = 0;
  #automation: Automation = { id: 'automation', status: 'draft', version: null, versions: new Map() };

  constructor(definition: Definition, options: Options = {}) {
    this.#options = options;
    this.publish(definition);
  }

  publish(definition: Definition, inFlight: InFlight = 'keep'): void {
    const number = (this.#automation.version ?? 0) + 1;
    const versions = new Map([...this.#automation.versions, [number, { number, definition, inFlight }]]);
    this.#automation = { ...this.#automation, status: 'live', version: number, versions };
  }

  set status(status: AutomationStatus) {
    this.#automation = { ...this.#automation, status };
  }

  get automation(): Automation {
    return this.#automation;
  }

  resume(overdue: 'run' | 'exit', spread = 'PT0S'): void {
    const resumed = { at: this.now, overdue, spreadMs: durationMs(spread) };
    this.#automation = { ...this.#automation, status: 'live', resumed };
  }

  /** Records an event, by default one that happens now. `ago` is a duration. */
  record(
    eventType: string,
    properties: JsonObject = {},
    {
      customer = 'ada',
      ago = 'PT0S',
      ...more
    }: { customer?: string; ago?: string; backfill?: boolean; depth?: number } = {},
  ): CustomerEvent {
    const id = `${customer} event ${String(this.#nextId(customer)).padStart(6, '0')}`;
    const occurredAt = this.now - durationMs(ago);
    const event = { id, eventType, properties, occurredAt, receivedAt: this.now, backfill: false, depth: 0, ...more };
    this.customer(customer).world.record(event);
    this.#commit({ type: 'event', event }, customer);
    return event;
  }

  /** Changes attributes; null removes one. */
  set(attributes: JsonObject, { customer = 'ada', depth = 0 } = {}): void {
    const about = { id: `${customer} change ${this.#nextId(customer)}`, at: this.now, depth };
    const change = this.customer(customer).world.change(attributes, [], about);
    if (change) this.#commit({ type: 'change', change }, customer);
  }

  /** Time passes, and every run is taken when it is due. */
  pass(duration: string): void {
    const end = this.now + durationMs(duration);
    for (;;) {
      const next = Math.min(...this.active().map(({ dueAt }) => dueAt ?? Number.POSITIVE_INFINITY));
      if (next > end || this.#options.manual || !this.#takesSteps()) break;
      this.now = Math.max(this.now, next);
      this.settle();
    }
    this.now = end;
  }

  /** Reads all that is committed and takes all that is due, until nothing is left to do now. */
  settle(): void {
    do this.read();
    while (this.takeDue(1) > 0 || this.#read < this.#log.length || this.#deliver());
  }

  /** Reads what has been committed; at most so many entries. */
  read(most = Number.POSITIVE_INFINITY): void {
    for (let i = 0; i < most && this.#read < this.#log.length; i += 1) {
      const { customer, automation, ...input } = this.#log[this.#read] as Committed;
      this.#read += 1;
      this.tell(customer, { ...input, runId: this.#newRunId(customer) }, automation);
    }
  }

  /** Takes the runs that are due, at most so many; returns how many. */
  takeDue(most = Number.POSITIVE_INFINITY): number {
    if (!this.#takesSteps()) return 0;
    const due = this.active()
      .filter(({ dueAt }) => dueAt !== null && dueAt <= this.now)
      .slice(0, most);
    for (const { id, profileId } of due) this.tell(profileId, { type: 'due', runId: id });
    return due.length;
  }

  tellRun(input: RunInput): Reaction {
    const { profileId } = this.runs.get(input.runId) as Run;
    return this.tell(profileId, input);
  }

  enrol(key: string, properties: JsonObject = {}, customer = 'ada'): void {
    this.tell(customer, { type: 'enrol', key, properties, at: this.now, runId: this.#newRunId(customer) });
    if (!this.#options.manual) this.settle();
  }

  tell(customer: string, input: Input, automation = this.#automation): Reaction {
    const found = this.customer(customer);
    const loaded = 'runId' in input ? this.runs.get(input.runId) : undefined;
    if (loaded?.status === 'failed') found.state = { ...found.state, runs: [...found.state.runs, loaded] };
    const decide = () => settle(found.state, input, { now: this.now, automation }, found.world);
    if (this.#options.crashes) decide();
    const reaction = decide();
    // What is stored and read again is the same.
    found.state = JSON.parse(JSON.stringify(reaction.state));
    for (const run of reaction.runs) this.runs.set(run.id, run);
    this.timeline.push(...reaction.timeline);
    for (const effect of reaction.effects) {
      this.effects.push({ ...effect, at: this.now });
      for (const happening of found.world.carryOut(effect, this.now)) {
        if (happening.type === 'event' || happening.type === 'change') this.#append(happening, customer);
        else if (this.#options.delivers) this.#deliveries.push(happening);
      }
    }
    return reaction;
  }

  customer(id: string): Customer {
    let customer = this.#customers.get(id);
    if (!customer) {
      const { attributes = {}, identifiers = { email: `${id}@example.com` } } = this.#options;
      const profile: Profile = { id, identifiers, attributes };
      customer = { world: new World(profile, []), state: { profileId: id, enrolments: [], runs: [] }, ids: 0 };
      this.#customers.set(id, customer);
    }
    return customer;
  }

  active(): Run[] {
    return [...this.runs.values()].filter(({ status }) => status === 'active');
  }

  onlyActive(): Run {
    const [run, ...others] = this.active();
    if (!run || others.length > 0) throw new Error('There is not exactly one active run');
    return run;
  }

  /** The outcomes of a customer's runs, one list per run. */
  outcomes(customer = 'ada'): string[][] {
    const runs = [...this.runs.values()].filter(({ profileId }) => profileId === customer);
    return runs.map(({ id }) => this.timeline.filter(({ runId }) => runId === id).map(({ outcome }) => outcome));
  }

  reasons(customer = 'ada'): (string | null)[] {
    return [...this.runs.values()].filter(({ profileId }) => profileId === customer).map(({ reason }) => reason);
  }

  skips(): Extract<Effect, { type: 'skip' }>[] {
    return this.effects.filter((effect) => effect.type === 'skip');
  }

  attributes(customer = 'ada'): JsonObject {
    return this.customer(customer).world.profile().attributes;
  }

  #commit(news: News, customer: string): void {
    this.#append(news, customer);
    if (!this.#options.manual) this.settle();
  }

  #append(news: News, customer: string): void {
    this.#log.push({ ...news, customer, automation: this.#automation });
  }

  #takesSteps(): boolean {
    return this.#automation.status === 'live' || this.#automation.status === 'draining';
  }

  /** Whether there was something to deliver. */
  #deliver(): boolean {
    const delivery = this.#deliveries.shift();
    if (delivery) this.tellRun(delivery);
    return delivery !== undefined;
  }

  #newRunId(customer: string): string {
    return `${customer} run ${this.#nextId(customer)}`;
  }

  /** Each customer has ids of their own, whoever else does something. */
  #nextId(customer: string): number {
    const found = this.customer(customer);
    found.ids += 1;
    return found.ids;
  }
}
