import { useNames } from '../../../conditions/use-names.ts';

const ID = /“?\b([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b”?/gi;

/** A text in which lists and segments have their names instead of their ids, once these are known. */
export function Named({ children }: { children: string }) {
  return children.search(ID) < 0 ? children : <WithNames text={children} />;
}

/** Only here names have to be read. */
function WithNames({ text }: { text: string }) {
  const names = useNames();
  return text.replace(ID, (found, id: string) => {
    const name = names(id.toLowerCase());
    return name === undefined ? found : `“${name}”`;
  });
}
