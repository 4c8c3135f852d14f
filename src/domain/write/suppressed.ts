import { type RawBuilder, sql } from 'kysely';
import { ServiceError, type Violation } from '../service-error.ts';

/** A draft names somebody who was erased, by an identifier that is suppressed. */
export class SuppressedIdentifier extends ServiceError {
  /** `path` leads to the identifier. */
  constructor(path: Violation['path']) {
    const violation = { path, problem: 'is that of a customer who was erased, and suppressed' };
    super('validation_error', `${path.join('.')} ${violation.problem}`, { violations: [violation] });
  }
}

/**
 * A subquery, to be joined laterally: a row if an identifier, in two columns, is suppressed. `condition`: when that matters.
 * A store that has erased nobody has no key: that is looked up once in a statement.
 */
export function suppressedRow(
  storeId: string,
  { kind, value }: { kind: RawBuilder<unknown>; value: RawBuilder<unknown> },
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(
    select true as is_suppressed from suppression_key k
    cross join lateral (
      select from suppressed_identifier
      where store_id = ${storeId} and (until is null or until > now())
        -- HMAC-SHA-256, as "digestOf" makes it.
        and digest = sha256(k.outer_pad || sha256(k.inner_pad || convert_to(${kind} || ' ' || ${value}, 'UTF8')))
      limit 1
    ) s
    where ${condition} and exists (select from suppression_key where store_id = ${storeId}) and k.store_id = ${storeId}
    limit 1
  )`;
}

/** Awaits the write of somebody whom nobody vouches for: one that is suppressed is dropped, and undefined. */
export async function dropSuppressed<Result>(writing: Promise<Result>): Promise<Result | undefined> {
  try {
    return await writing;
  } catch (error) {
    if (error instanceof SuppressedIdentifier) return undefined;
    throw error;
  }
}
