import { createClient, defineScript } from 'redis';
import { SharedTimeout } from '../concurrency/shared-timeout.ts';
import type { Log } from '../process/log.ts';
import { MemoryWindow } from './memory-window.ts';
import { type Admission, admissionOf, type SlidingWindow, WINDOW_MS } from './sliding-window.ts';

/** Milliseconds to wait for Redis before the process's own window decides. */
const TIMEOUT_MS = 1_000;
/** Milliseconds for which Redis is not asked after a failure, so that not every request runs into a timeout. */
const RETRY_MS = 500;
const MAX_RECONNECT_DELAY_MS = 2_000;
/** Milliseconds after which an unresponsive connection is replaced: it may be silently dead. */
const GIVE_UP_MS = 2_000;

/**
 * Keeps a list of admission times for each subject, oldest first, in microseconds of Redis's own clock. Times that have
 * left the window are dropped from the head, so that each request costs constant time in one atomic step. Admits as
 * many of `count` requests as the limit allows. If the clock was set back, the times are shifted back too, so that the
 * newest is now: otherwise they would stay in the window for that much longer. The shifted times are pushed before the
 * old ones are trimmed, as Redis may be out of memory.
 */
const ADMIT = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `
    local limit, window, count = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
    local time = redis.call('TIME')
    local now = time[1] * 1000000 + time[2]
    local newest = tonumber(redis.call('LINDEX', KEYS[1], -1) or 0)
    if newest > now then
      local times = redis.call('LRANGE', KEYS[1], 0, -1)
      for _, time in ipairs(times) do
        redis.call('RPUSH', KEYS[1], string.format('%.0f', tonumber(time) - (newest - now)))
      end
      redis.call('LTRIM', KEYS[1], #times, -1)
      redis.call('PEXPIRE', KEYS[1], window / 1000)
    end
    local oldest = redis.call('LINDEX', KEYS[1], 0)
    while oldest and tonumber(oldest) <= now - window do
      redis.call('LPOP', KEYS[1])
      oldest = redis.call('LINDEX', KEYS[1], 0)
    end
    local used = redis.call('LLEN', KEYS[1])
    local admitted = math.max(0, math.min(count, limit - used))
    if admitted > 0 then
      local text = string.format('%.0f', now)
      for _ = 1, admitted do redis.call('RPUSH', KEYS[1], text) end
      redis.call('PEXPIRE', KEYS[1], window / 1000)
    end
    local freed = (tonumber(oldest) or now) + window - now
    if admitted == count then return {admitted, used, freed, 0} end
    local next = tonumber(redis.call('LINDEX', KEYS[1], used + admitted - limit))
    return {admitted, used, freed, next + window - now}`,
  parseCommand(parser, subject: string, limit: number, count: number) {
    parser.pushKey(keyOf(subject));
    parser.push(String(limit), String(WINDOW_MS * 1000), String(count));
  },
  /** The requests admitted, those in the window before, and the microseconds until a slot frees. */
  transformReply(reply: unknown): Verdict {
    const [admitted, used, freed, next] = reply as [number, number, number, number];
    return { admitted, used, freed, next };
  },
});

/** Returns the number of admissions in each list. */
const USED = defineScript({
  SCRIPT: `
    local time = redis.call('TIME')
    local leaves = time[1] * 1000000 + time[2] - tonumber(ARGV[1])
    local used = {}
    for i, key in ipairs(KEYS) do
      local oldest = redis.call('LINDEX', key, 0)
      while oldest and tonumber(oldest) <= leaves do
        redis.call('LPOP', key)
        oldest = redis.call('LINDEX', key, 0)
      end
      used[i] = redis.call('LLEN', key)
    end
    return used`,
  parseCommand(parser, subjects: readonly string[]) {
    parser.pushKeysLength(subjects.map(keyOf));
    parser.push(String(WINDOW_MS * 1000));
  },
  transformReply: (reply: unknown) => reply as number[],
});

function keyOf(subject: string): string {
  return `footfall:window:${subject}`;
}

interface Verdict {
  admitted: number;
  used: number;
  /** Microseconds until the next slot frees: for admitted requests, and for refused ones. */
  freed: number;
  next: number;
}

/** Requests of one subject that arrived together: one call of Redis decides about all. */
interface Group {
  subject: string;
  limit: number;
  waiting: ((verdict: Verdict | undefined, index: number) => void)[];
}

function createRedisClient(url: string) {
  return createClient({
    url,
    scripts: { admit: ADMIT, used: USED },
    // Without this, commands would wait forever while Redis is down.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: 2_000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, MAX_RECONNECT_DELAY_MS),
    },
  });
}

/** Rate-limit windows shared by all processes. While Redis is down, each process uses its own and logs that. */
export class RedisWindow implements SlidingWindow {
  readonly #url: string;
  #client: ReturnType<typeof createRedisClient>;
  #connectedAt = 0;
  readonly #fallback = new MemoryWindow();
  #groups = new Map<string, Group>();
  #isDeciding = false;
  readonly #log: Log;
  #available = true;
  #retryAt = 0;
  #closed = false;

