import type { ToldFeedback } from '../../domain/messages/feedback/item.ts';
import type { OpenedFeedback } from '../../domain/senders/feedback-settings.ts';
import { type HookRequest, unproven } from '../values.ts';
import { readGeneric } from './generic.ts';

/** What reading needs beside the request. */
export type ProviderTools = object;

/** Reads what a provider tells, in its own form. Throws `unauthorized` where it does not prove who it is. */
export async function readOfProvider(
  request: HookRequest,
  settings: OpenedFeedback,
  _tools: ProviderTools,
): Promise<ToldFeedback> {
  switch (settings.provider) {
    case 'generic':
      return readGeneric(request, settings);
    default:
      throw unproven('The sender names no provider whose hooks it takes');
  }
}
