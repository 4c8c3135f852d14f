import { toNumber } from '../../components/values.ts';

export const ATTRIBUTE_TYPES = { text: 'a text', number: 'a number', boolean: 'yes or no', json: 'JSON' } as const;
export type AttributeType = keyof typeof ATTRIBUTE_TYPES;

export function attributeType(value: unknown): AttributeType {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'string' ? 'text' : 'json';
}

/** What is typed for a value. */
export function attributeText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const LOSES_DIGITS = { problem: 'A number can not keep all these digits: make it a text' };
/** Digits of a number that no double loses. */
const MAX_DIGITS = 15;

/** The value that a text is, or what is wrong with it. */
export function attributeValue(text: string, type: AttributeType): { value: unknown } | { problem: string } {
  if (type === 'text') return { value: text };
  if (type === 'boolean') return { value: text === 'true' };
  if (type === 'number') {
    const value = toNumber(text);
    if (Number.isNaN(value)) return { problem: 'This is not a number' };
    return digitsOf(text) > MAX_DIGITS ? LOSES_DIGITS : { value };
  }
  try {
    const value: unknown = JSON.parse(text);
    if (value === null) return { problem: 'null is no value: remove it instead' };
    return numbersIn(text).some((number) => digitsOf(number) > MAX_DIGITS) ? LOSES_DIGITS : { value };
  } catch {
    return { problem: 'This is not JSON' };
  }
}

/** The numbers of a text of JSON, which are outside of its strings. */
function numbersIn(json: string): string[] {
  return json.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(/\d[\d.]*/g) ?? [];
}

function digitsOf(number: string): number {
  const [mantissa = ''] = number.toLowerCase().split('e');
  return mantissa.replace(/\D/g, '').replace(/^0+/, '').length;
}
