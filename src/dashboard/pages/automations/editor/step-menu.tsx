import { ActionIcon, Group, Menu } from '@mantine/core';
import { KebabHorizontalIcon, PencilIcon } from '@primer/octicons-react';
import type { AutomationStep } from '../../../definitions.ts';
import type { Place } from '../graph/edit.ts';
import { isBranching } from '../graph/outline.ts';

/** What can be done with a step. */
export function StepMenu({
  step,
  canMove,
  onEdit,
  onAdd,
  onMove,
  onRemove,
}: {
  step: AutomationStep;
  canMove: { up: boolean; down: boolean };
  onEdit: () => void;
  onAdd: (place: Place) => void;
  onMove: (direction: 'up' | 'down') => void;
  onRemove: () => void;
}) {
  const { id, type } = step;
  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon variant="default" aria-label={`Edit ${id}`} onClick={onEdit}>
        <PencilIcon />
      </ActionIcon>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" aria-label={`More for ${id}`}>
            <KebabHorizontalIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => onAdd({ before: id })}>Add a step before</Menu.Item>
          {!isBranching(step) && type !== 'exit' && (
            <Menu.Item onClick={() => onAdd({ after: id, exit: 0 })}>Add a step after</Menu.Item>
          )}
          <Menu.Item disabled={!canMove.up} onClick={() => onMove('up')}>
            Move up
          </Menu.Item>
          <Menu.Item disabled={!canMove.down} onClick={() => onMove('down')}>
            Move down
          </Menu.Item>
          <Menu.Item color="red" onClick={onRemove}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
