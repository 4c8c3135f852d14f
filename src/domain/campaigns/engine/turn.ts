import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { HIGHEST_ID } from '../../../ids/uuid-v7.ts';
import { readFromBegin } from '../../tracking/attribution/reader.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import type { Campaign } from '../campaign.ts';
import { countFromNowOn } from '../counting/count-in-background.ts';
import { lockCampaign } from '../find-campaigns.ts';
import { begin } from './begin.ts';
import { putBackClosed } from './closed.ts';
import { CANCEL, type Change, changeWaiting, nextOpen, PARK, RELEASE } from './messages.ts';
import { findRecipients, type Preparing } from './recipients.ts';
import { isTested, RELEASE_TESTED, releaseWith, takeTestFurther } from './testing.ts';

/** Milliseconds of a turn: then it is another campaign's. */
const TURN_MS = 1_000;
/** Seconds between two looks whether a campaign is over. */
const LOOK_S = 1;
/** The same while it waits for the time of a message. */
const LATER_S = 10;

export interface TurnTools {
  isStopping: () => boolean;
}

/** A campaign, and how far it is. */
interface Locked extends Campaign {
  step: number;
  reached: string;
  settled: string;
  changed: string;
  hasParked: boolean;
  hasClosed: boolean;
}

type Begun = Locked & { startedAt: Date };

/** Takes a campaign further that something is to be done for. Returns whether more is to be done at once. */
export async function takeTurn(db: Sql, storeId: string, id: string, { isStopping }: TurnTools): Promise<boolean> {
  await readFromBegin(db, storeId, id);
  const turn = new CampaignTurn(db, storeId, id);
  const until = performance.now() + TURN_MS;
  let isMore = await turn.step();
  while (isMore && performance.now() < until && !isStopping()) isMore = await turn.step();
  return isMore;
}

/** Each step is a transaction, which holds the campaign: it does what its status says, and whoever changes that waits. */
class CampaignTurn {
  readonly #db: Sql;
  readonly #storeId: string;
  readonly #id: string;

  constructor(db: Sql, storeId: string, id: string) {
    this.#db = db;
    this.#storeId = storeId;
    this.#id = id;
  }

  /** Returns whether there is another step to take at once. */
  async step(): Promise<boolean> {
    return await retryConflicts(this.#db, () =>
      this.#db.transaction().execute(async (tx) => {
        const campaign = await this.#lock(tx);
        if (!campaign) return false;
        if (campaign.status === 'scheduled') return await begin(tx, this.#storeId, campaign);
        if (campaign.startedAt === null) return await this.#rest(tx);
        const begun = { ...campaign, startedAt: campaign.startedAt };
        switch (campaign.status) {
          case 'preparing':
          case 'sending':
            if (campaign.hasParked) return await this.#release(tx, begun);
            if (campaign.hasClosed) return await this.#putBack(tx, begun);
            if (campaign.status === 'preparing') return await this.#prepare(tx, begun);
            return (await this.#test(tx, begun)) || (await this.#look(tx, begun));
          case 'paused':
          case 'held':
            return (await this.#change(tx, begun, PARK)) || (await this.#rest(tx));
          case 'cancelled':
            return (await this.#change(tx, begun, CANCEL)) || (await this.#look(tx, begun));
          default:
            return await this.#rest(tx);
        }
      }),
    );
  }

  async #lock(tx: Sql): Promise<Locked | undefined> {
    const campaign = await lockCampaign(tx, this.#storeId, this.#id);
    const { rows } = await sql<Pick<Locked, 'step' | 'reached' | 'settled' | 'changed' | 'hasParked' | 'hasClosed'>>`
      select step, reached, settled, changed, has_parked as "hasParked", has_closed as "hasClosed" from campaign
      where store_id = ${this.#storeId} and id = ${this.#id} and due_at <= now()`.execute(tx);
    return campaign && rows[0] && { ...campaign, ...rows[0] };
  }

  async #rest(tx: Sql): Promise<false> {
    await this.#set(tx, sql`due_at = null, changed = default`);
    return false;
  }

  async #set(tx: Sql, changes: ReturnType<typeof sql>): Promise<void> {
    await sql`update campaign set ${changes} where store_id = ${this.#storeId} and id = ${this.#id}`.execute(tx);
  }

