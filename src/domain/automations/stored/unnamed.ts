import { sql } from 'kysely';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import type { Audience } from '../../conditions/audience.ts';
import { invalid, ServiceError } from '../../service-error.ts';
import { audiencesNamed, audiencesOfRuns } from '../core/definition/audiences.ts';
import type { Definition } from '../core/definition/definition.ts';
import { isMessageStep, sendsToEndpoint } from '../core/definition/steps.ts';
import { activeByVersion, OLDEST_OF_INTEREST, ofInterest } from './automations.ts';

interface VersionInUse {
  /** Of its automation. */
  id: string;
  name: string;
  number: number;
  /** Whether there are only those runs on it that have started already. */
  startsNoRuns: boolean;
  definition: Definition;
}

/**
 * Throws `validation_error` if a version names a list or a segment that is the latest of an automation which is not
 * archived, or on which runs are or may come to be. The caller holds the row of the list or the segment.
 */
export async function expectNoAutomationNames(tx: Sql, storeId: string, audience: Audience): Promise<void> {
  const [by] = await versionsNaming(tx, storeId, audience);
  if (!by) return;
  throw invalid({ path: ['id'], problem: `is named by ${describeUse(by)}` });
}

/** Returns the definitions of such versions. */
export async function definitionsNaming(tx: Sql, storeId: string, audience: Audience): Promise<Definition[]> {
  return (await versionsNaming(tx, storeId, audience)).map(({ definition }) => definition);
}

async function versionsNaming(tx: Sql, storeId: string, { kind, id }: Audience): Promise<VersionInUse[]> {
  return (await versionsWith(tx, storeId, id)).filter(({ startsNoRuns, definition }) => {
    const named = startsNoRuns ? audiencesOfRuns(definition) : audiencesNamed(definition);
    return named.some((one) => one.kind === kind && one.id === id.toLowerCase());
  });
}

/** The same for an endpoint that a step of such a version sends to. The caller holds the row of the endpoint. */
export async function expectNoAutomationSendsTo(tx: Sql, storeId: string, endpointId: string): Promise<void> {
  const id = endpointId.toLowerCase();
  const by = (await versionsWith(tx, storeId, id)).find(({ definition: { steps } }) =>
    steps.some((step) => sendsToEndpoint(step) && step.endpoint_id.toLowerCase() === id),
  );
  if (by) throw new ServiceError('validation_error', `The endpoint is used by ${describeUse(by)}`);
}

/** The same for a sender that steps name. */
export async function expectNoAutomationSendsBy(tx: Sql, storeId: string, senderId: string): Promise<void> {
  const id = senderId.toLowerCase();
  const by = (await versionsWith(tx, storeId, id)).find(({ definition: { steps } }) =>
    steps.some((step) => isMessageStep(step) && step.sender_id?.toLowerCase() === id),
  );
  if (by) throw new ServiceError('validation_error', `The sender is used by ${describeUse(by)}`);
}

/** The same for a coupon pool whose codes steps give out. */
export async function expectNoAutomationAssignsFrom(tx: Sql, storeId: string, poolId: string): Promise<void> {
  const id = poolId.toLowerCase();
  const by = (await versionsWith(tx, storeId, id)).find(({ definition: { steps } }) =>
    steps.some((step) => step.type === 'assign_coupon' && step.pool_id.toLowerCase() === id),
  );
  if (by) throw new ServiceError('validation_error', `The pool is used by ${describeUse(by)}`);
}

function describeUse({ number, id, name }: VersionInUse): string {
  return `version ${number} of the automation ${id} (${name}); change or archive that first`;
}

/** Those with an id in their text, which may be a value there: few enough to be parsed. */
async function versionsWith(tx: Sql, storeId: string, id: string): Promise<VersionInUse[]> {
  const { rows } = await sql<Omit<VersionInUse, 'definition'> & { definition: RawJson }>`
    select a.id, a.name, v.number, v.number < coalesce(a.read_version, 1) as "startsNoRuns", v.definition
    from ${ofInterest(storeId)} a
    join automation_version v
      on v.store_id = a.store_id and v.automation_id = a.id and v.number between ${OLDEST_OF_INTEREST} and a.version
    where v.store_id = ${storeId} and a.status <> 'archived'
      and (
        v.number >= coalesce(a.read_version, 1) or v.in_flight <> 'keep' or exists (
          select from (${activeByVersion(sql`a.store_id`, sql`a.id`)}) as by_version
          where count > 0 and number = v.number::text
        )
      )
      and strpos(lower(v.definition::text), ${id.toLowerCase()}::text) > 0
    order by a.id, v.number desc`.execute(tx);
  return rows.map(({ definition, ...version }) => ({ ...version, definition: definition.parse<Definition>() }));
}
