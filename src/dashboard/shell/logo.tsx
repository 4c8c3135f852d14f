import { Group, Text } from '@mantine/core';

export function Logo() {
  return (
    <Group gap={10} wrap="nowrap">
      <img src="/docs/assets/icon.svg" alt="" width={26} height={26} />
      <Text fw={700} fz="lg" lh={1} lts="-0.01em">
        Footfall
      </Text>
    </Group>
  );
}
