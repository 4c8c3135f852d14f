import type { SegmentDefinition, SegmentWindow } from '../../definitions.ts';
import { spanParts } from './window-words.ts';

/** Whether everything is filled in, so that a definition is worth trying; of JSON that is none, the service says it. */
export function isComplete(definition: SegmentDefinition): boolean {
  try {
    if ('not' in definition) return isComplete(definition.not);
    if ('all' in definition) return definition.all.every(isComplete);
    if ('any' in definition) return definition.any.every(isComplete);
    if ('attribute' in definition) return definition.attribute.name !== '' && hasValue(definition.attribute);
    if ('profile' in definition) return isWindowComplete(definition.profile.window);
    if ('list' in definition) return definition.list !== '';
    if ('segment' in definition) return definition.segment !== '';
    if (!('event' in definition)) return true;
    const { type, where = [], property, window } = definition.event;
    const hasNames = type !== '' && property !== '' && where.every((one) => one.property !== '' && hasValue(one));
    return hasNames && hasValue(definition.event) && (window === undefined || isWindowComplete(window));
  } catch {
    return true;
  }
}

function hasValue({ value }: { value?: unknown }): boolean {
  return Array.isArray(value) ? value.length > 0 : !Number.isNaN(value);
}

function isWindowComplete(window: SegmentWindow): boolean {
  if ('from' in window) return window.from !== '';
  const spans = 'ago' in window ? [window.ago.min, window.ago.max] : [window.last];
  return spans.every((span) => spanParts(span)?.number !== '');
}
