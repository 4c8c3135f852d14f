import type { FeedbackProvider } from '../senders/sender.ts';

/** By which a message is known to providers that pass on what a mail says besides. */
export const MESSAGE_KEY = 'footfall-message';
/** The same as a header, where any is passed on. */
export const MESSAGE_HEADER = 'X-Footfall-Message';

/** The header by which a provider says of which message it tells something; none where it passes on the `Message-ID`. */
export function headersFor(provider: FeedbackProvider | null, id: string): readonly (readonly [string, string])[] {
  switch (provider) {
    case 'ses':
      return [['X-SES-MESSAGE-TAGS', `${MESSAGE_KEY}=${id}`]];
    case 'postmark':
      return [[`X-PM-Metadata-${MESSAGE_KEY}`, id]];
    case 'sendgrid':
      return [['X-SMTPAPI', JSON.stringify({ unique_args: { [MESSAGE_KEY]: id } })]];
    case 'mailgun':
      return [['X-Mailgun-Variables', JSON.stringify({ [MESSAGE_KEY]: id })]];
    case 'resend':
      return [[MESSAGE_HEADER, id]];
    default:
      return [];
  }
}
