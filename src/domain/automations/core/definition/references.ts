import type { Path } from '../../../conditions/tree.ts';
import type { Reference, Step, Template } from './steps.ts';

/** The references in a step's templates: what each names, and its place within the step. */
export function referencesOf(step: Step): { path: string[]; at: Path }[] {
  return valuesOf(step).flatMap(({ value, at }) =>
    isReference(value) ? [{ path: referencePath(value), at: [...at, 'from'] }] : [],
  );
}

/** The texts in a step's templates that stay as they are, and their places within the step. */
export function textsOf(step: Step): { text: string; at: Path }[] {
  return valuesOf(step).flatMap(({ value, at }) => (typeof value === 'string' ? [{ text: value, at }] : []));
}

/** What a step's templates are made of, but for what is said to be literal. */
function valuesOf(step: Step): TemplateValue[] {
  switch (step.type) {
    case 'delay':
      return step.until_date ? [...valuesIn({ date: step.until_date.date }, ['until_date'])] : [];
    case 'set_profile':
      return [...valuesIn(step.set ?? {}, ['set'])];
    case 'emit_event':
      return [...valuesIn(step.properties ?? {}, ['properties'])];
    case 'send_webhook':
    case 'send_email':
    case 'send_sms':
      return [...valuesIn(step.data ?? {}, ['data'])];
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

/** `event.properties.cart_id`, or a list where a name contains a dot; empty if a draft has neither there. */
export function referencePath({ from }: { from: unknown }): string[] {
  if (typeof from === 'string') return from.split('.');
  return Array.isArray(from) && from.every((name) => typeof name === 'string') ? [...from] : [];
}

interface TemplateValue {
  /** A reference, or neither an object nor a list. */
  value: Template;
  at: Path;
}

/** At the top it is names that the step gives, so an object there is never a reference itself. */
function* valuesIn(members: object, at: Path): Generator<TemplateValue> {
  for (const [name, value] of Object.entries(members)) yield* valuesBelow(value, [...at, name]);
}

function* valuesBelow(value: Template, at: Path): Generator<TemplateValue> {
  if (isLiteral(value)) return;
  if (isReference(value) || typeof value !== 'object' || value === null) yield { value, at };
  else if (Array.isArray(value)) for (const [i, item] of value.entries()) yield* valuesBelow(item, [...at, i]);
  else yield* valuesIn(value, at);
}

function hasOnly(template: Template, name: string): boolean {
  if (typeof template !== 'object' || template === null || Array.isArray(template)) return false;
  const keys = Object.keys(template);
  return keys.length === 1 && keys[0] === name;
}
