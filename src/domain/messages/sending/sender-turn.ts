import { setTimeout as sleep } from 'node:timers/promises';
import type { FairSemaphore } from '../../../concurrency/fair-semaphore.ts';
import type { Sql } from '../../../db/sql.ts';
import { Recorder } from '../../../engine/recorder.ts';
import type { RightOfWay } from '../../../engine/right-of-way.ts';
import type { Slots } from '../../../engine/slots.ts';
import type { Log } from '../../../process/log.ts';
import type { VersionCache } from '../../automations/stored/version-cache.ts';
import type { Envelope, RelayUser } from '../../senders/hand-over.ts';
import type { Receiver } from '../../senders/receiver.ts';
import type { TwilioUser } from '../../senders/twilio/account.ts';
import type { TwilioMessage } from '../../senders/twilio/hand-over.ts';
import type { AddressDigest } from '../core/address-digest.ts';
import { beginMessages, HAND_OVER_LEASE_S } from './begin.ts';
import { type ClaimedMessage, claimMessages, type MessageClaim } from './claim.ts';
import { withCoupons } from './give-coupons.ts';
import { type MadeOfMessage, type MakingTools, makeMails, type ReadReady } from './make-mails.ts';
import type { Observe } from './observed.ts';
import type { HandedOver, Outcome } from './outcome.ts';
import type { ReadyTemplates } from './ready-templates.ts';
import { withRecommendations } from './recommend.ts';
import { recordSettled, type Settled } from './record.ts';
import type { SenderSettings } from './sender-settings.ts';
import { answerOfOutbox } from './simulator.ts';

/** What the sending by all senders shares. */
export interface MessageTools extends MakingTools {
  /** Undefined if there is no such sender. */
  settingsOf: (db: Sql, storeId: string, senderId: string) => Promise<SenderSettings | undefined>;
  /** Hands a mail over to a relay; never rejects. */
  handOver: (user: RelayUser, envelope: Envelope, mail: Buffer) => Promise<HandedOver>;
  /** The same for a text message, to an endpoint. */
  handOverText: (receiver: Receiver, text: { id: string; body: Buffer }) => Promise<HandedOver>;
  /** The same, to Twilio. */
  handOverByTwilio: (user: TwilioUser, message: TwilioMessage) => Promise<HandedOver>;
  templates: ReadyTemplates;
  versions: VersionCache;
  /** Messages under way, of all senders. */
  slots: Slots;
  claimTurns: FairSemaphore;
  rightOfWay: Pick<RightOfWay, 'give'>;
  digestOf: AddressDigest;
  observe: Observe;
  log: Log;
  /** Whether nothing more is to be taken, as the process ends. */
  isStopping: () => boolean;
}

/** Where the operator does not offer the shared relay any more, and where the endpoint is disabled. */
const NO_RELAY: HandedOver = { outcome: 'failed', reason: 'no_relay', maybeSent: false };
const NO_RECEIVER: HandedOver = { outcome: 'failed', reason: 'endpoint_disabled', maybeSent: false };
/** Of a message that is not handed over. */
const ENDED = { response: null, dueAt: null };
/** Messages that are claimed and begun together: after an opt-out, no more than these may still go. */
const SLICE = 64;
/** Slices under way: while one is handed over, the next is rendered. */
const MAX_SLICES = 3;
/** Milliseconds in which what comes of messages is recorded together. */
const TOGETHER_MS = 20;
/** Milliseconds for which what a store and a sender say is used. */
const SETTINGS_MS = 1_000;
/** Milliseconds between two looks for more: while its rate is used up or slots are taken, and at most. */
const [PAUSE_MS, MAX_PAUSE_MS] = [50, 1_000];

