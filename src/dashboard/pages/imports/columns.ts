import type { ImportColumn, ImportPreview } from '../../../client/index.ts';

export type Target = 'none' | 'email' | 'phone' | 'external_id' | 'attribute';
export type Type = NonNullable<ImportColumn['type']>;

/** What becomes of a column, as far as it is said. */
export interface Choice {
  column: string;
  target: Target;
  attribute: string;
  type: Type;
}

export const TARGETS: Readonly<Record<Target, string>> = {
  none: 'Left out',
  email: 'E-mail address',
  phone: 'Phone number',
  external_id: 'External id',
  attribute: 'Attribute',
};
export const TYPES: Readonly<Record<Type, string>> = { text: 'text', number: 'number', boolean: 'yes or no' };

/** What the names of the columns and their values look like. */
export function choicesOf({ columns, mapping }: ImportPreview): Choice[] {
  return columns.map(({ column, suggestion }) => {
    const given = mapping.find((one) => one.column === column) ?? null;
    const attribute = given?.attribute ?? suggestion?.attribute ?? column;
    const type = given?.type ?? suggestion?.type ?? 'text';
    return { column, target: given ? (given.identifier ?? 'attribute') : 'none', attribute, type };
  });
}

/** Undefined where none is an identifier, without which nobody is found. */
export function mappingOf(choices: readonly Choice[]): ImportColumn[] | undefined {
  if (choices.every(({ target }) => target === 'none' || target === 'attribute')) return undefined;
  return chosen(choices).map(({ column, target, attribute, type }) =>
    target === 'attribute'
      ? { column, attribute: attribute.trim(), type }
      : { column, identifier: identifierOf(target) },
  );
}

/** Those that are not left out: `mapping[1]` of an error is the second of them. */
export function chosen(choices: readonly Choice[]): Choice[] {
  return choices.filter(({ target, attribute }) => target !== 'none' && (target !== 'attribute' || attribute.trim()));
}

function identifierOf(target: Target): NonNullable<ImportColumn['identifier']> {
  return target === 'none' || target === 'attribute' ? 'external_id' : target;
}
