import { openSecrets } from '../../../src/domain/secrets/open-secrets.ts';
import { clickLinks, TRACKED_LINKS } from '../../../src/domain/tracking/tracked-links.ts';
import { newId } from '../../../src/ids/uuid-v7.ts';
import type { Stage } from '../automations/stage.ts';
import { generate, type Result } from '../load.ts';
import type { Target } from '../service.ts';
import { SENDABLE } from './mails.ts';

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
  const links = Array.from({ length: MESSAGES }, (_, n) => {
    const link = clickLinks({ ...of, messageId: newId() })?.(1 + (n % 20), `https://shop.example/week/${n % 20}`);
    return (link as string).slice(SENDABLE.PUBLIC_URL.length);
  });
  const load = { scenario: 'links', connections: 64, url: service.url, key: '', links };
  await generate({ ...load, seconds: WARM_UP, run: 'warm-up' });
  return await generate({ ...load, seconds, run: 'clicks' });
}
