import { Text } from '@mantine/core';

/** Gmail shows no more of the HTML of an e-mail. */
const CLIPPED_BYTES = 102 * 1024;
const kilobytes = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** How large the HTML of an e-mail is, in bytes, and whether that is too large. */
export function HtmlSize({ bytes }: { bytes: number }) {
  const isClipped = bytes > CLIPPED_BYTES;
  return (
    <Text size="sm" component="span" {...(isClipped && { c: 'red', fw: 600 })}>
      {kilobytes.format(bytes / 1024)} KB of HTML
      {isClipped ? ': Gmail cuts off what is above 102 KB' : ' of the 102 KB that Gmail shows'}
    </Text>
  );
}
