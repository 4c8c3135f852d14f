import { Badge, Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { wordsOf } from '../../components/words-of.ts';
import type { Ending, Outline, OutlinedRow, OutlinedStep } from './graph/outline.ts';
import classes from './step-list.module.css';
import { Named } from './words/named.tsx';
import { STEP_NAMES, stepWords } from './words/steps.ts';

/** What a place adds to the list. */
export interface Extras {
  /** Beside a step. */
  beside?: (outlined: OutlinedStep) => ReactNode;
  /** Below a step. */
  below?: (outlined: OutlinedStep) => ReactNode;
  /** At the end of a branch without steps. */
  inEmpty?: (outlined: OutlinedStep, exit: number) => ReactNode;
}

/** The steps of an automation, in words, one below the other; branches are lists within. */
export function StepList({ outline, extras = {} }: { outline: Outline; extras?: Extras }) {
  return (
    <>
      <Row row={outline} label="Steps" extras={extras} />
      {outline.unreached.length > 0 && (
        <>
          <Text size="sm" fw={600} mt="md">
            Nothing leads to these steps
          </Text>
          <Row
            row={{ steps: outline.unreached, ending: undefined }}
            label="Steps that nothing leads to"
            extras={extras}
          />
        </>
      )}
    </>
  );
}

function Row({ row: { steps, ending }, label, extras }: { row: OutlinedRow; label: string; extras: Extras }) {
  return (
    <>
      {steps.length > 0 && (
        <ol className={classes.row} aria-label={label}>
          {steps.map((outlined) => (
            <Step key={outlined.step.id} outlined={outlined} extras={extras} />
          ))}
        </ol>
      )}
      {ending && <EndOfRow ending={ending} />}
    </>
  );
}

function Step({ outlined, extras }: { outlined: OutlinedStep; extras: Extras }) {
  const { step, branches } = outlined;
  return (
    <li className={classes.step} data-step={step.id}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
        <Box miw={0} className={classes.words}>
          <Text size="sm" fw={500}>
            <Named>{stepWords(step)}</Named>
          </Text>
          <Text size="xs" c="dimmed">
            {wordsOf(STEP_NAMES, step.type)} · {step.id}
          </Text>
        </Box>
        {extras.beside?.(outlined)}
      </Group>
      {extras.below?.(outlined)}
      {branches.length > 0 && (
        <ul className={classes.branches} aria-label={`Ways from ${step.id}`}>
          {branches.map((branch, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same words
            <li key={`${n} ${branch.label}`} className={classes.branch}>
              <Badge color="indigo" className={classes.label}>
                <Named>{branch.label}</Named>
              </Badge>
              <Row row={branch} label={branch.label} extras={extras} />
              {branch.steps.length === 0 && extras.inEmpty?.(outlined, n)}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function EndOfRow({ ending }: { ending: Ending }) {
  const words = {
    end: () => 'The run ends.',
    below: () => 'Goes on below.',
    step: (id: string) => `Goes on with ${id}.`,
    missing: (id: string) => `Leads to ${id}, which is missing.`,
  };
  return (
    <Text size="sm" c={ending.type === 'missing' ? 'red' : 'dimmed'} mt={4}>
      {'id' in ending ? words[ending.type](ending.id) : words[ending.type]()}
    </Text>
  );
}
