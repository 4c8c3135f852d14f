import { Anchor, List, Stack, Text, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { reviveMissing } from '../../../components/values.ts';
import type { AutomationDefinition } from '../../../definitions.ts';
import { textOf } from '../canonical.ts';
import { lineAt, placeOf, placesIn } from './json-places.ts';
import classes from './json-tab.module.css';
import type { Draft } from './use-draft.ts';

/** The definition as text, with its problems at their lines. `onWrong` is told whether the text is no definition. */
export function JsonTab({ draft, onWrong }: { draft: Draft; onWrong: (isWrong: boolean) => void }) {
  const [text, setText] = useState(() => textOf(draft.definition));
  const [shown, setShown] = useState(draft.definition);
  const [problem, setProblem] = useState<string>();
  const area = useRef<HTMLTextAreaElement>(null);

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
  const goTo = (offset: number) => {
    area.current?.focus();
    area.current?.setSelectionRange(offset, offset);
  };

  const places = problem === undefined ? placesIn(text) : new Map<string, number>();
  return (
    <Stack>
      <Textarea
        ref={area}
        label="Definition as JSON"
        value={text}
        onChange={({ currentTarget }) => type(currentTarget.value)}
        error={problem}
        autosize
        minRows={16}
        maxRows={34}
        spellCheck={false}
        classNames={{ input: classes.text }}
      />
      {problem === undefined && draft.problems.length > 0 && (
        <>
          <Text size="sm" fw={600}>
            Problems at their lines
          </Text>
          <List size="sm" aria-label="Problems at their lines">
            {draft.problems.map(({ field, message }) => {
              const offset = placeOf(places, field ?? '');
              return (
                <List.Item key={`${field} ${message}`}>
                  <Anchor component="button" type="button" inherit underline="always" onClick={() => goTo(offset)}>
                    Line {lineAt(text, offset)}
                  </Anchor>
                  : {message}
                </List.Item>
              );
            })}
          </List>
        </>
      )}
    </Stack>
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
