import type { Sql } from '../../../db/orm.ts';
import { CHANNELS, type ConsentChange } from '../../consent/consent.ts';
import { recordConsents } from '../../consent/record-consents.ts';
import { joinList } from '../../lists/members.ts';
import { ServiceError } from '../../service-error.ts';
import { recordInTransaction } from '../../write/record-batch.ts';
import type { ImportedConsent, Plan } from './customer-import.ts';
import type { RowError } from './find-imports.ts';
import type { CsvRow } from './read-rows.ts';
import { hasStatus, type RowChoice } from './row-choices.ts';
import { toError } from './row-error.ts';
import { type ReadRow, readRow } from './rows.ts';

/** Maximum bytes of profiles that one transaction reads and writes; parsed, they take several times as much. */
const MAX_PROFILE_BYTES = 16 * 1024 * 1024;

/** Why an import can't go on, whatever is tried. */
export class ImportFailure extends Error {
  override readonly name = 'ImportFailure';
}

/** What is written for each row. */
export interface Target {
  name: string | null;
  plan: Plan;
  consent: ImportedConsent | null;
  listIds: readonly string[];
  isHistorical: boolean;
}

/** What became of the first rows; the others were left off. */
export interface Written {
  rows: number;
  created: number;
  updated: number;
  errors: RowError[];
  /** Whether the import is worth as many attempts as at its start. */
  isProgress: boolean;
}

/**
 * Writes rows of a file in the caller's transaction. `firstLine` is the line on which their text begins. Leaves off those
 * at the end that exceed what one transaction may read. Throws an `ImportFailure` if a list is gone or full.
 */
export async function writeRows(
  tx: Sql,
  storeId: string,
  target: Target,
  rows: readonly CsvRow[],
  firstLine: number,
): Promise<Written> {
  const { isHistorical } = target;
  const { origin } = target.plan;
  const read = rows.map((row) => readRow(row, firstLine + row.line, target.plan, target.consent));
  const drafts = read.flatMap((one) => ('draft' in one ? { ...one.draft, isHistorical, origin } : []));
  const options = { returnProfiles: false, maxProfileBytes: MAX_PROFILE_BYTES };
  const outcomes = drafts.length > 0 ? await recordInTransaction(tx, storeId, drafts, options) : [];
  const written: Written = { rows: 0, created: 0, updated: 0, errors: [], isProgress: true };
  const customers: ({ profileId: string } & ReadRow)[] = [];
  let next = 0;
  for (const [i, one] of read.entries()) {
    if ('problem' in one) {
      written.errors.push(one);
    } else {
      if (next === outcomes.length) break;
      const outcome = outcomes[next++] as (typeof outcomes)[number];
      const row = rows[i] as CsvRow;
      if (outcome instanceof ServiceError)
        written.errors.push(refusal(outcome, row, firstLine + row.line, target.plan));
      else if (outcome instanceof Error) throw outcome;
      else {
        written[outcome.profileCreated ? 'created' : 'updated'] += 1;
        customers.push({ profileId: outcome.profileId, ...one });
      }
    }
    written.rows += 1;
  }
  await recordConsents(tx, storeId, customers.flatMap(choicesOf(target)));
  await joinLists(
    tx,
    storeId,
    target,
    customers.map(({ profileId }) => profileId),
  );
  return written;
}

/** What the write path has against a row, at the column that it concerns. */
function refusal({ violations, message }: ServiceError, { cells }: CsvRow, line: number, { columns }: Plan): RowError {
  const [{ path, problem } = { path: [], problem: message }] = violations;
  const [kind, name] = path;
  const column = columns.find(
    ({ identifier, attribute }) => name === (kind === 'identifiers' ? identifier : attribute),
  );
  return toError(line, problem, name === undefined ? undefined : column, column && cells[column.index]);
}

const ADDRESS = { email: 'email', sms: 'phone' } as const;

/** What all customers have chosen, but for channels of which each row says it, and what the rows say. */
function choicesOf({ consent, plan, isHistorical }: Target) {
  return ({ profileId, draft, choices }: { profileId: string } & ReadRow): ConsentChange[] => {
    const general = CHANNELS.flatMap((channel): RowChoice[] => {
      const kind = consent?.choices[channel];
      const isMeant = draft.identifiers[ADDRESS[channel]] !== undefined && !hasStatus(plan.columns, channel);
      return consent && kind && isMeant ? [{ ...consent, channel, kind, isNow: false }] : [];
    });
    return [...general, ...choices].map(({ channel, kind, changedAt, isNow, source, reason }) => ({
      ...{ profileId, channel, kind, changedAt, isNow, source, isHistorical },
      ...(reason !== undefined && { reason }),
    }));
  };
}

async function joinLists(
  tx: Sql,
  storeId: string,
  { name, listIds, isHistorical }: Target,
  profileIds: string[],
): Promise<void> {
  if (profileIds.length === 0) return;
  const joinedAt = new Date();
  const joining = profileIds.map((profileId) => ({ profileId, joinedAt }));
  // In the order in which every transaction holds lists.
  for (const listId of [...listIds].sort()) {
    const joined = await joinList(tx, storeId, listId, joining, { how: 'import', source: name }, { isHistorical });
    if (!joined) throw new ImportFailure(`There is no longer a list ${listId}`);
    if ([...joined.values()].includes('full')) throw new ImportFailure(`The list ${listId} is full`);
  }
}
