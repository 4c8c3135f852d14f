import { ActionIcon, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { ArrowDownIcon, ArrowUpIcon, PencilIcon, PlusIcon, TrashIcon } from '@primer/octicons-react';
import { useState } from 'react';
import { ProblemList } from '../../../../components/problems.tsx';
import type { TemplateBlock } from '../../../../definitions.ts';
import { BlockForm } from './block-form.tsx';
import classes from './block-list.module.css';
import type { BlockListProps } from './block-lists.ts';
import { BLOCK_TYPES, type BlockType, blockWords, nameOf, newBlock } from './block-types.ts';
import { useFocusAfter } from './use-focus-after.ts';

/** Blocks from the top, each with its form; they are added, moved and deleted here. */
export function BlockList({ label, blocks, field, problems, within = [], onChange }: BlockListProps) {
  const [opened, setOpened] = useState<number>();
  const { list, focusAfter } = useFocusAfter();
  const place = (n: number, control: string) => `${field}[${n}] ${control}`;
  const move = (from: number, to: number) => {
    onChange(blocks.toSpliced(from, 1).toSpliced(to, 0, blocks[from] as TemplateBlock));
    if (opened === from) setOpened(to);
    else if (opened === to) setOpened(from);
    const [first, second] = to < from ? ['up', 'down'] : ['down', 'up'];
    focusAfter(place(to, first as string), place(to, second as string));
  };
  const remove = (n: number) => {
    onChange(blocks.toSpliced(n, 1));
    setOpened(undefined);
    focusAfter(place(n, 'edit'), place(n - 1, 'edit'), `${field} add`);
  };
  const add = (type: BlockType) => {
    onChange([...blocks, newBlock(type)]);
    setOpened(blocks.length);
    focusAfter(place(blocks.length, 'edit'));
  };
  return (
    <Stack gap="xs" ref={list}>
      {blocks.length > 0 && (
        <ol className={classes.list} aria-label={label}>
          {blocks.map((block, n) => {
            const at = `${field}[${n}]`;
            const name = `${n + 1}, ${nameOf(block)}`;
            const own = problems.filter((one) => one.field === at || one.field.startsWith(`${at}.`));
            const isOpen = opened === n;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: they have no names, and keep no state but what is being typed
              <li key={n} className={classes.block} aria-label={name}>
                <Group justify="space-between" wrap="nowrap" gap="xs" align="flex-start">
                  <Text size="sm" component="div" miw={0} lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
                    <b>{nameOf(block)}</b> {blockWords(block)}
                  </Text>
                  <Group gap={4} wrap="nowrap">
                    <ActionIcon
                      variant={isOpen ? 'filled' : 'default'}
                      data-place={place(n, 'edit')}
                      aria-expanded={isOpen}
                      aria-label={`Edit ${name}`}
                      onClick={() => setOpened(isOpen ? undefined : n)}
                    >
                      <PencilIcon />
                    </ActionIcon>
                    <ActionIcon
                      variant="default"
                      data-place={place(n, 'up')}
                      disabled={n === 0}
                      aria-label={`Move up ${name}`}
                      onClick={() => move(n, n - 1)}
                    >
                      <ArrowUpIcon />
                    </ActionIcon>
                    <ActionIcon
                      variant="default"
                      data-place={place(n, 'down')}
                      disabled={n === blocks.length - 1}
                      aria-label={`Move down ${name}`}
                      onClick={() => move(n, n + 1)}
                    >
                      <ArrowDownIcon />
                    </ActionIcon>
                    <ActionIcon variant="default" c="red" aria-label={`Delete ${name}`} onClick={() => remove(n)}>
                      <TrashIcon />
                    </ActionIcon>
                  </Group>
                </Group>
                {own.length > 0 && (
                  <Text component="div" size="sm" c="red" mt={4}>
                    <ProblemList problems={own} label={`Problems of ${name}`} />
                  </Text>
                )}
                {isOpen && (
                  <div className={classes.form}>
                    <BlockForm
                      block={block}
                      field={at}
                      problems={problems}
                      within={within}
                      List={BlockList}
                      onChange={(changed) => onChange(blocks.with(n, changed))}
                    />
                  </div>
                )}
              </li>
            );
          })}
        </ol>
      )}
      <Menu position="bottom-start" returnFocus={false}>
        <Menu.Target>
          <Button
            variant="default"
            size="xs"
            leftSection={<PlusIcon />}
            data-place={`${field} add`}
            style={{ alignSelf: 'flex-start' }}
          >
            {within.length === 0 ? 'Add a block' : `Add to: ${label}`}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {Object.entries(BLOCK_TYPES)
            .filter(([type]) => !within.includes(type as BlockType))
            .map(([type, { name }]) => (
              <Menu.Item key={type} onClick={() => add(type as BlockType)}>
                {name}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
    </Stack>
  );
}
