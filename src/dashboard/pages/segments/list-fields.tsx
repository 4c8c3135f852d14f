import { TagsInput } from '@mantine/core';
import { useState } from 'react';
import { Choice, type Fields } from './choice.tsx';
import { fromTag, type One, TYPES, type Type, typeOf } from './values.ts';

/** A list as it was typed. */
interface Typed {
  list: One[];
  /** Of an empty list, too. */
  type: Type;
  /** What was typed and is no value of that type. */
  refused: string[];
}

/** Values of one type, each of which is a tag. */
export function ListFields({ value: list, label, onChange }: Fields<One[]>) {
  const [last, setLast] = useState<Typed>();
  const { type, refused } = last?.list === list ? last : { type: typeOf(list[0]), refused: [] };
  const change = (texts: readonly string[], to: Type) => {
    const typed = read(texts, to);
    setLast(typed);
    onChange(typed.list);
  };
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
        value={list.map(String)}
        onChange={(texts) => change(texts, type)}
        error={refused.length > 0 && `Not ${TYPES[type]}: ${refused.join(', ')}`}
        errorProps={{ role: 'alert' }}
      />
    </>
  );
}

function read(texts: readonly string[], type: Type): Typed {
  const values = texts.map((text) => ({ text, value: fromTag(text, type) }));
  return {
    list: values.flatMap(({ value }) => value ?? []),
    type,
    refused: values.flatMap(({ text, value }) => (value === undefined ? text : [])),
  };
}
