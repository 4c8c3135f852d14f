import type { MessageSettings } from '../../senders/message-settings.ts';
import { durationMs } from '../../time/duration.ts';
import type { Caps } from './decide.ts';

/** How many marketing messages a customer may get, as the store has settled. */
export function capsOf({ caps, smartSending }: Pick<MessageSettings, 'caps' | 'smartSending'>): Caps {
  return {
    most: caps && { count: caps.most, withinMs: durationMs(caps.within) },
    gapMs: smartSending === null ? null : durationMs(smartSending),
  };
}
