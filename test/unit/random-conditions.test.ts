import { expect } from 'chai';
import { inTodaysForm } from '../../src/domain/conditions/former.ts';
import { Random, randomDays, randomDefinition, randomOfHistory } from '../segments/support/random.ts';
import { specDocument } from '../support/spec-documents.ts';

/** What segments have nothing of: it is for automations. */
const NOT_OF_SEGMENTS = [
  'ItemFact',
  'ResultConditionInput',
  'ItemConditionInput',
  'DidInput.since',
  'FormerEvent',
  'FormerAttribute',
];
/** What is one thing for the evaluator whatever it is, or is tried by names of its own. */
const NOT_DRAWN = ['BetweenWindowInput', 'ComparisonValue'];

const { schemas } = specDocument('native').components;

type Schema = any;

/** The schema itself, with its name. */
function resolved(schema: Schema, name: string): { schema: Schema; name: string } {
  if (!schema.$ref) return { schema, name };
  const target = schema.$ref.split('/').at(-1) as string;
  return resolved(schemas[target], target);
}

/** Each member that conditions may have, and each word of those that have a choice: `DidInput.sum`, `ComparisonOperator eq`. */
function partsOf(given: Schema, of: string, seen = new Set<unknown>(), parts = new Set<string>()): Set<string> {
  const { schema, name } = resolved(given, of);
  if (seen.has(schema) || schema.deprecated) return parts;
  seen.add(schema);
  for (const one of schema.enum ?? []) parts.add(`${name} ${one}`);
  for (const one of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) {
    partsOf(one, name, seen, parts);
  }
  if (schema.items) partsOf(schema.items, name, seen, parts);
  for (const [member, one] of Object.entries(schema.properties ?? {})) {
    parts.add(`${name}.${member}`);
    partsOf(one, `${name}.${member}`, seen, parts);
  }
  return parts;
}

/** Which of them a value has. */
function note(value: unknown, given: Schema, of: string, parts: Set<string>): void {
  const { schema, name } = resolved(given, of);
  if (schema.enum?.includes(value)) parts.add(`${name} ${value}`);
  for (const one of schema.allOf ?? []) note(value, one, name, parts);
  for (const one of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])])
    if (fits(value, one)) note(value, one, name, parts);
  if (Array.isArray(value)) {
    if (schema.items) for (const item of value) note(item, schema.items, name, parts);
  } else if (typeof value === 'object' && value !== null) {
    for (const [member, own] of Object.entries(value)) {
      if (!schema.properties?.[member]) continue;
      parts.add(`${name}.${member}`);
      note(own, schema.properties[member], `${name}.${member}`, parts);
    }
  }
}

function fits(value: unknown, given: Schema): boolean {
  const { schema } = resolved(given, '');
  if (!schema.properties) return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.keys(value).every((member) => member in schema.properties);
}

describe('The conditions by which the evaluator of segments is tried', () => {
  it('have every kind, member and operator of the spec', () => {
    const random = new Random(1);
    const window = () =>
      random.of([{ last: 'P1D', calendar: true, time_zone: 'UTC' }, { ago: { min: 'P1D', max: 'P2D' } }]);
    const wanted = [...partsOf(schemas.ConditionInput, 'ConditionInput')].filter(
      (part) => ![...NOT_OF_SEGMENTS, ...NOT_DRAWN].some((left) => part.startsWith(left)),
    );
    const found = new Set<string>();
    for (let n = 0; n < 6_000; n += 1) {
      const condition = random.of([
        () => inTodaysForm(randomDefinition(random, { lists: ['l'], segments: ['s'], window })),
        () => inTodaysForm(randomOfHistory(random, window)),
        () => ({ date: { attribute: 'born', ...randomDays(random, true) } }),
      ])();
      note(condition, schemas.ConditionInput, 'ConditionInput', found);
    }
    expect(wanted).to.have.length.above(100);
    expect(wanted.filter((part) => !found.has(part))).to.deep.equal([]);
  });
});
