import { Radio, Stack } from '@mantine/core';

/** When a run goes on that has sent something, and whether it does if that fails. */
export type GoingOn = 'at-once' | 'continue' | 'exit';

export function GoingOnFields({
  value,
  onChange,
  words,
}: {
  value: GoingOn;
  onChange: (value: GoingOn) => void;
  words: Readonly<Record<'continue' | 'exit', string>>;
}) {
  return (
    <Radio.Group label="The run goes on" value={value} onChange={(chosen) => onChange(chosen as GoingOn)}>
      <Stack gap="xs" mt="xs">
        <Radio value="at-once" label="At once" />
        <Radio value="continue" label={words.continue} />
        <Radio value="exit" label={words.exit} />
      </Stack>
    </Radio.Group>
  );
}
