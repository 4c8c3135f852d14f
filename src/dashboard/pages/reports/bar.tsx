import { Box } from '@mantine/core';

/** A share as a bar, from 0 to 1, beside the words that say it. */
export function Bar({ share }: { share: number }) {
  return (
    <Box bg="light-dark(var(--mantine-color-gray-2), var(--mantine-color-dark-4))" bdrs="sm" h={14} aria-hidden>
      <Box bg="indigo.6" bdrs="sm" h="100%" w={`${100 * share}%`} miw={share > 0 ? 2 : 0} />
    </Box>
  );
}
