import type { ImportColumn, ImportPreview } from '../../../client/index.ts';

type Identifier = NonNullable<ImportColumn['identifier']>;
type Consent = NonNullable<ImportColumn['consent']>;
export type Target = 'none' | 'attribute' | Identifier | Consent;
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
  source_id: 'Id in another system',
  attribute: 'Attribute',
  email_status: 'E-mail consent',
  email_changed_at: 'E-mail consent: since',
  email_source: 'E-mail consent: where',
  email_suppressed: 'E-mail: suppressed',
  sms_status: 'SMS consent',
  sms_changed_at: 'SMS consent: since',
  sms_source: 'SMS consent: where',
  sms_suppressed: 'SMS: suppressed',
};
const DATES: Partial<Readonly<Record<Type, string>>> = {
  date_ymd: 'date, year first',
  date_dmy: 'date, day first',
  date_mdy: 'date, month first',
};
const OTHERS: Partial<Readonly<Record<Type, string>>> = { text: 'text', number: 'number', boolean: 'yes or no' };

/** The types that a column may have; none if there is nothing to choose. */
export function typesOf(target: Target): Partial<Readonly<Record<Type, string>>> | undefined {
  if (target === 'attribute') return { ...OTHERS, ...DATES };
  return isTime(target) ? DATES : undefined;
}

const IDENTIFIERS: readonly string[] = ['email', 'phone', 'external_id', 'source_id'] satisfies Identifier[];

function isIdentifier(target: Target): target is Identifier {
  return IDENTIFIERS.includes(target);
}

function isTime(target: Target): boolean {
  return target.endsWith('_changed_at');
}

/** What the names of the columns and their values look like. */
export function choicesOf({ columns, mapping }: ImportPreview): Choice[] {
  return columns.map(({ column, suggestion }) => {
    const given = mapping.find((one) => one.column === column) ?? null;
    const attribute = given?.attribute ?? suggestion?.attribute ?? column;
    const type = (given?.type ?? suggestion?.type ?? 'text') as Type;
    const target = (given ? (given.identifier ?? given.consent ?? 'attribute') : 'none') as Target;
    return { column, target, attribute, type };
  });
}

/** Undefined where none is an identifier, without which nobody is found. */
export function mappingOf(choices: readonly Choice[]): ImportColumn[] | undefined {
  if (!choices.some(({ target }) => isIdentifier(target))) return undefined;
  return chosen(choices).map(({ column, target, attribute, type }) => {
    if (target === 'attribute' || target === 'none') return { column, attribute: attribute.trim(), type };
    if (isIdentifier(target)) return { column, identifier: target };
    return { column, consent: target, ...(isTime(target) && { type: type in DATES ? type : 'date_ymd' }) };
  });
}

/** Those that are not left out: `mapping[1]` of an error is the second of them. */
export function chosen(choices: readonly Choice[]): Choice[] {
  return choices.filter(({ target, attribute }) => target !== 'none' && (target !== 'attribute' || attribute.trim()));
}
