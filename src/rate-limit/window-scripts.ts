import { defineScript } from 'redis';
import { WINDOW_MS } from './sliding-window.ts';

/**
 * Keeps a list of admission times for each subject, oldest first, in microseconds of Redis's own clock. Times that have
 * left the window are dropped from the head, so that each request costs constant time in one atomic step. Admits as
 * many of `count` requests as the limit allows. If the clock was set back, the times are shifted back too, so that the
 * newest is now: otherwise they would stay in the window for that much longer. The shifted times are pushed before the
 * old ones are trimmed, as Redis may be out of memory.
 */
export const ADMIT = defineScript({
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
export const USED = defineScript({
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

/** Each subject has one key, so each call is one of a single slot: no hash tag has to keep keys together. */
export function keyOf(subject: string): string {
  return `footfall:window:${subject}`;
}

export interface Verdict {
  admitted: number;
  used: number;
  /** Microseconds until the next slot frees: for admitted requests, and for refused ones. */
  freed: number;
  next: number;
}
