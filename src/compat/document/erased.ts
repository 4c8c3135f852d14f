import type { PrivacyJobCreate } from '../../../generated/compat/types.gen.ts';
import type { Caller } from '../../domain/caller.ts';
import type { Erased } from '../../domain/erasures/begin.ts';
import { canonicalIdentifiers, IDENTIFIER_KINDS } from '../../domain/identifiers.ts';
import { invalid } from '../../domain/service-error.ts';
import { isId } from '../../ids/uuid-v7.ts';
import { present } from './text.ts';

const NOBODY_NAMED = 'needs an e-mail address, a telephone number, an external_id or the id of the profile';

/**
 * Converts a validated job, in either form. The id decides, otherwise the first identifier by precedence. Throws
 * `validation_error` if there is none that can be read.
 */
export function toErased(attributes: PrivacyJobCreate['data']['attributes'], { country }: Caller): Erased {
  const profile = attributes.profile?.data;
  const id = [profile?.id, attributes.profile_id].find(present);
  if (id !== undefined && id !== null) return isId(id) ? { profileId: id.toLowerCase() } : bySourceId(id);
  const { external_id, email, phone_number } = { ...attributes, ...profile?.attributes };
  const given = canonicalIdentifiers(
    {
      external_id: present(external_id) ? String(external_id) : undefined,
      email: present(email) ? email : undefined,
      phone: present(phone_number) ? phone_number : undefined,
    },
    country,
  );
  const first = IDENTIFIER_KINDS.find((kind) => given[kind] !== undefined);
  if (!first) throw invalid({ path: ['data', 'attributes'], problem: NOBODY_NAMED });
  return { identifiers: { [first]: given[first], spellings: given.spellings } };
}

/** The id that the third party had given them. */
function bySourceId(id: string): Erased {
  return { identifiers: { source_id: id } };
}
