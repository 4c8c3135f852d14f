import type { Sql } from '../db/sql.ts';
import type { Callers } from '../domain/api-keys/callers.ts';
import type { Attempt, AuditActor, AuditLog, Ending } from '../domain/audit/audit-log.ts';
import type { Caller } from '../domain/caller.ts';
import { ProviderRefusal } from '../domain/people/providers/identity.ts';
import { inEachStore, storesOf } from '../domain/people/stores-of-person.ts';
import { ServiceError } from '../domain/service-error.ts';
import { newId } from '../ids/uuid-v7.ts';
import { endingOf } from './audited.ts';
import type { AddressOf } from './client-address.ts';
import { STATUS_OF_CODE } from './status.ts';
import type { Ctx } from './surface.ts';

/** What people do that is part of no specification. */
export type PersonAct =
  | 'signIn'
  | 'signInByProvider'
  | 'switchStore'
  | 'acceptInvitation'
  | 'changeName'
  | 'changePassword'
  | 'choosePassword'
  | 'endSession'
  | 'offerSecondFactor'
  | 'enableSecondFactor'
  | 'disableSecondFactor'
  | 'renewRecoveryCodes'
  | 'chooseNotifications';

export interface PeopleAuditing {
  auditLog: AuditLog;
  addressOf: AddressOf;
}

const DONE = { outcome: 'done', status: 204 } as const;
const statusOf = (code: ServiceError['code']) => STATUS_OF_CODE[code];

function attemptOf(
  ctx: Ctx,
  { addressOf }: Pick<PeopleAuditing, 'addressOf'>,
  storeId: string,
  { actor, operation, fields = [] }: { actor: AuditActor; operation: PersonAct; fields?: readonly string[] },
): Attempt {
  const { requestId } = ctx.state;
  return { ...{ storeId, actor, operation, fields, requestId }, id: newId(), address: addressOf(ctx), target: null };
}

/** Does something of which there is an entry before, such as another password. */
export async function auditAct<Result>(
  ctx: Ctx,
  auditing: PeopleAuditing,
  storeId: string,
  of: { actor: AuditActor; operation: PersonAct; fields?: readonly string[] },
  act: () => Promise<Result>,
  resultOf: (result: Result) => Partial<Ending> | Promise<Partial<Ending>> = () => ({}),
): Promise<Result> {
  return await auditing.auditLog.around(attemptOf(ctx, auditing, storeId, of), act, {
    result: async (result) => ({ ...DONE, ...(await resultOf(result)) }),
    error: (error) => endingOf(error, statusOf),
  });
}

/** Writes that somebody has come in, before the browser has the session by which that is so. */
export async function auditEntrance(
  ctx: Ctx,
  auditing: PeopleAuditing,
  { storeId, actor: { kind, id } }: Caller,
  operation: PersonAct,
): Promise<void> {
  await auditing.auditLog.add(attemptOf(ctx, auditing, storeId, { actor: { kind, id }, operation }), DONE);
}

/** Does something that a person changes about themself, of which each of their stores, or one of them, has an entry before. */
export async function auditOwn<Result>(
  ctx: Ctx,
  auditing: PeopleAuditing & { shared: Sql },
  { personId: id, storeId }: { personId: string; storeId?: string | undefined },
  { status = DONE.status, ...of }: { operation: PersonAct; fields?: readonly string[]; status?: number },
  act: () => Promise<Result>,
): Promise<Result> {
  const attempt = { actor: { kind: 'person', id }, ...of } as const;
  return await inEachStore(
    storeId === undefined ? await storesOf(auditing.shared, { personId: id }) : [{ storeId, personId: id }],
    (one, next) => auditAct(ctx, auditing, one.storeId, attempt, next, () => ({ status })),
    act,
  );
}

/** Signs somebody in by an identity provider, of which there is an entry before: it may change who is in the store, and as what. */
export async function auditProvided<In extends { personId: string; changed: readonly string[] }>(
  ctx: Ctx,
  auditing: PeopleAuditing,
  storeId: string,
  signIn: () => Promise<In>,
): Promise<In> {
  const attempt = attemptOf(ctx, auditing, storeId, {
    actor: { kind: 'person', id: null },
    operation: 'signInByProvider',
  });
  return await auditing.auditLog.around(attempt, signIn, {
    result: ({ personId, changed }) => ({ ...DONE, actorId: personId, fields: changed }),
    error: (error) =>
      error instanceof ProviderRefusal
        ? { outcome: 'refused', status: STATUS_OF_CODE.forbidden, fields: [error.reason] }
        : endingOf(error, statusOf),
  });
}

/** Writes that somebody has come in, of the person of a session that has just begun. */
export async function auditSession(
  ctx: Ctx,
  auditing: PeopleAuditing & { callers: Pick<Callers, 'authenticateSession'> },
  token: string,
  operation: PersonAct,
): Promise<void> {
  const caller = await auditing.callers.authenticateSession(token, () => auditing.addressOf(ctx));
  if (!caller) throw new ServiceError('unauthorized', 'The session has ended already');
  await auditEntrance(ctx, auditing, caller, operation);
}

/** That the password is not right; or is, and no store lets it in. */
const NOT_LET_IN: ReadonlySet<ServiceError['code']> = new Set(['unauthorized', 'forbidden']);

/**
 * Writes to the stores of whoever has an e-mail address that somebody has failed to sign in with it. Nobody waits for that: how
 * long it takes would tell whether anybody has the address.
 */
export function auditFailedSignIn(
  ctx: Ctx,
  auditing: PeopleAuditing & { shared: Sql; onFailure: (error: unknown) => void },
  email: string,
  error: unknown,
): void {
  if (!(error instanceof ServiceError && NOT_LET_IN.has(error.code))) return;
  const attempt = attemptOf(ctx, auditing, '', { actor: { kind: 'person', id: null }, operation: 'signIn' });
  const write = async () => {
    for (const { storeId, personId } of await storesOf(auditing.shared, { email })) {
      // Whom it is about, for nobody knows who it was.
      const about = { id: newId(), storeId, target: personId };
      await auditing.auditLog.refused({ ...attempt, ...about }, endingOf(error, statusOf));
    }
  };
  write().catch(auditing.onFailure);
}
