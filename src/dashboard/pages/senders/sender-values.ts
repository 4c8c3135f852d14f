import type { Arguments, Sender } from '../../../client/index.ts';

/** A sender as it is typed. */
export interface SenderValues {
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
  /** Whether messages are signed here. */
  signsDkim: boolean;
  class: 'marketing' | 'transactional' | 'both';
  maxPerSecond: number;
  /** None: any number. */
  maxPerDay: number | undefined;
  maxConcurrent: number;
}

export const NEW_SENDER: SenderValues = {
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
  signsDkim: false,
  class: 'both',
  maxPerSecond: 5,
  maxPerDay: undefined,
  maxConcurrent: 4,
};

export function valuesOf(sender: Sender): SenderValues {
  const { settings } = sender;
  return {
    ...NEW_SENDER,
    name: sender.name,
    fromEmail: sender.from_email,
    fromName: sender.from_name ?? '',
    replyTo: sender.reply_to ?? '',
    isShared: settings?.shared ?? false,
    host: settings?.host ?? '',
    port: settings?.port ?? NEW_SENDER.port,
    security: settings?.security === 'tls' ? 'tls' : 'starttls',
    user: settings?.user ?? '',
    dkimSelector: sender.dkim_selector ?? '',
    signsDkim: sender.dkim_signing,
    class: sender.class as SenderValues['class'],
    maxPerSecond: sender.max_per_second,
    maxPerDay: sender.max_per_day ?? undefined,
    maxConcurrent: sender.max_concurrent,
  };
}

/** As the service takes it; the settings of a server are those of the kind `smtp` alone. */
export function inputOf(values: SenderValues, kind: string): Omit<Arguments<'updateSender'>, 'id'> {
  const { isShared, host, port, security, user, password } = values;
  const server = { host: host.trim(), port, security, user: user || null, ...(password !== '' && { password }) };
  return {
    name: values.name.trim(),
    from_email: values.fromEmail.trim(),
    from_name: values.fromName.trim() || null,
    reply_to: values.replyTo.trim() || null,
    class: values.class,
    max_per_second: values.maxPerSecond,
    max_per_day: values.maxPerDay ?? null,
    max_concurrent: values.maxConcurrent,
    dkim_selector: kind === 'smtp' ? values.dkimSelector.trim() || null : null,
    dkim_signing: kind === 'smtp' && values.signsDkim,
    settings: kind === 'smtp' ? (isShared ? { shared: true } : server) : null,
  };
}
