import { canonicalName } from '../canonical/text.ts';

/** A type of event in its canonical form, and as it was written, by which older events may have it. */
export function spellingsOf(type: string): readonly string[] {
  const canonical = canonicalName(type);
  return canonical === type ? [type] : [canonical, type];
}
