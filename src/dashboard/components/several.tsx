import { Button, Fieldset, Group, Stack } from '@mantine/core';
import { PlusIcon, TrashIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';

/** Several of a kind, each with its own fields; `add` has what new ones are like, by the text of its button. */
export function Several<Item>({
  label,
  items,
  onChange,
  add,
  render,
  atMost = Number.POSITIVE_INFINITY,
  atLeast = 0,
}: {
  /** Names one of them; its number follows. */
  label: string;
  items: readonly Item[];
  onChange: (items: Item[]) => void;
  add: Readonly<Record<string, () => Item>>;
  /** `n` is the place of the item, from 0. */
  render: (item: Item, change: (item: Item) => void, n: number) => ReactNode;
  atMost?: number;
  atLeast?: number;
}) {
  return (
    <Stack gap="sm">
      {items.map((item, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no names, and keep no state but what is being typed
        <Fieldset key={n} legend={`${label} ${n + 1}`} p={{ base: 'xs', sm: 'md' }} miw={0}>
          <Stack gap="sm">
            {render(item, (changed) => onChange(items.with(n, changed)), n)}
            <Group justify="flex-end">
              {items.length > atLeast && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="red"
                  leftSection={<TrashIcon />}
                  onClick={() => onChange(items.toSpliced(n, 1))}
                  aria-label={`Remove: ${label.toLowerCase()} ${n + 1}`}
                >
                  Remove
                </Button>
              )}
            </Group>
          </Stack>
        </Fieldset>
      ))}
      {items.length < atMost && (
        <Group gap="xs">
          {Object.entries(add).map(([text, make]) => (
            <Button
              key={text}
              size="compact-sm"
              variant="default"
              leftSection={<PlusIcon />}
              onClick={() => onChange([...items, make()])}
            >
              {text}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  );
}
