import { eventsAsked } from '../../../conditions/asked.ts';
import type { Audience } from '../../../conditions/audience.ts';
import type { Name } from '../../../conditions/comparison.ts';
import type { Channel, Condition, Leaf } from '../../../conditions/condition.ts';
import { leavesOf } from '../../../conditions/tree.ts';
import { conditionsOf, matchesOf } from './conditions-of.ts';
import type { Definition } from './definition.ts';
import { referencePath, referencesOf } from './references.ts';
import { type DelayStep, isMessageStep, itemCases, type Step } from './steps.ts';

/** The types of event that start a run, wake it or end it: no other event concerns the automation. */
export function eventTypesOf(definition: Definition): Set<string> {
  return triggerTypesOf(definition).union(wakingTypesOf(definition));
}

/** The type of event that starts a run, if any does. */
export function triggerTypesOf({ trigger }: Definition): Set<string> {
  return new Set(trigger.type === 'event' ? [trigger.event_type] : []);
}

/** The types of event that wake a run or end it. */
export function wakingTypesOf(definition: Definition): Set<string> {
  return new Set(matchesOf(definition).map(({ match }) => match.event_type));
}

/** The type of event that is the goal of its runs, also of those that have ended. */
export function goalTypesOf({ goal }: Definition): Set<string> {
  return new Set(goal ? [goal.event_type] : []);
}

/** The types of event that a run may look at: those, and what customers may have done before. */
export function historyTypesOf(definition: Definition): Set<string> {
  const asked = conditionsOf(definition).flatMap(({ condition }) => eventsAsked(condition));
  return new Set([...eventTypesOf(definition), ...asked.map(({ event_type }) => event_type)]);
}

/** The id of the segment whose changes start a run; null if none do. */
export function segmentOf({ trigger }: Definition): string | null {
  return trigger.type === 'segment_entry' || trigger.type === 'segment_exit' ? trigger.segment.toLowerCase() : null;
}

/** The id of the list whose changes start a run; null if none do. */
export function triggerListOf({ trigger }: Definition): string | null {
  return trigger.type === 'list_joined' || trigger.type === 'list_left' ? trigger.list.toLowerCase() : null;
}

/** Whose members a schedule starts; undefined where there is no schedule, or neither list nor segment is chosen. */
export function scheduledAudience({ trigger }: Definition): Audience | undefined {
  if (trigger.type !== 'schedule') return undefined;
  const { list, segment } = trigger;
  if (list !== undefined) return { kind: 'list', id: list.toLowerCase() };
  return segment === undefined ? undefined : { kind: 'segment', id: segment.toLowerCase() };
}

/** The channel for which choices start a run; null if none do. */
export function triggerChannelOf({ trigger }: Definition): Channel | null {
  return trigger.type === 'consent_given' || trigger.type === 'consent_withdrawn' ? trigger.channel : null;
}

/** The attributes whose changes start a run, wake it or move its date. */
export function watchedAttributes(definition: Definition): Set<string> {
  const { trigger, time_zone, steps } = definition;
  const names: Name[] = [];
  if (trigger.type === 'profile_change' || trigger.type === 'date') names.push(trigger.attribute);
  if (trigger.type === 'date' && time_zone?.attribute !== undefined) names.push(time_zone.attribute);
  for (const step of steps) {
    if (step.type === 'delay') names.push(...attributesOfDelay(step, definition));
    if (step.type !== 'wait') continue;
    for (const one of step.for) if ('when' in one) names.push(...namesIn(one.when, 'attribute'));
  }
  return new Set(names.map((name) => toPath(name)[0] as string));
}

/** The attributes that say until when a step waits. */
export function attributesOfDelay({ until_date }: DelayStep, { time_zone }: Pick<Definition, 'time_zone'>): string[] {
  if (!until_date) return [];
  const [source, field, name] = referencePath(until_date.date);
  const zone = time_zone?.attribute === undefined ? [] : [toPath(time_zone.attribute)[0] as string];
  return source === 'profile' && field === 'attributes' && name !== undefined ? [name, ...zone] : zone;
}

