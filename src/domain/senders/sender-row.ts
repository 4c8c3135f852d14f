import { invalid } from '../service-error.ts';
import { readAddress } from './address.ts';
import { type CheckedRelay, checkRelay, type RelayInput } from './relay.ts';
import { type SenderClass, type SenderKind, sendsTexts, type TwilioSettings } from './sender.ts';
import type { SenderTools } from './tools.ts';
import { checkTwilio, type TwilioInput } from './twilio/account.ts';
import { checkWarmUp, type WarmUp } from './warm-up.ts';

/** What takes messages, in one of several ways. */
export interface SettingsInput extends RelayInput, TwilioInput {
  endpointId?: string | undefined;
}

export interface SenderInput {
  name: string;
  /** Null where it sends no e-mail. */
  fromEmail: string | null;
  fromName: string | null;
  replyTo: string | null;
  class: SenderClass;
  /** Undefined for an outbox. */
  settings: SettingsInput | undefined;
  dkimSelector: string | null;
  /** Whether messages are signed here, rather than by the relay. */
  signsDkim: boolean;
  maxPerSecond: number;
  /** Null for any number. */
  maxPerDay: number | null;
  maxConcurrent: number;
  warmUp: WarmUp | null;
}

/** What a sender of a kind was checked to be. */
export interface CheckedSender {
  relay: CheckedRelay | undefined;
  twilio: TwilioSettings | undefined;
  /** The columns of its row but the password. */
  row: ReturnType<typeof rowOf>;
}

const [OF_RELAY, OF_TWILIO] = [
  ['isShared', 'host', 'port', 'security', 'user', 'password'],
  ['accountSid', 'authToken', 'apiKeySid', 'apiKeySecret', 'from', 'messagingServiceSid'],
] as const;
/** What the settings of a kind are. */
const SETTINGS: Readonly<Record<Exclude<SenderKind, 'outbox'>, readonly (keyof SettingsInput)[]>> = {
  smtp: OF_RELAY,
  webhook: ['endpointId'],
  twilio: OF_TWILIO,
};
/** As requests name them. */
const NAMES: Readonly<Record<keyof SettingsInput, string>> = {
  isShared: 'shared',
  host: 'host',
  port: 'port',
  security: 'security',
  user: 'user',
  password: 'password',
  endpointId: 'endpoint_id',
  accountSid: 'account_sid',
  authToken: 'auth_token',
  apiKeySid: 'api_key_sid',
  apiKeySecret: 'api_key_secret',
  from: 'from',
  messagingServiceSid: 'messaging_service_sid',
};
/** Kinds in sentences. */
const WORDS: Readonly<Record<SenderKind, string>> = {
  outbox: 'an outbox',
  smtp: 'a server of mail',
  webhook: 'a webhook',
  twilio: 'Twilio',
};

/** Throws `validation_error` for what a sender of the kind can't be. */
export function checkInput(kind: SenderKind, input: SenderInput, tools: SenderTools): CheckedSender {
  const { settings } = input;
  if (kind === 'outbox' && settings !== undefined) {
    throw invalid({ path: ['settings'], problem: 'must be left out for an outbox' });
  }
  if (kind !== 'outbox') expectSettings(kind, settings);
  if (sendsTexts(kind)) expectNothingOfEmail(kind, input);
  const relay = kind === 'smtp' ? checkRelay(settings as SettingsInput, tools) : undefined;
  const twilio = kind === 'twilio' ? checkTwilio(settings as SettingsInput) : undefined;
  return { relay, twilio, row: rowOf(kind, input, tools, { relay, twilio }) };
}

/** There have to be those of the kind, and no others. */
function expectSettings(kind: Exclude<SenderKind, 'outbox'>, settings: SettingsInput | undefined): void {
  if (settings === undefined) throw invalid({ path: ['settings'], problem: 'is required' });
  for (const [field, value] of Object.entries(settings) as [keyof SettingsInput, unknown][]) {
    if (value === undefined || value === false || SETTINGS[kind].includes(field)) continue;
    throw invalid({ path: ['settings', NAMES[field]], problem: `must be left out for ${WORDS[kind]}` });
  }
  if (kind === 'webhook' && settings.endpointId === undefined) {
    throw invalid({ path: ['settings', 'endpoint_id'], problem: 'is required' });
  }
}

function expectNothingOfEmail(kind: SenderKind, { fromEmail, fromName, replyTo, dkimSelector }: SenderInput): void {
  const problem = `must be left out or null for ${WORDS[kind]}`;
  if (fromEmail !== null) throw invalid({ path: ['from_email'], problem });
  if (replyTo !== null) throw invalid({ path: ['reply_to'], problem });
  if (dkimSelector !== null) throw invalid({ path: ['dkim_selector'], problem });
  if (kind === 'twilio' && fromName !== null) {
    throw invalid({ path: ['from_name'], problem: `${problem}: settings.from is what messages come from` });
  }
}

function addressesOf({ fromEmail, replyTo }: Pick<SenderInput, 'fromEmail' | 'replyTo'>): {
  fromEmail: string;
  replyTo: string | null;
} {
  if (fromEmail === null) throw invalid({ path: ['from_email'], problem: 'is required' });
  return {
    fromEmail: readAddress(fromEmail, 'from_email'),
    replyTo: replyTo === null ? null : readAddress(replyTo, 'reply_to'),
  };
}

function rowOf(
  kind: SenderKind,
  { settings, ...input }: SenderInput,
  { shared, maxPerSecond }: SenderTools,
  { relay, twilio }: { relay: CheckedRelay | undefined; twilio: TwilioSettings | undefined },
) {
  const own = relay && !relay.isShared ? relay : { host: null, port: null, security: null, user: null };
  if (input.maxPerSecond > maxPerSecond) {
    throw invalid({ path: ['max_per_second'], problem: `must be at most ${maxPerSecond} (MESSAGE_MAX_PER_SECOND)` });
  }
  if (input.signsDkim && !relay) {
    throw invalid({ path: ['dkim_signing'], problem: `must be false for ${WORDS[kind]}` });
  }
  if (input.signsDkim && input.dkimSelector === null) {
    throw invalid({ path: ['dkim_selector'], problem: 'is required with dkim_signing' });
  }
  const { maxPerDay, warmUp } = input;
  if (warmUp && kind === 'outbox')
    throw invalid({ path: ['warm_up'], problem: 'must be left out or null for an outbox' });
  if (warmUp) checkWarmUp(warmUp);
  const most = relay?.isShared ? (shared?.maxPerDay ?? 0) : Number.POSITIVE_INFINITY;
  if (maxPerDay !== null && maxPerDay > most) {
    throw invalid({ path: ['max_per_day'], problem: `must be at most ${most} by the shared server` });
  }
  return {
    ...input,
    ...own,
    ...(sendsTexts(kind) ? { fromEmail: null, replyTo: null } : addressesOf(input)),
    isShared: relay?.isShared ?? false,
    endpointId: settings?.endpointId ?? null,
    accountSid: twilio?.accountSid ?? null,
    apiKeySid: twilio?.apiKeySid ?? null,
    textFrom: twilio?.from ?? null,
    messagingServiceSid: twilio?.messagingServiceSid ?? null,
    warmUpFirst: warmUp?.first ?? null,
    warmUpTarget: warmUp?.target ?? null,
    maxPerDay: maxPerDay ?? (Number.isFinite(most) ? most : null),
  };
}
