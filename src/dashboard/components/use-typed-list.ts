import { useState } from 'react';
import { fromTag, type One, type Type, typeOf } from './values.ts';

/** A list as it was typed. */
interface Typed {
  list: One[];
  /** Of an empty list, too. */
  type: Type;
  /** What was typed and is no value of that type. */
  refused: string[];
}

/** Has values of one type typed as texts, each of which is one of them. */
export function useTypedList(list: One[], onChange: (list: One[]) => void) {
  const [last, setLast] = useState<Typed>();
  const { type, refused } = last?.list === list ? last : { type: typeOf(list[0]), refused: [] };
  const change = (texts: readonly string[], to: Type = type) => {
    const typed = read(texts, to);
    setLast(typed);
    onChange(typed.list);
  };
  return { type, refused, change };
}

function read(texts: readonly string[], type: Type): Typed {
  const values = texts.map((text) => ({ text, value: fromTag(text, type) }));
  return {
    list: values.flatMap(({ value }) => value ?? []),
    type,
    refused: values.flatMap(({ text, value }) => (value === undefined ? text : [])),
  };
}
