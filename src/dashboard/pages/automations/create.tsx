import { Button, Card, Menu, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { PlusIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import type { AutomationDefinition } from '../../definitions.ts';
import { BLANK, TEMPLATES } from './templates.ts';

const CHOICES = [
  ...TEMPLATES,
  { title: 'An empty one', description: 'With nothing but a trigger.', definition: BLANK },
];

/** Where the editor begins with a choice; nothing is stored before it is saved. */
const pathOf = (title: string) => `/automations/new?${new URLSearchParams({ from: title })}`;

/** What a new automation begins with, by the title of the choice. */
export function definitionFrom(title: string | null): AutomationDefinition {
  return CHOICES.find((choice) => choice.title === title)?.definition ?? BLANK;
}

/** Offers what an automation can begin with. */
export function CreateMenu() {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={<PlusIcon />}>Create</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {CHOICES.map(({ title }) => (
          <Menu.Item key={title} component={Link} to={pathOf(title)}>
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The same where there is none yet, with what each is for. */
export function Templates() {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
      {CHOICES.map(({ title, description }) => (
        <Card key={title} withBorder>
          <Stack justify="space-between" h="100%">
            <Stack gap={4}>
              <Title order={3}>{title}</Title>
              <Text size="sm" c="dimmed">
                {description}
              </Text>
            </Stack>
            <Button variant="default" component={Link} to={pathOf(title)} aria-label={`Create: ${title}`}>
              Create
            </Button>
          </Stack>
        </Card>
      ))}
    </SimpleGrid>
  );
}
