import { createClient } from 'redis';
import type { RedisServer } from '../process/redis-urls.ts';
import { ADMIT, USED } from './window-scripts.ts';

const MAX_RECONNECT_DELAY_MS = 2_000;

export type Client = ReturnType<typeof createRedisClient>;

export function createRedisClient({ host, port, tls, username, password, database }: RedisServer) {
  return createClient({
    ...(username && { username }),
    ...(password && { password }),
    database,
    scripts: { admit: ADMIT, used: USED },
    // Without this, commands would wait forever while Redis is down.
    disableOfflineQueue: true,
    socket: {
      host,
      port,
      ...(tls ? { tls: true } : {}),
      connectTimeout: 2_000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, MAX_RECONNECT_DELAY_MS),
    },
  });
}

/**
 * Sends a command to the node to which its slot is moving. It is taken only directly after `ASKING`, so its script,
 * if it has one, has to be there before.
 */
export async function askingFirst<Answer>(
  client: Client,
  script: string | undefined,
  command: (client: Client) => Promise<Answer>,
): Promise<Answer> {
  const [, , answer] = await Promise.all([
    script && client.scriptLoad(script),
    client.sendCommand(['ASKING']),
    command(client),
  ]);
  return answer;
}
