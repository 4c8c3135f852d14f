import type { Operations } from '../../generated/native/operations.gen.ts';
import type { Enrolment } from '../../generated/native/types.gen.ts';
import { type Enrolled, enrol } from '../domain/automations/enrol.ts';
import { findAutomation } from '../domain/automations/find-automations.ts';
import type { VersionCache } from '../domain/automations/stored/version-cache.ts';
import type { Once } from '../domain/kept-answers.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { automationId, existing } from './get-automation.ts';
import { performOnce } from './once.ts';
import { toIdentifiers } from './representations/event.ts';
import { renderSkipDetail } from './representations/finding.ts';
import { renderRun } from './representations/run.ts';

export function enrolProfile(writing: WithConnection, versions: VersionCache): Handler<Operations, 'enrolProfile'> {
  return async ({ request, caller }) => {
    const { path, body } = request;
    const { profile, properties = {}, idempotency_key: key } = body;
    const { storeId } = caller;
    return await performOnce(
      caller,
      { operation: 'enrolProfile', key, request },
      {
        perform: (once: Once<Enrolled>) =>
          writing(storeId, async (db) => {
            const { id } = existing(await findAutomation(db, storeId, automationId(path.id)));
            const enrolling = { automationId: id, identifiers: toIdentifiers(profile, caller), properties };
            return await enrol(db, caller, enrolling, versions, once);
          }),
        answer: toReply,
      },
    );
  };
}

function toReply(enrolled: Enrolled): { status: 200 | 201; body: Enrolment } {
  if ('run' in enrolled) {
    const { run, ...of } = enrolled.run;
    return { status: 201, body: { run: renderRun({ ...run, ...of }), skipped: null } };
  }
  const { reason, detail } = enrolled.skipped;
  return { status: 200, body: { run: null, skipped: { reason, detail: renderSkipDetail(detail) } } };
}
