import { Badge, Group, Loader } from '@mantine/core';

/** Whether something is left to do; what it is, while it is. */
export function State({ isOver, doing }: { isOver: boolean; doing: string }) {
  if (isOver) {
    return (
      <Badge variant="light" color="green">
        Complete
      </Badge>
    );
  }
  return (
    <Group gap="xs" role="status">
      <Loader size="xs" aria-hidden />
      <Badge variant="light" color="yellow">
        {doing}
      </Badge>
    </Group>
  );
}
