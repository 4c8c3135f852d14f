import type { Erasure as ErasureBody, ErasureInput, ProfileIdentifiers } from '../../../generated/native/types.gen.ts';
import type { Caller } from '../../domain/caller.ts';
import type { ErasureRequest } from '../../domain/erasures/begin.ts';
import type { Erasure, KnownIdentifier } from '../../domain/erasures/erasure.ts';
import { invalid } from '../../domain/service-error.ts';
import { lookedUpIdentifiers } from '../../domain/write/identity-resolution.ts';
import { isId } from '../../ids/uuid-v7.ts';
import { toIdentifiers } from './event.ts';

const SUPPRESS_DAYS = 30;

/** Converts a validated body. Throws `validation_error` unless it names one customer. */
export function toErasureRequest(body: ErasureInput, caller: Caller): ErasureRequest {
  const { profile_id: profileId, email, phone, external_id, events = 'delete', suppress_days = SUPPRESS_DAYS } = body;
  const given = Object.entries({ email, phone, external_id }).filter(([, value]) => value !== undefined);
  if (given.length + (profileId === undefined ? 0 : 1) !== 1) {
    throw invalid({ path: [], problem: 'needs exactly one of profile_id, email, phone, external_id' });
  }
  const who =
    profileId === undefined
      ? { identifiers: toIdentifiers(Object.fromEntries(given), caller) }
      : { profileId: idOf(profileId) };
  return { who, events, suppressDays: suppress_days, askedBy: caller.actor.id };
}

/** An id that nobody has may be that of a customer who is erased already; what is none is a mistake. */
function idOf(given: string): string {
  if (!isId(given)) throw invalid({ path: ['profile_id'], problem: 'is not the id of a profile' });
  return given.toLowerCase();
}

/** Converts validated identifiers, with all spellings of each. */
export function toKnownIdentifiers(given: readonly ProfileIdentifiers[], caller: Caller): KnownIdentifier[] {
  return given.flatMap((one) =>
    lookedUpIdentifiers(toIdentifiers(one, caller)).map(([kind, value]) => ({ kind, value })),
  );
}

export function renderErasure(erasure: Erasure): ErasureBody {
  const tables = Object.entries(erasure.counts).sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    id: erasure.id,
    status: erasure.status,
    profile_found: erasure.wasKnown,
    events: erasure.events,
    suppress_days: erasure.suppressDays,
    identifier_count: erasure.identifiers,
    tables: tables.map(([table, row_count]) => ({ table, row_count })),
    residues: erasure.residues.map(({ table, until }) => ({ table, until: until.toISOString() })),
    pass_count: erasure.passes,
    requested_by: erasure.askedBy,
    created_at: erasure.createdAt.toISOString(),
    completed_at: erasure.completedAt?.toISOString() ?? null,
  };
}
