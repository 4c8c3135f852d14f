import type { CompleteJobAttributes, SuppressedProfile } from '../../../generated/compat/types.gen.ts';
import type { CustomerConsent } from '../../domain/consent/consent-of-customers.ts';
import { canonicalIdentifiers } from '../../domain/identifiers.ts';
import { invalid, type Violation } from '../../domain/service-error.ts';
import { newId } from '../../ids/uuid-v7.ts';
import { PROFILES } from './subscriptions.ts';
import { present } from './text.ts';

/** The reason of a suppression by the store, in the third party's words. */
const REASON = 'USER_SUPPRESSED';

/** Converts the profiles of a job. Throws `validation_error` with a violation for each item without an address. */
export function toSuppressions(
  resources: readonly SuppressedProfile[],
  kind: 'suppressed' | 'unsuppressed',
  changedAt: Date,
): CustomerConsent[] {
  const [first, ...others] = resources.flatMap(({ attributes }, i): Violation[] => {
    if (present(attributes.email)) return [];
    return [{ path: [...PROFILES, i, 'attributes', 'email'], problem: 'must be an e-mail address' }];
  });
  if (first) throw invalid(first, ...others);
  return resources.map(({ attributes }) => ({
    profile: { identifiers: canonicalIdentifiers({ email: attributes.email }, null) },
    changes: [{ channel: 'email', kind, changedAt, isNow: true, source: null, reason: REASON }],
  }));
}

/** Returns the document of a job that is complete; `base` is the surface's address. */
export function completeJob<Type extends string>(type: Type, total: number, at: Date, base: string) {
  const [id, time] = [newId(), at.toISOString()];
  const attributes: CompleteJobAttributes = {
    status: 'complete',
    created_at: time,
    total_count: total,
    completed_count: total,
    skipped_count: 0,
    completed_at: time,
  };
  return { type, id, attributes, links: { self: `${base}/${type}s/${id}` } };
}
