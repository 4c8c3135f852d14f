import type {
  SenderInput as CreateBody,
  Sender as SenderBody,
  SenderSettingsInput,
  SenderTest,
  SenderUpdate,
} from '../../../generated/native/types.gen.ts';
import type { Caller } from '../../domain/caller.ts';
import { expectScopes } from '../../domain/expect-scopes.ts';
import type { SenderTested } from '../../domain/messages/test-sender.ts';
import { isFreeMail } from '../../domain/senders/address.ts';
import { dkimRecord } from '../../domain/senders/dkim-keys.ts';
import type { HandOverResult } from '../../domain/senders/hand-over.ts';
import { firstFailing, isReady, type Sender } from '../../domain/senders/sender.ts';
import type { SenderInput } from '../../domain/senders/sender-row.ts';
import { daysLeft, limitOfDay } from '../../domain/senders/warm-up.ts';

export function renderSender(sender: Sender): SenderBody {
  return {
    id: sender.id,
    kind: sender.kind,
    name: sender.name,
    from_email: sender.fromEmail,
    from_name: sender.fromName,
    reply_to: sender.replyTo,
    class: sender.class,
    settings: renderSettings(sender),
    dkim_selector: sender.dkimSelector,
    dkim_signing: sender.dkimPublicKey !== null,
    dkim_record: sender.dkimPublicKey === null ? null : dkimRecord(sender.dkimPublicKey),
    max_per_second: sender.maxPerSecond,
    max_per_day: sender.maxPerDay,
    sent_today: sender.sentToday,
    max_concurrent: sender.maxConcurrent,
    warm_up: renderWarmUp(sender.warmUp),
    ready: isReady(sender),
    first_failing: firstFailing(sender),
    checks: sender.checks.map(({ name, ok, detail }) => ({ name, ok, detail })),
    checked_at: sender.checkedAt?.toISOString() ?? null,
    warnings: sender.kind === 'smtp' && isFreeMail(sender.fromEmail ?? '') ? ['free_mail'] : [],
    resting_until: sender.restingUntil?.toISOString() ?? null,
    created_at: sender.createdAt.toISOString(),
    updated_at: sender.updatedAt.toISOString(),
    deleted_at: sender.deletedAt?.toISOString() ?? null,
  };
}

const NOTHING = {
  ...{ shared: false, host: null, port: null, security: null, user: null, password_set: false, endpoint_id: null },
  ...{ account_sid: null, api_key_sid: null, from: null, messaging_service_sid: null },
};

function renderWarmUp(warmUp: Sender['warmUp']): SenderBody['warm_up'] {
  return (
    warmUp && {
      first_per_day: warmUp.first,
      target_per_day: warmUp.target,
      limit_today: limitOfDay(warmUp, warmUp.days),
      days_left: daysLeft(warmUp),
    }
  );
}

function renderSettings({ settings, endpointId: endpoint_id, twilio }: Sender): SenderBody['settings'] {
  if (endpoint_id) return { ...NOTHING, endpoint_id };
  if (twilio) {
    return {
      ...NOTHING,
      account_sid: twilio.accountSid,
      api_key_sid: twilio.apiKeySid,
      from: twilio.from,
      messaging_service_sid: twilio.messagingServiceSid,
    };
  }
  if (!settings || settings.isShared) return settings && { ...NOTHING, shared: true };
  const { host, port, security, user, isPasswordSet: password_set } = settings;
  return { ...NOTHING, host, port, security, user, password_set };
}

/** Throws `forbidden` where it hands over to an endpoint, and the key may not decide what is sent to these. */
export function toSenderInput(
  body: SenderUpdate | Omit<CreateBody, 'kind' | 'idempotency_key'>,
  caller: Caller,
): SenderInput {
  if (body.settings?.endpoint_id) expectScopes(caller, ['webhooks:manage'], 'senders of text messages need');
  return {
    name: body.name,
    fromEmail: body.from_email ?? null,
    fromName: body.from_name?.trim() || null,
    replyTo: body.reply_to ?? null,
    class: body.class ?? 'both',
    settings: body.settings ? toSettings(body.settings) : undefined,
    dkimSelector: body.dkim_selector ?? null,
    signsDkim: body.dkim_signing ?? false,
    maxPerSecond: body.max_per_second ?? 5,
    maxPerDay: body.max_per_day ?? null,
    maxConcurrent: body.max_concurrent ?? 4,
    warmUp: body.warm_up ? { first: body.warm_up.first_per_day, target: body.warm_up.target_per_day } : null,
  };
}

function toSettings(settings: SenderSettingsInput): SenderInput['settings'] {
  const { shared = false, host, port, security, user, password, endpoint_id } = settings;
  const { account_sid, auth_token, api_key_sid, api_key_secret, from, messaging_service_sid } = settings;
  return {
    ...{ isShared: shared, host, port, security, user, password, endpointId: endpoint_id?.toLowerCase() },
    ...{ accountSid: account_sid, authToken: auth_token, apiKeySid: api_key_sid, apiKeySecret: api_key_secret },
    ...{ from, messagingServiceSid: messaging_service_sid },
  };
}

/** What a hand-over came to, as one flat object. */
export function renderTest({ result, messageId }: SenderTested): SenderTest {
  return { ...renderHandOver(result), message_id: messageId };
}

function renderHandOver(result: HandOverResult): Omit<SenderTest, 'message_id'> {
  const nothing = { code: null, enhanced_code: null, response: null, refused: null, permanent: null, reason: null };
  switch (result.outcome) {
    case 'accepted':
      return { ...nothing, outcome: 'accepted', response: result.response, maybe_sent: true };
    case 'refused':
      return {
        outcome: 'refused',
        code: result.code,
        enhanced_code: result.enhanced,
        response: result.response,
        refused: result.of === 'us' ? 'sender' : result.of,
        permanent: result.permanent,
        reason: null,
        maybe_sent: false,
      };
    case 'failed': {
      // Nobody but us has ended it, as it took too long.
      const reason = result.reason === 'aborted' ? 'timeout' : result.reason;
      return { ...nothing, outcome: 'failed', reason, maybe_sent: result.maybeSent };
    }
  }
}