/** Sends what is due by one sender, until nothing is left that it may send now. */
export class SenderTurn {
  readonly #db: Sql;
  readonly #storeId: string;
  readonly #senderId: string;
  readonly #tools: MessageTools;
  readonly #slices = new Set<Promise<void>>();
  #settings: { settings: SenderSettings | undefined; at: number } = {
    settings: undefined,
    at: Number.NEGATIVE_INFINITY,
  };
  readonly #recorder: Recorder<Settled>;
  /** Messages that are being handed over, or are to be recorded. */
  #underWay = 0;
  readonly #readReady: ReadReady;

  constructor(db: Sql, storeId: string, senderId: string, tools: MessageTools) {
    this.#db = db;
    this.#storeId = storeId;
    this.#senderId = senderId;
    this.#tools = tools;
    this.#readReady = (id, version) => tools.templates.read(db, storeId, id, version);
    this.#recorder = new Recorder({
      forMs: HAND_OVER_LEASE_S * 1000,
      write: async (settled) => {
        const tellsOfSent = this.#settings.settings?.origin.tracking.sent ?? false;
        tools.observe(await recordSettled(db, storeId, senderId, settled, { ...tools, tellsOfSent }));
      },
      onFailure: (err) => tools.log.warn({ err, store_id: storeId }, 'what came of messages could not be recorded'),
      isStopping: tools.isStopping,
      everyMs: TOGETHER_MS,
      underWay: () => this.#underWay,
    });
  }

  async take(): Promise<void> {
    try {
      while (!this.#tools.isStopping()) {
        while (this.#slices.size >= MAX_SLICES) await Promise.race(this.#slices);
        const settings = await this.#readSettings();
        if (!settings) break;
        const claim = await this.#tools.claimTurns.run(this.#storeId, () => this.#claim(settings));
        if (claim === 'no slots') {
          await sleep(PAUSE_MS);
          continue;
        }
        if (!claim || claim.isResting) break;
        const hasTaken = claim.messages.length + claim.passed.length + claim.awaited.length + claim.parked > 0;
        if (!hasTaken && this.#slices.size === 0 && claim.waitMs === 0) break;
        if (claim.messages.length > 0) await this.#tools.rightOfWay.give(claim.messages.length);
        if (claim.waitMs > 0) await sleep(Math.min(Math.max(claim.waitMs, PAUSE_MS), MAX_PAUSE_MS));
        else if (!hasTaken) await Promise.race([sleep(MAX_PAUSE_MS), ...this.#slices]);
      }
    } finally {
      await Promise.all(this.#slices);
    }
  }

  /** As they were within the last second. What has been changed since is not ready before it is checked anew. */
  async #readSettings(): Promise<SenderSettings | undefined> {
    const now = performance.now();
    if (now - this.#settings.at > SETTINGS_MS) {
      const settings = await this.#tools.settingsOf(this.#db, this.#storeId, this.#senderId);
      this.#settings = { settings, at: now };
    }
    return this.#settings.settings;
  }

  /** Takes as many as there are slots for. */
  async #claim(settings: SenderSettings): Promise<MessageClaim | 'no slots' | undefined> {
    const { slots, digestOf, observe } = this.#tools;
    const reserved = slots.reserve(this.#storeId, SLICE);
    if (reserved === 0) return 'no slots';
    let taken = 0;
    try {
      const { caps } = settings;
      const claim = await claimMessages(this.#db, this.#storeId, this.#senderId, reserved, { caps, digestOf });
      taken = claim?.messages.length ?? 0;
      observe(claim?.passed ?? []);
      if (claim && taken + claim.awaited.length > 0) this.#start(settings, claim);
      return claim;
    } finally {
      slots.release(this.#storeId, reserved - taken);
    }
  }

  #start(settings: SenderSettings, { messages, awaited }: MessageClaim): void {
    const { log, slots } = this.#tools;
    const telling = awaited.map(({ message, passed }) => this.#end(message, { ...ENDED, ...passed }));
    const sending = Promise.all([this.#send(settings, messages), ...telling])
      .then(() => {})
      // What it had is taken again once the lease ends.
      .catch((err) => log.warn({ err, store_id: this.#storeId, sender_id: this.#senderId }, 'messages not sent'))
      .finally(() => {
        slots.release(this.#storeId, messages.length);
        this.#slices.delete(sending);
      });
    this.#slices.add(sending);
  }

  async #send(settings: SenderSettings, messages: readonly ClaimedMessage[]): Promise<void> {
    const given = await withCoupons(this.#db, this.#storeId, messages, this.#readReady);
    const recommending = await withRecommendations(this.#db, this.#storeId, given, this.#readReady);
    const made = await makeMails(this.#readReady, recommending, settings.origin, this.#tools);
    const mails = made.filter((one) => 'mail' in one);
    const failed = made.flatMap((one) => ('outcome' in one ? this.#end(one.message, one.outcome) : []));
    await Promise.all([...failed, this.#handOver(settings, mails)]);
  }

  /** Records what a message comes to that is not handed over. */
  #end(message: ClaimedMessage, outcome: Outcome): Promise<void> {
    return this.#record({ message, at: Date.now(), result: outcome });
  }

  async #record(settled: Settled | Promise<Settled>): Promise<void> {
    this.#underWay += 1;
    try {
      await this.#recorder.record(await settled);
    } finally {
      this.#underWay -= 1;
    }
  }

  async #handOver(settings: SenderSettings, mails: readonly MadeOfMessage[]): Promise<void> {
    if (mails.length === 0) return;
    const at = Date.now();
    if (settings.kind === 'outbox') {
      // It is kept in the transaction that says so: nothing can be lost between the two.
      const settled = mails.map(({ message, kept }) => {
        const result = answerOfOutbox(message.address);
        return { message, at, result, kept: result.outcome === 'accepted' ? kept : undefined };
      });
      await Promise.all(settled.map((one) => this.#record(one)));
      return;
    }
    const messages = mails.map(({ message }) => message);
    const { ids, skipped } = await beginMessages(this.#db, this.#storeId, messages, this.#tools.digestOf);
    await Promise.all(
      mails.map(async ({ message, mail }) => {
        const reason = skipped.get(message.id);
        if (reason) return await this.#end(message, { ...ENDED, status: 'skipped', reason });
        if (!ids.has(message.id)) return;
        const handedOver = this.#handOverOne(settings, message, mail);
        await this.#record(handedOver.then((result) => ({ message, at, result })));
      }),
    );
  }

  async #handOverOne(
    { kind, relayUser, receiver, twilio, callbackUrl: url, origin }: SenderSettings,
    { id, address: to }: ClaimedMessage,
    raw: Buffer,
  ): Promise<HandedOver> {
    const { handOver, handOverText, handOverByTwilio } = this.#tools;
    if (kind === 'twilio') {
      const callbackUrl = url && `${url}?message_id=${id}`;
      return twilio ? await handOverByTwilio(twilio, { body: raw, callbackUrl }) : NO_RELAY;
    }
    if (kind === 'webhook') return receiver ? await handOverText(receiver, { id, body: raw }) : NO_RECEIVER;
    const { email: from } = origin.from;
    return relayUser && from !== null ? await handOver(relayUser, { from, to }, raw) : NO_RELAY;
  }
}
