import { TagsInput } from '@mantine/core';
import { useTypedList } from '../../components/use-typed-list.ts';
import { type One, TYPES } from '../../components/values.ts';
import type { Recorded } from '../../recorded/recorded.ts';
import { Choice, type Fields } from './choice.tsx';

/** Values of one type, each of which is a tag. */
export function ListFields({
  value: list,
  label,
  onChange,
  recorded,
}: Fields<One[]> & { recorded: readonly Recorded[] }) {
  const { type, refused, change } = useTypedList(list, onChange);
  return (
    <>
      <Choice
        label={`${label}: type of value`}
        words={TYPES}
        w={110}
        value={type}
        onChange={(to) => change(list.map(String), to)}
      />
      <TagsInput
        aria-label={`${label}: value`}
        placeholder="Values, each with Enter"
        size="xs"
        maw="100%"
        miw={120}
        maxTags={100}
        data={recorded.map(({ name }) => name)}
        value={list.map(String)}
        onChange={(texts) => change(texts)}
        error={refused.length > 0 && `Not ${TYPES[type]}: ${refused.join(', ')}`}
        errorProps={{ role: 'alert' }}
      />
    </>
  );
}
