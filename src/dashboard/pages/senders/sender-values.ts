import type { Arguments, Sender } from '../../../client/index.ts';

/** A sender as it is typed. */
export interface SenderValues {
  kind: 'outbox' | 'smtp' | 'webhook' | 'twilio';
  name: string;
  fromEmail: string;
  fromName: string;
  replyTo: string;
  /** Whether the server is the operator's. */
  isShared: boolean;
  host: string;
  port: number;
  security: 'tls' | 'starttls';
  user: string;
  /** Empty: it stays as it is. */
  password: string;
  dkimSelector: string;
  /** Of a webhook: what takes text messages. */
  endpointId: string;
  /** Of Twilio. */
  accountSid: string;
  /** Empty: they stay as they are. */
  authToken: string;
  apiKeySecret: string;
  /** Empty: the auth token logs in. */
  apiKeySid: string;
  from: string;
  /** Empty, where there is a `from`. */
  messagingServiceSid: string;
  /** Whether messages are signed here. */
  signsDkim: boolean;
  class: 'marketing' | 'transactional' | 'both';
  maxPerSecond: number;
  /** None: any number. */
  maxPerDay: number | undefined;
  maxConcurrent: number;
  /** None: it sends as many as it can from the first day on. */
  warmUp: { first: number; target: number } | undefined;
}

export const NEW_SENDER: SenderValues = {
  kind: 'smtp',
  name: '',
  fromEmail: '',
  fromName: '',
  replyTo: '',
  isShared: false,
  host: '',
  port: 587,
  security: 'starttls',
  user: '',
  password: '',
  dkimSelector: '',
  endpointId: '',
  accountSid: '',
  authToken: '',
  apiKeySid: '',
  apiKeySecret: '',
  from: '',
  messagingServiceSid: '',
  signsDkim: false,
  class: 'both',
  maxPerSecond: 5,
  maxPerDay: undefined,
  maxConcurrent: 4,
  warmUp: undefined,
};

export function valuesOf(sender: Sender): SenderValues {
  const { settings, warm_up } = sender;
  return {
    ...NEW_SENDER,
    kind: sender.kind as SenderValues['kind'],
    name: sender.name,
    fromEmail: sender.from_email ?? '',
    fromName: sender.from_name ?? '',
    replyTo: sender.reply_to ?? '',
    isShared: settings?.shared ?? false,
    host: settings?.host ?? '',
    port: settings?.port ?? NEW_SENDER.port,
    security: settings?.security === 'tls' ? 'tls' : 'starttls',
    user: settings?.user ?? '',
    dkimSelector: sender.dkim_selector ?? '',
    endpointId: settings?.endpoint_id ?? '',
    accountSid: settings?.account_sid ?? '',
    apiKeySid: settings?.api_key_sid ?? '',
    from: settings?.from ?? '',
    messagingServiceSid: settings?.messaging_service_sid ?? '',
    signsDkim: sender.dkim_signing,
    class: sender.class as SenderValues['class'],
    maxPerSecond: sender.max_per_second,
    maxPerDay: sender.max_per_day ?? undefined,
    maxConcurrent: sender.max_concurrent,
    warmUp: warm_up ? { first: warm_up.first_per_day, target: warm_up.target_per_day } : undefined,
  };
}

/** As the service takes it, with the settings that its kind has. */
export function inputOf(values: SenderValues): Omit<Arguments<'updateSender'>, 'id'> {
  const { kind, isShared, host, port, security, user, password } = values;
  const server = { host: host.trim(), port, security, user: user || null, ...(password !== '' && { password }) };
  const isMail = takesChannel(kind, 'email');
  return {
    name: values.name.trim(),
    from_email: isMail ? values.fromEmail.trim() : null,
    from_name: kind === 'twilio' ? null : values.fromName.trim() || null,
    reply_to: isMail ? values.replyTo.trim() || null : null,
    class: values.class,
    max_per_second: values.maxPerSecond,
    max_per_day: values.maxPerDay ?? null,
    max_concurrent: values.maxConcurrent,
    warm_up: values.warmUp ? { first_per_day: values.warmUp.first, target_per_day: values.warmUp.target } : null,
    dkim_selector: kind === 'smtp' ? values.dkimSelector.trim() || null : null,
    dkim_signing: kind === 'smtp' && values.signsDkim,
    settings: {
      outbox: null,
      smtp: isShared ? { shared: true } : server,
      webhook: { endpoint_id: values.endpointId },
      twilio: twilioOf(values),
    }[kind],
  };
}

/** What is empty is left out. */
function twilioOf({ accountSid, authToken, apiKeySid, apiKeySecret, from, messagingServiceSid }: SenderValues) {
  const given = {
    ...{ account_sid: accountSid, auth_token: authToken, api_key_sid: apiKeySid, api_key_secret: apiKeySecret },
    ...{ from, messaging_service_sid: messagingServiceSid },
  };
  const trimmed = Object.entries(given).map(([name, value]): [string, string] => [name, value.trim()]);
  return Object.fromEntries(trimmed.filter(([, value]) => value !== ''));
}

/** Whether a kind of senders takes messages of a channel: an outbox takes all. */
export function takesChannel(kind: string, channel: 'email' | 'sms'): boolean {
  return kind === 'outbox' || (kind === 'smtp') === (channel === 'email');
}

/** Whether it lacks what the service would ask for. */
export function isUnfinished({ kind, name, fromEmail, isShared, host, endpointId, ...twilio }: SenderValues): boolean {
  const server = isShared ? [] : [host];
  const ofTwilio = [twilio.accountSid, twilio.from.trim() || twilio.messagingServiceSid];
  const needed = { outbox: [fromEmail], smtp: [fromEmail, ...server], webhook: [endpointId], twilio: ofTwilio }[kind];
  return [name, ...needed].some((text) => text.trim() === '');
}
