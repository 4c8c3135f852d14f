import type { Condition, ConditionWindow, Did } from '../../definitions.ts';
import { testsOf, windowOf } from './did.ts';
import { spanParts } from './window-words.ts';

/** Whether everything is filled in, so that a definition is worth trying; of JSON that is none, the service says it. */
export function isComplete(definition: Condition): boolean {
  try {
    if ('not' in definition) return isComplete(definition.not);
    if ('all' in definition) return definition.all.every(isComplete);
    if ('any' in definition) return definition.any.every(isComplete);
    if ('attribute' in definition) return definition.attribute.length > 0 && hasValue(definition);
    if ('profile' in definition) return isWindowComplete(definition.profile.window);
    if ('list' in definition) return definition.list !== '';
    if ('segment' in definition) return definition.segment !== '';
    return 'did' in definition ? isDidComplete(definition.did) : true;
  } catch {
    return true;
  }
}

function isDidComplete(did: Did): boolean {
  const { event_type, count, sum } = did;
  const window = windowOf(did);
  const tests = testsOf(did) ?? [];
  const hasNames = event_type !== '' && sum?.property !== '' && tests.every(({ property }) => property !== '');
  const hasValues = [...tests, sum ?? count ?? {}].every(hasValue);
  return hasNames && hasValues && (window === undefined || isWindowComplete(window));
}

function hasValue({ value }: { value?: unknown }): boolean {
  return Array.isArray(value) ? value.length > 0 : !Number.isNaN(value);
}

function isWindowComplete(window: ConditionWindow): boolean {
  if ('from' in window) return window.from !== '';
  const spans = 'ago' in window ? [window.ago.min, window.ago.max] : [window.last];
  return spans.every((span) => spanParts(span)?.number !== '');
}
