import { Anchor, DataList, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { AutomationStats } from '../../../client/index.ts';
import { Item } from '../../components/item.tsx';
import { count } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import type { AutomationDefinition } from '../../definitions.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { outlineOf } from './graph/outline.ts';
import { RUNS } from './runs/addresses.ts';
import { StepList } from './step-list.tsx';
import { Named } from './words/named.tsx';
import { ruleWords, triggerWords } from './words/trigger.ts';

/** What an automation does, in words, and how many runs are where. */
export function Flow({
  definition,
  steps,
  automationId,
}: {
  definition: AutomationDefinition;
  steps: AutomationStats['steps'] | undefined;
  automationId: string;
}) {
  const counts = new Map(steps?.map((step) => [step.id, step]));
  const hasRuns = useAllows('automations:read', 'events:read', 'profiles:read');
  return (
    <Section title="What it does">
      <DataList>
        <Item label="Starts when">
          <Named>{triggerWords(definition.trigger)}</Named>
        </Item>
        {ruleWords(definition).map(([name, words]) => (
          <Item key={name} label={name}>
            <Named>{words}</Named>
          </Item>
        ))}
      </DataList>
      {definition.steps.length === 0 ? (
        <Text size="sm" c="dimmed">
          It has no steps yet.
        </Text>
      ) : (
        <StepList
          outline={outlineOf(definition)}
          extras={{
            below: ({ step: { id } }) => {
              const { active = 0, reached = 0 } = counts.get(id) ?? {};
              if (active === 0 && reached === 0) return null;
              const now = `${count(active)} here now`;
              return (
                <Text size="xs" c="dimmed">
                  {active > 0 && hasRuns ? (
                    <Anchor
                      component={Link}
                      to={{
                        pathname: `/automations/${automationId}`,
                        search: `?status=active&step=${id}`,
                        hash: RUNS,
                      }}
                      inherit
                      underline="always"
                    >
                      {now}
                    </Anchor>
                  ) : (
                    now
                  )}
                  , {count(reached)} came in the days above
                </Text>
              );
            },
          }}
        />
      )}
    </Section>
  );
}
