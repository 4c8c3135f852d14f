import { Button, Card, Menu, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { PlusIcon } from '@primer/octicons-react';
import type { AutomationDefinition } from '../../definitions.ts';
import { STARTERS } from './starters/index.ts';
import { useBegin } from './starters/use-begin.ts';

/** What a new automation begins with, by the title of the starter: an empty one unless there is such a one. */
export function definitionFrom(title: string | null): AutomationDefinition {
  const starter = STARTERS.find((one) => one.title === title) ?? STARTERS.at(-1);
  return (starter as (typeof STARTERS)[number]).definition;
}

/** Offers what an automation can begin with. */
export function CreateMenu() {
  const begin = useBegin();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={<PlusIcon />} loading={begin.isPending}>
          Create
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {STARTERS.map((starter) => (
          <Menu.Item key={starter.title} onClick={() => begin.mutate(starter)}>
            {starter.title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The same where there is none yet, with what each is for. */
export function Starters() {
  const begin = useBegin();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      {STARTERS.map((starter) => (
        <Card key={starter.title} withBorder>
          <Stack justify="space-between" h="100%">
            <Stack gap={4}>
              <Title order={3}>{starter.title}</Title>
              <Text size="sm" c="dimmed">
                {starter.description}
              </Text>
            </Stack>
            <Button
              variant="default"
              aria-label={`Create: ${starter.title}`}
              loading={begin.isPending && begin.variables === starter}
              onClick={() => begin.mutate(starter)}
            >
              Create
            </Button>
          </Stack>
        </Card>
      ))}
    </SimpleGrid>
  );
}