  private constructor(url: string, log: Log) {
    this.#url = url;
    this.#client = createRedisClient(url);
    this.#log = log;
  }

  /** Connects; if Redis is down, as soon as it is back. */
  static async open(url: string, log: Log): Promise<RedisWindow> {
    const window = new RedisWindow(url, log);
    await Promise.race([window.#connect(), new Promise((done) => setTimeout(done, 2_000).unref())]);
    return window;
  }

  /** With a new client each time: one that waits for a response can't be made to reconnect. */
  async #connect(): Promise<void> {
    this.#connectedAt = performance.now();
    if (this.#client.isOpen) this.#client.destroy();
    this.#client = createRedisClient(this.#url);
    this.#client.on('error', (error) => this.#markUnavailable(error));
    await this.#client.connect().catch((error) => this.#markUnavailable(error));
  }

  /** Whether the shared window currently decides. */
  get available(): boolean {
    return this.#available;
  }

  /** Whether it failed a moment ago. */
  get #isBackingOff(): boolean {
    return !this.#available && performance.now() < this.#retryAt;
  }

  admit(subject: string, limit: number): Promise<Admission> | Admission {
    if (this.#isBackingOff) return this.#fallback.admit(subject, limit);
    return new Promise((resolve) => {
      const group = this.#groups.get(subject) ?? { subject, limit, waiting: [] };
      this.#groups.set(subject, group);
      group.waiting.push((verdict, index) => {
        resolve(verdict ? toAdmission(verdict, limit, index) : this.#fallback.admit(subject, limit));
      });
      if (!this.#isDeciding) this.#decideSoon();
    });
  }

  async used(subjects: readonly string[]): Promise<number[]> {
    if (this.#isBackingOff) return this.#fallback.used(subjects);
    try {
      return await this.#withTimeout(() => this.#client.used(subjects));
    } catch (error) {
      this.#markUnavailable(error);
      return this.#fallback.used(subjects);
    }
  }

  async takeBack(subject: string): Promise<void> {
    if (this.#isBackingOff) return this.#fallback.takeBack(subject);
    try {
      await this.#withTimeout(() => this.#client.rPop(keyOf(subject)));
    } catch (error) {
      this.#markUnavailable(error);
    }
  }

  /** Decides about all requests of this turn of the event loop, then about those that arrived while Redis was asked. */
  #decideSoon(): void {
    this.#isDeciding = true;
    setImmediate(async () => {
      const groups = this.#groups;
      this.#groups = new Map();
      await Promise.all(Array.from(groups.values(), (group) => this.#decideGroup(group)));
      if (this.#groups.size > 0) this.#decideSoon();
      else this.#isDeciding = false;
    });
  }

  async #decideGroup({ subject, limit, waiting }: Group): Promise<void> {
    let verdict: Verdict | undefined;
    try {
      // Redis may have failed while these were waiting.
      if (!this.#isBackingOff)
        verdict = await this.#withTimeout(() => this.#client.admit(subject, limit, waiting.length));
      // A Redis that is out of memory, or a replica, still refuses what exceeds the limit; only a write proves that it
      // works.
      if (verdict && verdict.admitted > 0) this.#markAvailable();
    } catch (error) {
      this.#markUnavailable(error);
    }
    for (const [index, decide] of waiting.entries()) decide(verdict, index);
  }

  /** Returns the response of Redis; rejects if there is none in time. */
  async #withTimeout<Answer>(command: () => Promise<Answer>): Promise<Answer> {
    let timeout: SharedTimeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const giveUp = () => reject(new Error(`Redis did not answer within ${TIMEOUT_MS} ms`));
      // If this process was too busy to read it, the response may be there: it is read before `setImmediate` runs.
      timeout = new SharedTimeout(TIMEOUT_MS, () => setImmediate(giveUp));
    });
    try {
      return await Promise.race([command(), late]);
    } finally {
      timeout?.cancel();
    }
  }

  close(): void {
    this.#closed = true;
    if (this.#client.isOpen) this.#client.destroy();
  }

  #markAvailable(): void {
    if (this.#available) return;
    this.#available = true;
    this.#log.info('Redis is back: the rate limit is shared again');
  }

  #markUnavailable(error: unknown): void {
    if (this.#closed) return;
    this.#retryAt = performance.now() + RETRY_MS;
    if (performance.now() - this.#connectedAt > GIVE_UP_MS) void this.#connect();
    if (!this.#available) return;
    this.#available = false;
    this.#log.warn({ err: error }, 'Redis is not available: each process limits on its own');
  }
}

function toAdmission({ admitted, used, freed, next }: Verdict, limit: number, index: number): Admission {
  const isAdmitted = index < admitted;
  const inWindow = used + Math.min(index + 1, admitted);
  return admissionOf(isAdmitted, limit, inWindow, (isAdmitted ? freed : next) / 1000);
}
