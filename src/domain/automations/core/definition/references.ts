import type { Path } from '../../../conditions/tree.ts';
import { readShortText } from '../../../templates/core/short-text.ts';
import { type Computation, isComputed, operandsOf } from './computations.ts';
import { itemCases, type Reference, type Step, type Template } from './steps.ts';

/** A text with Liquid in a step, and its place within it. */
export interface PlacedText {
  text: string;
  at: Path;
}

/** The values that a step names: each of a reference or a text with Liquid, and its place within the step. */
export function referencesOf(step: Step): { path: string[]; at: Path; isOfText: boolean; isDotted?: boolean }[] {
  const ofValues = valuesOf(step).flatMap(({ value, at }) =>
    isReference(value)
      ? [{ path: referencePath(value), at: [...at, 'from'], isOfText: false, isDotted: typeof value.from === 'string' }]
      : [],
  );
  const ofTexts = liquidOf(step).flatMap(({ text, at }) =>
    readShortText(text).reads.map((path) => ({ path: [...path], at, isOfText: true })),
  );
  return [...ofValues, ...ofTexts];
}

/** The texts with Liquid of a step. */
export function liquidOf(step: Step): PlacedText[] {
  const ofValues = valuesOf(step).flatMap(({ value, at }) =>
    isLiquid(value) && typeof value.liquid === 'string' ? [{ text: value.liquid, at: [...at, 'liquid'] }] : [],
  );
  if (step.type !== 'call_webhook') return ofValues;
  const { path, headers = {}, body } = step;
  return [
    ...(path === undefined ? [] : [{ text: path, at: ['path'] }]),
    ...Object.entries(headers).map(([name, text]) => ({ text, at: ['headers', name] })),
    ...(body && 'text' in body ? [{ text: body.text, at: ['body', 'text'] }] : []),
    ...ofValues,
  ];
}

/** The texts in a step's templates that stay as they are, and their places within the step. */
export function textsOf(step: Step): PlacedText[] {
  return valuesOf(step).flatMap(({ value, at }) => (typeof value === 'string' ? [{ text: value, at }] : []));
}

/** What a step calls something: names are not filled in. */
export function namesOf(step: Step): PlacedText[] {
  const members = (of: object | undefined, at: string): PlacedText[] =>
    Object.keys(of ?? {}).map((name) => ({ text: name, at: [at, name] }));
  switch (step.type) {
    case 'set_profile':
      return [...members(step.set, 'set'), ...(step.unset ?? []).map((text, i) => ({ text, at: ['unset', i] }))];
    case 'emit_event':
      return [{ text: step.event_type, at: ['event_type'] }, ...members(step.properties, 'properties')];
    case 'send_webhook':
      return [{ text: step.message_type, at: ['message_type'] }, ...members(step.data, 'data')];
    case 'send_email':
    case 'send_sms':
      return members(step.data, 'data');
    case 'exit':
      return step.reason === undefined ? [] : [{ text: step.reason, at: ['reason'] }];
    default:
      return [];
  }
}

/** The places of texts with Liquid that are none, in a draft. */
export function placesWithoutText(step: Step): Path[] {
  return valuesOf(step).flatMap(({ value, at }) =>
    isLiquid(value) && typeof value.liquid !== 'string' ? [[...at, 'liquid']] : [],
  );
}

/** The values of a step that are computed. */
export function computationsOf(step: Step): { computation: Computation; at: Path }[] {
  return valuesOf(step).flatMap(({ value, at }) => (isComputed(value) ? [{ computation: value, at }] : []));
}

/** What a step's templates are made of, but for what is said to be literal. */
function valuesOf(step: Step): TemplateValue[] {
  switch (step.type) {
    case 'delay':
      return step.until_date ? [...valuesIn({ date: step.until_date.date }, ['until_date'])] : [];
    case 'wait':
      return itemCases(step).flatMap(({ index, asked: { item } }) =>
        item ? [...valuesIn({ item }, ['for', index])] : [],
      );
    case 'set_profile':
      return [...valuesIn(step.set ?? {}, ['set'])];
    case 'emit_event':
      return [...valuesIn(step.properties ?? {}, ['properties'])];
    case 'send_webhook':
    case 'send_email':
    case 'send_sms':
      return [...valuesIn(step.data ?? {}, ['data'])];
    case 'call_webhook': {
      const { body } = step;
      if (!body || 'text' in body) return [];
      return 'json' in body ? [...valuesIn(body.json, ['body', 'json'])] : [...valuesIn(body.form, ['body', 'form'])];
    }
    default:
      return [];
  }
}

export function isReference(template: Template): template is Reference {
  return hasOnly(template, 'from');
}

export function isLiteral(template: Template): template is { literal: unknown } {
  return hasOnly(template, 'literal');
}

/** A text that is made when the step is taken. */
export function isLiquid(template: Template): template is { liquid: unknown } {
  return hasOnly(template, 'liquid');
}

/** `event.properties.cart_id`, or a list where a name contains a dot; empty if a draft has neither there. */
export function referencePath({ from }: { from: unknown }): string[] {
  if (typeof from === 'string') return from.split('.');
  return Array.isArray(from) && from.every((name) => typeof name === 'string') ? [...from] : [];
}

interface TemplateValue {
  /** A reference, a text with Liquid, a computation, or neither an object nor a list. */
  value: Template;
  at: Path;
}

/** At the top it is names that the step gives, so an object there is never a reference itself. */
function* valuesIn(members: object, at: Path): Generator<TemplateValue> {
  for (const [name, value] of Object.entries(members)) yield* valuesBelow(value, [...at, name]);
}

function* valuesBelow(value: Template, at: Path): Generator<TemplateValue> {
  if (isLiteral(value)) return;
  if (isComputed(value)) {
    yield { value, at };
    for (const { operand, path } of operandsOf(value)) yield* valuesBelow(operand, [...at, ...path]);
  } else if (isReference(value) || isLiquid(value) || typeof value !== 'object' || value === null) yield { value, at };
  else if (Array.isArray(value)) for (const [i, item] of value.entries()) yield* valuesBelow(item, [...at, i]);
  else yield* valuesIn(value, at);
}

function hasOnly(template: Template, name: string): boolean {
  if (typeof template !== 'object' || template === null || Array.isArray(template)) return false;
  const keys = Object.keys(template);
  return keys.length === 1 && keys[0] === name;
}
