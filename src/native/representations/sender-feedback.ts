import type { SenderFeedback } from '../../../generated/native/types.gen.ts';
import type { FeedbackCounts } from '../../domain/messages/feedback/read-counts.ts';
import { eventsUrl, type HookToken, hookUrl } from '../../domain/messages/hook-token.ts';
import type { FeedbackSettings } from '../../domain/senders/feedback-settings.ts';
import type { SenderTools } from '../../domain/senders/tools.ts';

export function renderSenderFeedback(
  token: HookToken,
  { provider, isSecretSet, isKeySet }: FeedbackSettings,
  counts: FeedbackCounts,
  { hookTokens, linkBase }: SenderTools,
): SenderFeedback {
  return {
    provider,
    secret_set: isSecretSet,
    key_set: isKeySet,
    events_url: eventsUrl(hookTokens, linkBase, token),
    dsn_url: `${hookUrl(hookTokens, linkBase, token)}/dsn`,
    delivered_count: counts.delivered,
    deferred_count: counts.deferred,
    bounced_count: counts.bounced,
    complained_count: counts.complained,
    unsubscribed_count: counts.unsubscribed,
    subscribed_count: counts.subscribed,
    help_count: counts.help,
    replied_count: counts.replied,
    unmatched_count: counts.unmatched,
    last_received_at: counts.lastReceivedAt?.toISOString() ?? null,
  };
}
