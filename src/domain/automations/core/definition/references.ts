import type { Path } from '../../../conditions/tree.ts';
import type { Reference, Step, Template } from './steps.ts';

/** The references in a step's templates: what each names, and its place within the step. */
export function referencesOf(step: Step): { path: string[]; at: Path }[] {
  switch (step.type) {
    case 'set_profile':
      return [...referencesIn(step.set ?? {}, ['set'])];
    case 'emit_event':
      return [...referencesIn(step.properties ?? {}, ['properties'])];
    case 'send_webhook':
    case 'send_email':
    case 'send_sms':
      return [...referencesIn(step.data ?? {}, ['data'])];
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

/** At the top it is names that the step gives, so an object there is never a reference itself. */
function* referencesIn(members: object, at: Path): Generator<{ path: string[]; at: Path }> {
  for (const [name, value] of Object.entries(members)) yield* referencesBelow(value, [...at, name]);
}

function* referencesBelow(template: Template, at: Path): Generator<{ path: string[]; at: Path }> {
  if (isReference(template)) {
    yield { path: referencePath(template), at: [...at, 'from'] };
  } else if (Array.isArray(template)) {
    for (const [i, item] of template.entries()) yield* referencesBelow(item, [...at, i]);
  } else if (typeof template === 'object' && template !== null && !isLiteral(template)) {
    yield* referencesIn(template, at);
  }
}

function hasOnly(template: Template, name: string): boolean {
  if (typeof template !== 'object' || template === null || Array.isArray(template)) return false;
  const keys = Object.keys(template);
  return keys.length === 1 && keys[0] === name;
}
