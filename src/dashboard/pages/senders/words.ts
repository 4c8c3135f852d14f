import type { FeedbackProvider, SenderCheckName, SenderTest } from '../../../client/index.ts';

export const KIND_WORDS: Readonly<Record<string, string>> = {
  outbox: 'Outbox: keeps messages, and sends nothing',
  smtp: 'SMTP',
  webhook: 'Webhook, for text messages',
  twilio: 'Twilio, for text messages',
};

export const CLASS_WORDS: Readonly<Record<string, string>> = {
  both: 'All messages',
  marketing: 'Marketing',
  transactional: 'Transactional messages',
};

/** What is looked at, in the order in which to mend it. */
export const CHECK_WORDS: Readonly<Record<SenderCheckName, string>> = {
  public_url: 'The service has a public address',
  connection: 'The server can be reached, and logged in to',
  domain: 'The domain is the store’s',
  spf: 'The domain says who may send for it (SPF)',
  dkim: 'The domain has the key that messages are signed with (DKIM)',
  dmarc: 'The domain has a policy (DMARC)',
  return_path: 'The domain takes what comes back',
  postal_address: 'The store has a postal address',
};

export const WARNING_WORDS: Readonly<Record<string, string>> = {
  free_mail: 'The provider of this address lets nobody else send for it: what you send may be refused everywhere.',
};

export const FAILURE_WORDS: Readonly<Record<Extract<SenderTest['reason'], string>, string>> = {
  name_not_found: 'There is no server of this name.',
  address_refused: 'The address of the server is not a public one.',
  connection_refused: 'The server refused the connection.',
  connect_timeout: 'The server did not take the connection in time.',
  connection_closed: 'The server closed the connection.',
  connection_failed: 'The connection failed.',
  tls_failed: 'The connection could not be encrypted.',
  tls_not_offered: 'The server does not encrypt.',
  malformed_answer: 'The server does not speak SMTP.',
  timeout: 'The server did not answer in time.',
  server_error: 'The server says that something is wrong with it.',
};

export const PROVIDER_WORDS: Readonly<Record<FeedbackProvider, string>> = {
  ses: 'Amazon SES, by SNS',
  postmark: 'Postmark',
  sendgrid: 'SendGrid',
  mailgun: 'Mailgun',
  resend: 'Resend',
  twilio: 'Twilio',
  generic: 'A program of your own',
};

/** What a provider gives by which it proves who it is; the others have none. */
export const KEY_LABELS: Readonly<Record<string, string>> = {
  ses: 'ARN of the SNS topic',
  sendgrid: 'Verification key',
  mailgun: 'Webhook signing key',
  resend: 'Signing secret',
  twilio: 'Auth token',
} satisfies Partial<Record<FeedbackProvider, string>>;
