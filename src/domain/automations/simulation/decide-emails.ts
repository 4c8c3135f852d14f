import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import { consentIn } from '../../conditions/standing.ts';
import type { AddressDigest } from '../../messages/core/address-digest.ts';
import type { Caps } from '../../messages/core/decide.ts';
import { reasonToSkip } from '../../messages/core/decide.ts';
import { readStandings, type StandingOf } from '../../messages/core/standings.ts';
import type { Assumption } from '../core/simulation/assumptions.ts';
import type { SimulationOptions } from '../core/simulation/simulate.ts';
import type { SimulatedEmail } from './read-emails.ts';

interface Deciding {
  profileId: string;
  emails: ReadonlyMap<string, SimulatedEmail>;
  assume: readonly Assumption[];
  caps: Caps;
  digestOf: AddressDigest;
  /** When the simulation begins, in milliseconds. */
  startsAt: number;
}

/**
 * Reads how a customer stands, and returns what decides, as whoever takes messages to be sent does, whether they would be
 * sent an e-mail if what starts the run happened now. What the run sends before counts for the caps, too; consent is that of the simulation.
 */
export async function decidingEmails(
  db: Sql,
  storeId: string,
  { profileId, emails, assume, caps, digestOf, startsAt }: Deciding,
): Promise<{ standing: StandingOf; reasonToSkip: NonNullable<SimulationOptions['reasonToSkip']> }> {
  const asked = [{ id: newId(), profileId, class: 'marketing' } as const];
  const standings = await readStandings(db, storeId, asked, caps, digestOf);
  const standing = standings.get(profileId) as StandingOf;
  const ahead = Date.now() - startsAt;
  const sentAt = [...standing.sentAt];
  return {
    standing,
    reasonToSkip: ({ stepId }, consents, at) => {
      const messageClass = emails.get(stepId)?.class;
      if (!messageClass) return undefined;
      const { status, suppressed } = consentIn(consents, 'email');
      const now = at + ahead;
      const asSimulated = { ...standing, consent: { status, isSuppressed: suppressed }, sentAt };
      const reason = reasonToSkip(messageClass, asSimulated, caps, now);
      const fails = assume.some((one) => 'delivery' in one && one.step === stepId);
      if (reason === undefined && messageClass === 'marketing' && !fails) sentAt.push(now);
      return reason;
    },
  };
}
