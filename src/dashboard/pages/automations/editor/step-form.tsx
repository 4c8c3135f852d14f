import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { AutomationDefinition, AutomationStep } from '../../../definitions.ts';
import { possibleNext } from '../graph/edit.ts';
import { STEP_NAMES } from '../words/steps.ts';
import { StepFields } from './step-fields.tsx';

/** Letters that the id of a step is made of. */
const ID = /^[A-Za-z0-9_-]{1,64}$/;

const emailsOf = ({ steps }: AutomationDefinition) =>
  steps.flatMap(({ id, type }) => (type === 'send_email' ? [id] : []));

/** Changes one step; nothing of it holds before *Done*. */
export function StepForm({
  step,
  definition,
  onChange,
  onClose,
}: {
  step: AutomationStep;
  definition: AutomationDefinition;
  onChange: (step: AutomationStep) => void;
  onClose: () => void;
}) {
  const [changed, setChanged] = useState(step);
  const isTaken = changed.id !== step.id && definition.steps.some(({ id }) => id === changed.id);
  const wrong = isTaken
    ? 'Another step has this id'
    : ID.test(changed.id)
      ? undefined
      : 'Letters, digits, _ and -, at most 64';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A button of a dialog that a form opens is within it for React alone.
    event.stopPropagation();
    if (wrong === undefined) onChange(changed);
  };
  return (
    <Modal opened onClose={onClose} size="lg" title={STEP_NAMES[step.type]}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Id"
            description="Names the step. A run keeps its place by it when it moves to another version."
            value={changed.id}
            onChange={({ currentTarget }) => setChanged({ ...changed, id: currentTarget.value })}
            error={wrong}
          />
          <StepFields
            step={changed}
            onChange={setChanged}
            next={possibleNext(definition, step.id)}
            emails={emailsOf(definition)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Done</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
