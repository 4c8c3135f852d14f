import type { ToldFeedback } from '../../domain/messages/feedback/item.ts';
import type { OpenedFeedback } from '../../domain/senders/feedback-settings.ts';
import { type HookRequest, unproven } from '../values.ts';
import { readGeneric } from './generic.ts';
import { readMailgun } from './mailgun.ts';
import { readPostmark } from './postmark.ts';
import { readResend } from './resend.ts';
import { readSendgrid } from './sendgrid.ts';
import { readSes } from './ses.ts';
import type { SnsSignatures } from './sns.ts';
import { readTwilio } from './twilio.ts';

/** What reading needs beside the request. */
export interface ProviderTools {
  sns: SnsSignatures;
}

/** Reads what a provider tells, in its own form. Throws `unauthorized` where it does not prove who it is. */
export async function readOfProvider(
  request: HookRequest,
  settings: OpenedFeedback,
  { sns }: ProviderTools,
): Promise<ToldFeedback> {
  switch (settings.provider) {
    case 'generic':
      return readGeneric(request, settings);
    case 'ses':
      return await readSes(request, settings, sns);
    case 'postmark':
      return readPostmark(request, settings);
    case 'sendgrid':
      return readSendgrid(request, settings);
    case 'mailgun':
      return readMailgun(request, settings);
    case 'resend':
      return readResend(request, settings);
    case 'twilio':
      return readTwilio(request, settings);
    case null:
      throw unproven('The sender names no provider whose hooks it takes');
  }
}
