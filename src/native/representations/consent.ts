import type { ConsentChange as ChangeBody, Consent as ConsentBody } from '../../../generated/native/types.gen.ts';
import type { Unconfirmed } from '../../domain/confirmations/unconfirmed.ts';
import type { ChannelConsent, Consent } from '../../domain/consent/consent.ts';
import type { RecordedChange } from '../../domain/consent/read-consents.ts';

/** With the lists that the customer was asked to confirm. */
export function renderConsent({ email, sms }: Consent, unconfirmed: readonly Unconfirmed[]): ConsentBody {
  const awaited = unconfirmed.map(({ listId, askedAt, expiresAt }) => ({
    list_id: listId,
    asked_at: askedAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  }));
  return {
    email: { ...renderChannel(email), ...(awaited.length > 0 && { unconfirmed: awaited }) },
    sms: renderChannel(sms),
  };
}

function renderChannel({ status, changedAt, source, suppressed, lists }: ChannelConsent): ConsentBody['email'] {
  return {
    status,
    changed_at: changedAt?.toISOString() ?? null,
    source,
    suppressed: suppressed && { at: suppressed.at.toISOString(), reason: suppressed.reason },
    lists: lists.map((list) => ({
      id: list.id,
      source_id: list.sourceId ?? null,
      status: list.status,
      changed_at: list.changedAt.toISOString(),
    })),
  };
}

export function renderConsentChange(change: RecordedChange): ChangeBody {
  return {
    id: change.id,
    channel: change.channel,
    kind: change.kind,
    list_id: change.listId,
    changed_at: change.changedAt.toISOString(),
    source: change.source,
    reason: change.reason,
    applied: change.applied,
    recorded_at: change.recordedAt.toISOString(),
    ...(change.isFromClient && { from_client: true }),
  };
}
