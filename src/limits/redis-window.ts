import { createClient, defineScript } from 'redis';
import type { Log } from '../log.ts';
import { MemoryWindow } from './memory-window.ts';
import { type Admission, admission, WINDOW_MS, type Window } from './window.ts';

/** Milliseconds to wait for Redis before the process's own window decides. */
const TIMEOUT_MS = 500;
/** Milliseconds for which Redis is left alone after a failure, so that not every request waits for the next one. */
const RETRY_MS = 500;
const MAX_RECONNECT_DELAY_MS = 2_000;

/**
 * A list of admission times for each subject, oldest first, in microseconds of Redis's own clock. What has left the
 * window is dropped from the head, so that each request costs constant time, and all of it is one atomic step.
 */
const ADMIT = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `
    local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
    local time = redis.call('TIME')
    local now = time[1] * 1000000 + time[2]
    local oldest = redis.call('LINDEX', KEYS[1], 0)
    while oldest and tonumber(oldest) <= now - window do
      redis.call('LPOP', KEYS[1])
      oldest = redis.call('LINDEX', KEYS[1], 0)
    end
    local used = redis.call('LLEN', KEYS[1])
    if used < limit then
      redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
      redis.call('PEXPIRE', KEYS[1], window / 1000)
      return {1, used + 1, (tonumber(oldest) or now) + window - now}
    end
    local next = tonumber(redis.call('LINDEX', KEYS[1], used - limit))
    return {0, used, next + window - now}`,
  parseCommand(parser, subject: string, limit: number) {
    parser.pushKey(`footfall:window:${subject}`);
    parser.push(String(limit), String(WINDOW_MS * 1000));
  },
  /** Whether it is admitted, how many are in the window, and the microseconds until the next slot frees. */
  transformReply(reply: unknown): { admitted: number; used: number; microseconds: number } {
    const [admitted, used, microseconds] = reply as [number, number, number];
    return { admitted, used, microseconds };
  },
});

function connect(url: string) {
  return createClient({
    url,
    scripts: { admit: ADMIT },
    // Without this, commands would wait for ever while Redis is away.
    disableOfflineQueue: true,
    commandOptions: { timeout: TIMEOUT_MS },
    socket: {
      connectTimeout: 2_000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, MAX_RECONNECT_DELAY_MS),
    },
  });
}

/** The window that all processes share. While Redis is away, each process goes on with its own, and says so. */
export class RedisWindow implements Window {
  readonly #client: ReturnType<typeof connect>;
  readonly #fallback = new MemoryWindow();
  readonly #log: Log;
  #available = true;
  #retryAt = 0;

  private constructor(client: ReturnType<typeof connect>, log: Log) {
    this.#client = client;
    this.#log = log;
  }

  /** Connects, now or, where Redis is away, as soon as it is there. */
  static async open(url: string, log: Log): Promise<RedisWindow> {
    const client = connect(url);
    const window = new RedisWindow(client, log);
    client.on('error', (error) => window.#unavailable(error));
    const connected = client.connect().catch((error) => window.#unavailable(error));
    await Promise.race([connected, new Promise((done) => setTimeout(done, 2_000).unref())]);
    return window;
  }

  /** Whether the shared window decides at the moment. */
  get available(): boolean {
    return this.#available;
  }

  async admit(subject: string, limit: number): Promise<Admission> {
    if (!this.#available && performance.now() < this.#retryAt) return this.#fallback.admit(subject, limit);
    try {
      const { admitted, used, microseconds } = await this.#client.admit(subject, limit);
      if (!this.#available) {
        this.#available = true;
        this.#log.info('Redis is back: the rate limit is shared again');
      }
      return admission(admitted === 1, limit, used, microseconds / 1000);
    } catch (error) {
      this.#unavailable(error);
      return this.#fallback.admit(subject, limit);
    }
  }

  close(): void {
    this.#client.destroy();
  }

  #unavailable(error: unknown): void {
    this.#retryAt = performance.now() + RETRY_MS;
    if (!this.#available) return;
    this.#available = false;
    this.#log.warn({ err: error }, 'Redis is not available: each process limits on its own');
  }
}
