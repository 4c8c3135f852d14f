import { sql } from 'kysely';
import { openSecrets } from '../../../src/domain/secrets/open-secrets.ts';
import { clickLinks, TRACKED_LINKS } from '../../../src/domain/tracking/tracked-links.ts';
import type { Stage, Store } from '../automations/stage.ts';
import { generate, type Result } from '../load.ts';
import type { Target } from '../service.ts';
import { newSender, newTemplate, queue, SENDABLE } from './mails.ts';

/** Messages whose links are followed: each has a window of its own. */
const MESSAGES = 20_000;
const WARM_UP = 4;

/** How many links of messages a process leads on in a second, whose clicks it records. */
export async function measureClicks(
  stage: Stage,
  service: Target,
  seconds: number,
): Promise<Pick<Result, 'rate' | 'p50' | 'p99'>> {
  const store = await stage.newStore();
  const { keys } = (await openSecrets(stage.sql, [])).derive(TRACKED_LINKS);
  const of = { keys, publicUrl: SENDABLE.PUBLIC_URL, storeId: store.id, clicks: true, opens: true };
  const links = (await sentMessages(stage, service, store)).map((messageId, n) => {
    const link = clickLinks({ ...of, messageId })?.(1 + (n % 20), `https://shop.example/week/${n % 20}`);
    return (link as string).slice(SENDABLE.PUBLIC_URL.length);
  });
  const load = { scenario: 'links', connections: 64, url: service.url, key: '', links };
  await generate({ ...load, seconds: WARM_UP, run: 'warm-up' });
  return await generate({ ...load, seconds, run: 'clicks' });
}

/** Returns the ids of messages that customers have had for an hour. */
async function sentMessages(stage: Stage, service: Target, store: Store): Promise<string[]> {
  const templateId = await newTemplate(service, store);
  const senderId = await newSender(stage, service, store, 9);
  await queue(stage.sql, store, { senderId, templateId, count: MESSAGES, dueAt: sql`null` });
  const { rows } = await sql<{ id: string }>`
    update message set status = 'sent', begun_at = now() - interval '1 hour', finished_at = now()
    where store_id = ${store.id} returning id`.execute(stage.sql);
  await sql`vacuum analyze`.execute(stage.sql);
  return rows.map(({ id }) => id);
}
