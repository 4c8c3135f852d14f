import { Button, Modal, Stack, Text } from '@mantine/core';
import { PlusIcon } from '@primer/octicons-react';
import { useState } from 'react';
import { ProblemList } from '../../../components/problems.tsx';
import { Section } from '../../../components/section.tsx';
import type { AutomationStep } from '../../../definitions.ts';
import { freeId, inserted, moved, type Place, removed, replaced } from '../graph/edit.ts';
import { outlineOf } from '../graph/outline.ts';
import { StepList } from '../step-list.tsx';
import { STEP_NAMES } from '../words/steps.ts';
import { ID_WISHES, newStep } from './new-step.ts';
import { StepForm } from './step-form.tsx';
import { StepMenu } from './step-menu.tsx';
import type { Draft } from './use-draft.ts';
import { useEndpointProblems } from './use-endpoint-problems.ts';
import { useMessageProblems } from './use-message-problems.ts';

/** The steps of a draft as a list, in which they are added, changed, moved and removed. */
export function Steps({ draft: { definition, change, checked, problems } }: { draft: Draft }) {
  const [place, setPlace] = useState<Place>();
  const [edited, setEdited] = useState<string>();
  const editedStep = definition.steps.find(({ id }) => id === edited);

  const add = (type: AutomationStep['type']) => {
    if (!place) return;
    const id = freeId(definition, ID_WISHES[type]);
    change(inserted(definition, newStep(type, id), place));
    setPlace(undefined);
    setEdited(id);
  };
  const move = (id: string, direction: 'up' | 'down') => {
    const after = moved(definition, id, direction);
    if (after) change(after);
  };
  const endpointProblems = useEndpointProblems();
  const emailProblems = useMessageProblems();
  const problemsOf = (step: AutomationStep) => {
    const at = `steps[${checked.steps.findIndex(({ id }) => id === step.id)}]`;
    const known = problems.filter(({ field }) => field === at || field?.startsWith(`${at}.`));
    return [...known, ...endpointProblems(step), ...emailProblems(step)];
  };

  return (
    <Section title="Steps">
      {definition.steps.length === 0 ? (
        <Stack align="flex-start">
          <Text size="sm" c="dimmed">
            There are none yet.
          </Text>
          <Button variant="default" leftSection={<PlusIcon />} onClick={() => setPlace({ atStart: true })}>
            Add a step
          </Button>
        </Stack>
      ) : (
        <StepList
          outline={outlineOf(definition)}
          extras={{
            beside: ({ step }) => (
              <StepMenu
                step={step}
                canMove={{
                  up: moved(definition, step.id, 'up') !== undefined,
                  down: moved(definition, step.id, 'down') !== undefined,
                }}
                onEdit={() => setEdited(step.id)}
                onAdd={setPlace}
                onMove={(direction) => move(step.id, direction)}
                onRemove={() => change(removed(definition, step.id))}
              />
            ),
            below: ({ step }) => {
              const found = problemsOf(step);
              return (
                found.length > 0 && (
                  <Text component="div" size="sm" c="red" mt={4}>
                    <ProblemList problems={found} />
                  </Text>
                )
              );
            },
            inEmpty: ({ step }, exit) => (
              <Button
                size="compact-sm"
                variant="subtle"
                leftSection={<PlusIcon />}
                onClick={() => setPlace({ after: step.id, exit })}
                aria-label={`Add a step to way ${exit + 1} from ${step.id}`}
              >
                Add a step
              </Button>
            ),
          }}
        />
      )}
      {place && (
        <Modal opened onClose={() => setPlace(undefined)} title="Add a step">
          <Stack gap="xs">
            {Object.entries(STEP_NAMES).map(([type, name], n) => (
              <Button
                key={type}
                variant="default"
                justify="flex-start"
                {...(n === 0 && { 'data-autofocus': true })}
                onClick={() => add(type as AutomationStep['type'])}
              >
                {name}
              </Button>
            ))}
          </Stack>
        </Modal>
      )}
      {editedStep && (
        <StepForm
          key={editedStep.id}
          step={editedStep}
          definition={definition}
          onChange={(step) => {
            change(replaced(definition, editedStep.id, step));
            setEdited(undefined);
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Section>
  );
}
