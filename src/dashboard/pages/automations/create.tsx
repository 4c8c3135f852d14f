import { Button, Card, Menu, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { PlusIcon } from '@primer/octicons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { AutomationDefinition } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { BLANK, TEMPLATES } from './templates.ts';

/** Makes a draft, and opens it. */
function useCreation() {
  const client = useClient();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (definition: AutomationDefinition) => client.createAutomation({ definition }),
    onSuccess: async ({ id }) => {
      navigate(`/automations/${id}/edit`);
      await queryClient.invalidateQueries({ queryKey: ['listAutomations'] });
    },
    onError: ({ message }) => notifications.show({ color: 'red', title: 'Nothing was created', message }),
  });
}

/** Offers what an automation can begin with. */
export function CreateMenu() {
  const { mutate, isPending } = useCreation();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={<PlusIcon />} loading={isPending}>
          Create
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => mutate(BLANK)}>An empty one</Menu.Item>
        {TEMPLATES.map(({ title, definition }) => (
          <Menu.Item key={title} onClick={() => mutate(definition)}>
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The same where there is none yet, with what each is for. */
export function Templates() {
  const { mutate, isPending } = useCreation();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
      {[...TEMPLATES, { title: 'An empty one', description: 'With nothing but a trigger.', definition: BLANK }].map(
        ({ title, description, definition }) => (
          <Card key={title} withBorder>
            <Stack justify="space-between" h="100%">
              <Stack gap={4}>
                <Title order={3}>{title}</Title>
                <Text size="sm" c="dimmed">
                  {description}
                </Text>
              </Stack>
              <Button
                variant="default"
                disabled={isPending}
                onClick={() => mutate(definition)}
                aria-label={`Create: ${title}`}
              >
                Create
              </Button>
            </Stack>
          </Card>
        ),
      )}
    </SimpleGrid>
  );
}