/** The ids of the steps in which runs may wait for items of the catalog. */
export function stepsAwaitingItems({ steps }: Definition): string[] {
  return steps.flatMap((step) => (step.type === 'wait' && itemCases(step).length > 0 ? [step.id] : []));
}

/** Whether a run may wait for an identifier of the profile or for consent: of both is only known that they changed. */
export function waitsForProfile({ steps }: Definition): boolean {
  const isOfProfile = (leaf: Leaf) => 'identifier' in leaf || 'consent' in leaf;
  return steps.some(
    (step) =>
      step.type === 'wait' &&
      step.for.some((one) => 'when' in one && [...leavesOf(one.when)].some(({ leaf }) => isOfProfile(leaf))),
  );
}

/** The paths of all properties of the triggering event that a run needs later; `[]` stands for all of them. */
export function capturedPaths(definition: Definition): string[][] {
  const found: Name[] = [];
  for (const { condition, scope } of conditionsOf(definition)) {
    if (scope === 'all') found.push(...namesIn(condition, 'property'));
  }
  for (const step of definition.steps) {
    if (readsWholeEvent(step)) found.push([]);
    for (const { path, isOfText } of referencesOf(step)) {
      if (path[0] === 'event' && path[1] === 'properties') found.push(keptPath(path.slice(2), isOfText));
    }
  }
  return distinct(found.map(toPath));
}

/** The paths of all that is read later of what came of a step: they begin with `status`, `answer` or `event`. */
export function resultPaths({ steps, ...definition }: Definition, stepId: string): string[][] {
  const ofConditions = conditionsOf({ ...definition, steps }).flatMap(({ condition }) =>
    [...leavesOf(condition)].flatMap(({ leaf }) => ('from' in leaf ? [referencePath(leaf)] : [])),
  );
  const ofValues = steps.flatMap((step) => referencesOf(step).map(({ path, isOfText }) => keptPath(path, isOfText)));
  const all = [...ofConditions, ...ofValues];
  return distinct(all.flatMap(([source, id, ...path]) => (source === 'steps' && id === stepId ? [path] : [])));
}

/** What texts read of all lists and texts, such as their size, is not kept beside them. */
function keptPath(path: readonly string[], isOfText: boolean): string[] {
  const end = isOfText ? path.findIndex((name, i) => i > 0 && OF_ALL.has(name)) : -1;
  return end < 0 ? [...path] : path.slice(0, end);
}

const OF_ALL: ReadonlySet<string> = new Set(['size', 'first', 'last']);

function distinct(paths: readonly string[][]): string[][] {
  return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()];
}

/** Templates are read only when a message is made, and may read all of it. */
function readsWholeEvent(step: Step): boolean {
  if (isMessageStep(step)) return true;
  return step.type === 'send_webhook' && (step.include ?? []).some((one) => one === 'event' || one === 'items');
}

export function toPath(name: Name): string[] {
  return typeof name === 'string' ? [name] : [...name];
}

function namesIn(condition: Condition, kind: 'attribute' | 'property'): Name[] {
  return [...leavesOf(condition)].flatMap(({ leaf }) => {
    const other = otherNames(leaf, kind);
    if (kind === 'attribute') return 'attribute' in leaf ? [leaf.attribute, ...other] : other;
    if ('items' in leaf) return [leaf.items.property];
    if ('date' in leaf) return leaf.date.property === undefined ? [] : [leaf.date.property];
    return 'property' in leaf ? [leaf.property, ...other] : other;
  });
}

/** Those that something is compared with. */
function otherNames(leaf: Leaf, kind: 'attribute' | 'property'): Name[] {
  const name = 'value_of' in leaf ? leaf.value_of?.[kind] : undefined;
  return name === undefined ? [] : [name];
}