  /** The next customers of the audience, with how far they reach. */
  async #prepare(tx: Sql, campaign: Begun): Promise<boolean> {
    const [startedAt, scheduledAt] = [campaign.startedAt.getTime(), campaign.scheduledAt?.getTime()];
    const preparing = { ...campaign, startedAt, scheduledAt: scheduledAt ?? startedAt } as Preparing;
    const { found, withoutZone, unknownZone, reached, isLast } = await findRecipients(tx, this.#storeId, preparing);
    if (reached !== undefined) {
      await this.#set(
        tx,
        sql`recipients = recipients + ${found}, without_zone = without_zone + ${withoutZone},
          unknown_zone = unknown_zone + ${unknownZone}, reached = ${reached}`,
      );
      await countFromNowOn(tx, this.#storeId, campaign, found);
      return true;
    }
    if (!isLast) {
      await this.#set(tx, sql`step = step + 1, reached = default`);
      return true;
    }
    await this.#set(tx, sql`status = 'sending', prepared_at = now(), updated_at = now()`);
    return true;
  }

  /**
   * Changes the next messages that wait, and notes how far that has got: of millions each part is committed. Returns whether
   * more are to be looked at.
   */
  async #change(tx: Sql, campaign: Begun, change: Change): Promise<boolean> {
    const next = await changeWaiting(tx, this.#storeId, campaign, change, campaign.changed);
    await this.#set(tx, sql`changed = ${next ?? HIGHEST_ID}`);
    return next !== undefined;
  }

  async #release(tx: Sql, campaign: Begun): Promise<true> {
    const winner = campaign.winner === null ? undefined : campaign.variants?.[campaign.winner - 1];
    const change = isTested(campaign) ? RELEASE_TESTED : winner ? releaseWith(winner) : RELEASE;
    if (!(await this.#change(tx, campaign, change))) await this.#set(tx, sql`has_parked = false, changed = default`);
    return true;
  }

  /** What may not be sent at this hour waits until it may. */
  async #putBack(tx: Sql, campaign: Begun): Promise<true> {
    const next = await putBackClosed(tx, this.#storeId, campaign, campaign.changed);
    await this.#set(tx, next === undefined ? sql`has_closed = false, changed = default` : sql`changed = ${next}`);
    return true;
  }

  /** Returns whether the campaign has a test that is not decided yet, which is all that it does now. */
  async #test(tx: Sql, campaign: Begun): Promise<boolean> {
    if (!isTested(campaign)) return false;
    await this.#set(tx, await takeTestFurther(tx, this.#storeId, campaign, LOOK_S));
    return true;
  }

  /** Whether anything is left to do: it is over once all its messages are. */
  async #look(tx: Sql, campaign: Begun): Promise<boolean> {
    const found = await nextOpen(tx, this.#storeId, campaign, campaign.settled);
    if (found && 'from' in found) {
      await this.#set(tx, sql`settled = ${found.from}`);
      return true;
    }
    if (!found) {
      if (campaign.status === 'cancelled') return await this.#rest(tx);
      await this.#set(tx, sql`status = 'sent', finished_at = now(), due_at = null, updated_at = now()`);
      return false;
    }
    const { open } = found;
    // It is not over before that one is, which may wait for days.
    const wait = sql`make_interval(secs => ${open.isLater ? LATER_S : LOOK_S})`;
    // Somebody else held it as the others were let go on.
    const goesOn = open.isParked && campaign.status === 'sending';
    // The same, as it was cancelled.
    const isLeft = open.isWaiting && campaign.status === 'cancelled';
    await this.#set(
      tx,
      sql`settled = ${open.id}, has_parked = has_parked or ${goesOn}, changed = ${isLeft ? sql`${open.id}` : sql`changed`},
        due_at = now() + ${wait}`,
    );
    return false;
  }
}
