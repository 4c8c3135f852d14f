import type { Router } from '@koa/router';
import { choose, mayHaveReport, readChoices } from '../domain/notifications/recipients.ts';
import { readMailProblem } from '../domain/notifications/settings.ts';
import { invalid, ServiceError } from '../domain/service-error.ts';
import { auditAct } from './audit-people.ts';
import { type Fields, type PersonRoutes, readOwn } from './person-attempts.ts';
import type { State } from './surface.ts';

/** Routes by which people choose what they are told by mail of the store that they look at: none is part of the contract. */
export function notificationRoutes(router: Router<State>, people: PersonRoutes): void {
  const { shared, stores } = people;

  const choicesOf = async (storeId: string, personId: string) => {
    const choices = await readChoices(shared, storeId, personId);
    if (!choices) throw new ServiceError('unauthorized', 'You do not belong to the store any more');
    const { attention, weeklyReport, role } = choices;
    const problem = await readMailProblem(stores.of(storeId), shared, storeId);
    return { attention, weekly_report: weeklyReport, may_have_report: mayHaveReport(role), problem };
  };

  router.get('/dashboard/account/notifications', async (ctx) => {
    const { own, caller } = await readOwn(ctx, people, { mayBeProvided: true });
    ctx.set('Cache-Control', 'no-store');
    ctx.body = await choicesOf(caller.storeId, own.personId);
  });

  router.put('/dashboard/account/notifications', async (ctx) => {
    const { own, caller, body } = await readOwn(ctx, people, { mayBeProvided: true });
    const choices = { attention: isChosen(body, 'attention'), weeklyReport: isChosen(body, 'weekly_report') };
    const actor = { kind: 'person', id: own.personId } as const;
    const of = { actor, operation: 'chooseNotifications', fields: ['attention', 'weekly_report'] } as const;
    await auditAct(ctx, people, caller.storeId, of, () => choose(shared, caller.storeId, own.personId, choices));
    ctx.status = 204;
  });
}

function isChosen(body: Fields, field: string): boolean {
  const value = body[field];
  if (typeof value !== 'boolean') throw invalid({ path: [field], problem: 'must be true or false' });
  return value;
}
