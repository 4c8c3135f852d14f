import { IDENTIFIERS } from '../../../conditions/condition.ts';
import type { Path } from '../../../conditions/tree.ts';
import { readShortText } from '../../../templates/core/short-text.ts';
import { type Definition, hasProperties } from '../definition/definition.ts';
import { liquidOf, namesOf, placesWithoutText, referencesOf, textsOf } from '../definition/references.ts';
import type { DefinitionReport } from './limits.ts';

/** What references may lead to: fixed names, or the names of free-form data below one. */
const EVENT_FIELDS = ['id', 'event_type', 'occurred_at'];
const RUN_FIELDS = ['id', 'key'];
const COUPON_FIELDS = ['code', 'pool_id', 'expires_at'];
const SOURCES =
  'event.properties.…, event.id, event.event_type, event.occurred_at, profile.id, profile.identifiers.…, ' +
  'profile.attributes.…, coupon.code, coupon.pool_id, coupon.expires_at, steps.…, run.id or run.key';

/** What is filled in within texts of messages, and would stay as it is here. */
const LIQUID = /\{\{.*\}\}|\{%.*%\}/s;
const NO_LIQUID =
  'must not have {{ }} or {% %}, in place of which nothing is filled in here: a value is a reference such as ' +
  '{"from": "profile.attributes.first_name"}, a text with values is {"liquid": "…"}, and {"literal": "…"} is one as it is';

const NO_LIQUID_IN_NAMES = 'must not have {{ }} or {% %}, in place of which nothing is filled in here';

/** What others write for an item of a list; a name that looks like it stands in a list of names. */
const ITEM = /^\*$|\[(?:\d*|\*)\]$/;
const NO_ITEM =
  'must name an item of a list by its place, such as event.properties.items.0.title; a name that has brackets or is * ' +
  'stands in a list of names, such as ["event", "properties", "a[0]"]';

export function checkReferences({ trigger, steps }: Definition, report: DefinitionReport): void {
  const hasCoupon = steps.some(({ type }) => type === 'assign_coupon');
  for (const [i, step] of steps.entries()) {
    for (const at of placesWithoutText(step)) report.add(['steps', i, ...at], 'must be a text');
    for (const { text, at } of liquidOf(step)) {
      for (const problem of readShortText(text).problems) report.add(['steps', i, ...at], problem);
    }
    for (const { text, at } of namesOf(step))
      if (LIQUID.test(text)) report.add(['steps', i, ...at], NO_LIQUID_IN_NAMES);
    for (const { path, at, isOfText, isDotted } of referencesOf(step)) {
      if (isDotted && path.some((name) => ITEM.test(name))) report.add(['steps', i, ...at], NO_ITEM);
      if (path[0] === 'steps') continue;
      // What a delay or a wait may name is less, and has been looked at with its step.
      if ((step.type === 'delay' || step.type === 'wait') && !isKnown(path)) continue;
      checkReference(isOfText ? shortened(path) : path, ['steps', i, ...at], trigger, report);
      if (path[0] === 'coupon' && !hasCoupon) report.add(['steps', i, ...at], 'needs a step assign_coupon before it');
    }
    for (const { text, at } of textsOf(step)) if (LIQUID.test(text)) report.add(['steps', i, ...at], NO_LIQUID);
  }
}

/** Texts may name all of what is free-form, and the size of a list or a text. */
function shortened(path: readonly string[]): readonly string[] {
  const [source, field = ''] = path;
  const isWhole = path.length === 2 && ['event.properties', 'profile.attributes'].includes(`${source}.${field}`);
  if (isWhole) return [...path, field];
  return path.length > 2 && ['size', 'first', 'last'].includes(path.at(-1) ?? '') && !isKnown(path)
    ? path.slice(0, -1)
    : path;
}

function checkReference(path: readonly string[], at: Path, trigger: Definition['trigger'], report: DefinitionReport) {
  if (!isKnown(path)) report.add(at, `must be one of ${SOURCES}`);
  else if (path[0] === 'event' && !hasProperties(trigger)) {
    report.add(at, 'must not be of an event: none triggers this automation');
  } else if (path[0] === 'event' && path[1] !== 'properties' && trigger.type !== 'event') {
    report.add(at, 'must be a property: no event triggers this automation');
  }
}

function isKnown(path: readonly string[]): boolean {
  const [source, field = '', ...rest] = path;
  if (path.includes('')) return false;
  switch (source) {
    case 'event':
      return field === 'properties' ? rest.length > 0 : EVENT_FIELDS.includes(field) && rest.length === 0;
    case 'profile':
      if (field === 'identifiers') return rest.length === 1 && IDENTIFIERS.some((kind) => kind === rest[0]);
      return field === 'attributes' ? rest.length > 0 : field === 'id' && rest.length === 0;
    case 'coupon':
      return COUPON_FIELDS.includes(field) && rest.length === 0;
    case 'now':
      return field === '';
    case 'run':
      return RUN_FIELDS.includes(field) && rest.length === 0;
    default:
      return false;
  }
}
