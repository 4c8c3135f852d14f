import { Stack, Text } from '@mantine/core';

/** A number that one looks for first, in a list of such; and what has changed of it, if it is compared. */
export function Figure({ label, value, change }: { label: string; value: string; change?: string | undefined }) {
  return (
    <Stack gap={0}>
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} fz={24} fw={650} lh={1.25} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {value}
      </Text>
      {change !== undefined && (
        <Text component="dd" m={0} size="xs" c="dimmed">
          {change}
        </Text>
      )}
    </Stack>
  );
}
