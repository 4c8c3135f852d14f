import type { Operations } from '../../generated/native/operations.gen.ts';
import type { ConsentUpdate } from '../../generated/native/types.gen.ts';
import { readUnconfirmed } from '../domain/confirmations/unconfirmed.ts';
import { CHANNELS, type Channel, type ConsentChange, choiceTime, DEFAULT_REASON } from '../domain/consent/consent.ts';
import { updateConsent } from '../domain/consent/update-consent.ts';
import { parseTime } from '../domain/event-time.ts';
import { invalid, ServiceError, type Violation } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { isId } from '../ids/uuid-v7.ts';
import { renderConsent } from './representations/consent.ts';

export function updateProfileConsent(writing: WithConnection): Handler<Operations, 'updateProfileConsent'> {
  return async ({ request, caller: { storeId } }) => {
    const id = request.path.id.toLowerCase();
    const changes = toChanges(request.body, id);
    const updated = isId(id) && (await writing(storeId, (db) => updateConsent(db, storeId, id, changes)));
    if (!updated) throw new ServiceError('not_found', 'There is no such profile');
    const unconfirmed = await writing(storeId, (db) => readUnconfirmed(db, storeId, updated.id));
    const changed = CHANNELS.filter((channel) => updated.changed.has(channel));
    return { status: 200, body: { consent: renderConsent(updated.consent, unconfirmed), changed }, isRepeatable: true };
  };
}

function toChanges(body: ConsentUpdate, profileId: string): ConsentChange[] {
  const violations: Violation[] = [];
  const changes = CHANNELS.flatMap((channel) => {
    const update = body[channel];
    if (!update) return [];
    const time = timeOf(update.changed_at);
    if (!time) {
      const problem = 'must be a time from 1990 on that is not in the future';
      violations.push({ path: [channel, 'changed_at'], problem });
    }
    if (update.status === undefined && update.suppressed === undefined) {
      violations.push({ path: [channel], problem: 'needs status or suppressed' });
    }
    if (update.reason !== undefined && !update.suppressed) {
      violations.push({ path: [channel, 'reason'], problem: 'is only possible with suppressed: true' });
    }
    return changesOf(update, profileId, channel, time ?? new Date());
  });
  const [first, ...others] = violations;
  if (first) throw invalid(first, ...others);
  return changes;
}

function timeOf(text: string | undefined): Date | undefined {
  if (text === undefined) return new Date();
  const time = parseTime(text);
  return time && choiceTime(time);
}

function changesOf(
  { status, suppressed, changed_at, source, reason }: NonNullable<ConsentUpdate[Channel]>,
  profileId: string,
  channel: Channel,
  changedAt: Date,
): ConsentChange[] {
  const base = { profileId, channel, changedAt, isNow: changed_at === undefined, source: source ?? null };
  const changes: ConsentChange[] = [];
  if (status) changes.push({ ...base, kind: status });
  if (suppressed) changes.push({ ...base, kind: 'suppressed', reason: reason ?? DEFAULT_REASON });
  if (suppressed === false) changes.push({ ...base, kind: 'unsuppressed' });
  return changes;
}
