import { addressSubject, type SlidingWindow } from '../rate-limit/sliding-window.ts';
import type { AddressOf } from './client-address.ts';
import { expectAdmitted, LIMIT_OF_ADDRESS, limitOf } from './rate-limit.ts';
import type { Ctx } from './surface.ts';

/** What a link in a message is counted by: the message; undefined if it is not ours. */
export type CountLink = (ctx: Ctx, messageId: string | undefined) => Promise<void>;

/**
 * Counts requests of links in messages. Each message has a window of its own, as the servers of a mailbox provider
 * unsubscribe thousands of readers from one address; whoever tries links that are not ours is counted by their address.
 */
export function countRequestsOfLinks(
  window: SlidingWindow,
  tiers: ReadonlyMap<string, number>,
  addressOf: AddressOf,
): CountLink {
  return async (ctx, messageId) => {
    const admission = await (messageId === undefined
      ? window.admit(addressSubject(addressOf(ctx)), limitOf(tiers))
      : window.admit(`link:${messageId}`, LIMIT_OF_ADDRESS));
    expectAdmitted(ctx, admission);
  };
}

/** What a hook of a provider is counted by: its sender; undefined if it is not ours, or proves nothing. */
export type CountHook = (ctx: Ctx, senderId: string | undefined) => Promise<void>;

/** Requests per window that providers may make for one sender: some make one for each message, as fast as it sends. */
const LIMIT_OF_HOOK = 30_000;

/** Counts requests of providers by sender, as each has many addresses and shares them with others. */
export function countRequestsOfHooks(
  window: SlidingWindow,
  tiers: ReadonlyMap<string, number>,
  addressOf: AddressOf,
): CountHook {
  return async (ctx, senderId) => {
    const admission = await (senderId === undefined
      ? window.admit(addressSubject(addressOf(ctx)), limitOf(tiers))
      : window.admit(`hook:${senderId}`, LIMIT_OF_HOOK));
    expectAdmitted(ctx, admission);
  };
}
