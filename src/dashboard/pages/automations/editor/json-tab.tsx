import { useState } from 'react';
import { SourceInput } from '../../../components/source-input.tsx';
import { reviveMissing } from '../../../components/values.ts';
import type { AutomationDefinition } from '../../../definitions.ts';
import { textOf } from '../canonical.ts';
import { placeOf, placesIn } from './json-places.ts';
import type { Draft } from './use-draft.ts';

/** The definition as text, with its problems at their lines. `onWrong` is told whether the text is no definition. */
export function JsonTab({ draft, onWrong }: { draft: Draft; onWrong: (isWrong: boolean) => void }) {
  const [text, setText] = useState(() => textOf(draft.definition));
  const [shown, setShown] = useState(draft.definition);
  const [problem, setProblem] = useState<string>();

  // Saved by somebody else, say: what was typed here is told at once, and is the same.
  if (shown !== draft.definition && problem === undefined) {
    setShown(draft.definition);
    if (textOf(draft.definition) !== textOf(shown)) setText(textOf(draft.definition));
  }

  const type = (typed: string) => {
    setText(typed);
    const { definition, message } = read(typed);
    setProblem(message);
    onWrong(message !== undefined);
    if (!definition) return;
    setShown(definition);
    draft.change(definition);
  };
  const places = problem === undefined ? placesIn(text) : new Map<string, number>();
  return (
    <SourceInput
      label="Definition as JSON"
      value={text}
      onChange={type}
      error={problem}
      problems={
        problem === undefined
          ? draft.problems.map(({ field, message }) => ({ message, offset: placeOf(places, field ?? '') }))
          : []
      }
    />
  );
}

/** What the forms need is checked here, everything else by the service when it is saved. */
function read(text: string): { definition?: AutomationDefinition; message?: string } {
  let value: unknown;
  try {
    value = JSON.parse(text, reviveMissing);
  } catch (error) {
    return { message: `This is not JSON: ${(error as Error).message}` };
  }
  const isDefinition = (of: unknown): of is AutomationDefinition => {
    if (of === null || typeof of !== 'object' || !('steps' in of) || !('trigger' in of)) return false;
    return Array.isArray(of.steps) && of.trigger !== null && typeof of.trigger === 'object';
  };
  return isDefinition(value) ? { definition: value } : { message: 'A definition has a trigger and steps' };
}
