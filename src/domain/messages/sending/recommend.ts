import type { Sql } from '../../../db/sql.ts';
import { recommendInMessages } from '../../catalog/recommendations/for-messages.ts';
import type { JsonObject } from '../../conditions/subject.ts';
import { recommendingOf } from '../../templates/core/looked-up.ts';
import type { ClaimedMessage } from './claim.ts';
import { keepContexts } from './keep-contexts.ts';
import type { ReadReady } from './make-mails.ts';

/**
 * Looks up what claimed messages recommend whose templates say so, and keeps it with them: another attempt, and whoever opens
 * one as a page, shows the same. Returns all messages, in their order.
 */
export async function withRecommendations(
  db: Sql,
  storeId: string,
  messages: readonly ClaimedMessage[],
  readReady: ReadReady,
): Promise<ClaimedMessage[]> {
  const found = new Map<string, ClaimedMessage>();
  const open = messages.filter(({ context }) => context.recommended === undefined);
  const versions = Map.groupBy(open, ({ templateId, templateVersion }) => `${templateId}/${templateVersion}`);
  for (const some of versions.values()) {
    const [{ templateId, templateVersion }] = some as [ClaimedMessage];
    const ready = await readReady(templateId, templateVersion);
    const wanted = ready && recommendingOf(ready.compiled);
    if (!wanted) continue;
    const recommended = await recommendInMessages(
      db,
      storeId,
      wanted,
      some.map(({ profileId, context }) => ({
        profileId,
        properties: (context.event?.properties as JsonObject | undefined) ?? null,
      })),
    );
    for (const [i, message] of some.entries()) {
      found.set(message.id, { ...message, context: { ...message.context, recommended: recommended[i] ?? {} } });
    }
  }
  if (found.size > 0) await keepContexts(db, storeId, [...found.values()]);
  return messages.map((message) => found.get(message.id) ?? message);
}
