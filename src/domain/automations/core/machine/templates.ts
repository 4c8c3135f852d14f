import { lookUp } from '../conditions/lookup.ts';
import type { Profile } from '../conditions/subject.ts';
import { isLiteral, isReference, referencePath } from '../definition/references.ts';
import type { Template } from '../definition/steps.ts';
import { iso } from '../time/local.ts';
import type { Run } from './run.ts';

/** What references of a run lead to. */
export interface Sources {
  event: Record<string, unknown>;
  profile: Record<string, unknown>;
  run: Record<string, unknown>;
}

export function sourcesOf({ captured, id, key }: Run, profile: Profile): Sources {
  const { event, properties } = captured;
  return {
    event: { id: event?.id, event_type: event?.eventType, occurred_at: event && iso(event.occurredAt), properties },
    profile: { id: profile.id, identifiers: profile.identifiers, attributes: profile.attributes },
    run: { id, key },
  };
}

/** Puts the values in place of the references; null where there is none. */
export function fill(members: Readonly<Record<string, Template>>, sources: Sources): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).map(([name, template]) => [name, fillIn(template, sources)]));
}

function fillIn(template: Template, sources: Sources): unknown {
  if (isReference(template)) return lookUp(sources, referencePath(template)) ?? null;
  if (isLiteral(template)) return template.literal;
  if (Array.isArray(template)) return template.map((item) => fillIn(item, sources));
  if (typeof template !== 'object' || template === null) return template;
  return fill(template as Record<string, Template>, sources);
}
