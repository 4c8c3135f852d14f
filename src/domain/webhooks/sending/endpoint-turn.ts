import { setTimeout as sleep } from 'node:timers/promises';
import type { FairSemaphore } from '../../../concurrency/fair-semaphore.ts';
import type { Sql } from '../../../db/sql.ts';
import { Recorder } from '../../../engine/recorder.ts';
import type { Slots } from '../../../engine/slots.ts';
import type { Log } from '../../../process/log.ts';
import type { VersionCache } from '../../automations/stored/version-cache.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { refusesCall, type SendBefore } from '../deliveries/attempt.ts';
import { type Claim, type ClaimedDelivery, claimDeliveries, LEASE_S } from './claim.ts';
import { holdDeliveries } from './hold.ts';
import type { Observe } from './observed.ts';
import { recordSettled, type Settled } from './record.ts';
import { requestOf } from './request-of.ts';

/** What the sending to all endpoints shares. */
export interface SendingTools {
  send: SendBefore;
  secrets: Secrets;
  /** The requests under way, of all endpoints. */
  slots: Slots;
  claimTurns: FairSemaphore;
  versions: VersionCache;
  observe: Observe;
  log: Log;
  /** Whether nothing more is to be taken, as the process ends. */
  isStopping: () => boolean;
}

/** Milliseconds between two looks for more: at least, while its rate is used up or it takes some, and at most. */
const [PAUSE_MS, RATE_PAUSE_MS, MAX_PAUSE_MS] = [20, 100, 1_000];

/** Slots that an endpoint asks for that has used none. All endpoints of a store may look for deliveries at a time. */
const FEW = 4;

/** Sends what is due to one endpoint, until nothing is left that it may be sent now. */
export class EndpointTurn {
  readonly #db: Sql;
  readonly #storeId: string;
  readonly #endpointId: string;
  readonly #tools: SendingTools;
  readonly #underWay = new Set<Promise<void>>();
  readonly #recorder: Recorder<Settled>;
  /**
   * Slots that it asks for: twice as many as it used last. What it has while it looks for deliveries, the other endpoints of
   * its store do not have.
   */
  #wanted = FEW;

  constructor(db: Sql, storeId: string, endpointId: string, tools: SendingTools) {
    this.#db = db;
    this.#storeId = storeId;
    this.#endpointId = endpointId;
    this.#tools = tools;
    this.#recorder = new Recorder({
      forMs: LEASE_S * 1000,
      write: async (settled) => tools.observe(await recordSettled(db, storeId, endpointId, settled, tools.versions)),
      onFailure: (err) => tools.log.warn({ err, store_id: storeId }, 'what came of webhooks could not be recorded'),
      isStopping: tools.isStopping,
    });
  }

  async take(): Promise<void> {
    try {
      while (!this.#tools.isStopping()) {
        const claim = await this.#tools.claimTurns.run(this.#storeId, () => this.#claim());
        if (claim === 'no slots') {
          await sleep(RATE_PAUSE_MS);
          continue;
        }
        if (!claim) break;
        if (claim.ended) {
          await this.#hold(claim.ended);
          break;
        }
        if (claim.deliveries.length === 0 && this.#underWay.size === 0 && claim.waitMs === 0) break;
        await this.#pause(claim);
      }
    } finally {
      await Promise.all(this.#underWay);
    }
  }

  /** A few deliveries are taken together where its rate is what limits it, and where it answers at once. */
  async #pause({ waitMs, deliveries }: Claim): Promise<void> {
    if (waitMs > 0) return await sleep(Math.min(Math.max(waitMs, RATE_PAUSE_MS), MAX_PAUSE_MS));
    await sleep(PAUSE_MS);
    // Slow receivers, of which there may be many, are looked at now and then only, until they have answered.
    const mostMs = deliveries.length > 0 ? RATE_PAUSE_MS : MAX_PAUSE_MS;
    if (this.#underWay.size > 0) await Promise.race([sleep(mostMs), ...this.#underWay]);
  }

  /** Takes as many as there are slots for. */
  async #claim(): Promise<Claim | 'no slots' | undefined> {
    const reserved = this.#tools.slots.reserve(this.#storeId, this.#wanted);
    if (reserved === 0) return 'no slots';
    let taken = 0;
    try {
      const claim = await claimDeliveries(this.#db, this.#storeId, this.#endpointId, reserved, this.#tools.secrets);
      taken = claim?.deliveries.length ?? 0;
      for (const delivery of claim?.deliveries ?? []) this.#start(claim as Claim, delivery);
      return claim;
    } finally {
      this.#tools.slots.release(this.#storeId, reserved - taken);
      this.#wanted = Math.max(FEW, 2 * taken);
    }
  }

  async #hold(ended: 'disabled' | 'deleted'): Promise<void> {
    const { versions, observe, isStopping } = this.#tools;
    for (let isMore = true; isMore && !isStopping(); ) {
      const held = await holdDeliveries(this.#db, this.#storeId, this.#endpointId, ended, versions);
      observe({ attempts: [], outcomes: held.outcomes });
      isMore = held.isMore;
    }
  }

  #start(claim: Claim, delivery: ClaimedDelivery): void {
    const sending = this.#send(claim, delivery).finally(() => this.#underWay.delete(sending));
    this.#underWay.add(sending);
  }

  async #send({ target }: Claim, delivery: ClaimedDelivery): Promise<void> {
    const { send, slots } = this.#tools;
    const at = Date.now();
    const isExpired = delivery.isExpired || (delivery.expiresAt !== null && delivery.expiresAt <= at);
    const answered = isExpired ? undefined : await send(delivery.expiresAt, requestOf(target, delivery, new Date(at)));
    const result = answered && { ...answered, isRefusal: delivery.request !== null && refusesCall(answered) };
    slots.release(this.#storeId, 1);
    await this.#recorder.record({ delivery, at, result });
  }
}
