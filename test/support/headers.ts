import type { ValidateFunction } from 'ajv';
import { ValidationContext } from 'openapi-backend';
import { SECURITY_HEADERS } from '../../src/http/security-headers.ts';
import { createAjv } from '../../src/http/validation.ts';

/** A header that a spec declares for a response. */
export interface DeclaredHeader {
  required?: boolean;
  schema: object;
}

/** What every HTTP server may send, and what browsers have to heed of every answer: no operation declares it. */
const COMMON = new Set([
  ...['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'],
  ...[
    'access-control-allow-origin',
    'access-control-expose-headers',
    'strict-transport-security',
    ...Object.keys(SECURITY_HEADERS).map((name) => name.toLowerCase()),
  ],
]);

// Its validators convert the text of a header to the type that the schema asks for, as with parameters.
const ajv = createAjv(ValidationContext.Params);
const validators = new Map<string, ValidateFunction>();

/** What is wrong with the headers of a response: one that is missing, undeclared, or has another value than declared. */
export function headerProblems(declared: Record<string, DeclaredHeader>, headers: Record<string, string>): string[] {
  const names = Object.entries(declared).map(([name, header]) => [name.toLowerCase(), header] as const);
  const known = new Map(names);
  const missing = names
    .filter(([name, { required }]) => required && headers[name] === undefined)
    .map(([name]) => `without ${name}`);
  const undeclared = Object.keys(headers)
    .filter((name) => !known.has(name) && !COMMON.has(name))
    .map((name) => `with ${name}, which its spec does not declare`);
  const wrong = names
    .filter(([name, { schema }]) => headers[name] !== undefined && !validatorOf(schema)({ value: headers[name] }))
    .map(([name]) => `with ${name}: ${headers[name]}`);
  return [...missing, ...undeclared, ...wrong];
}

function validatorOf(schema: object): ValidateFunction {
  const key = JSON.stringify(schema);
  const validator = validators.get(key) ?? ajv.compile({ type: 'object', properties: { value: schema } });
  validators.set(key, validator);
  return validator;
}
