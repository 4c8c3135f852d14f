import { Outdated } from '../../db/driver-errors.ts';
import type { Sql } from '../../db/orm.ts';
import { Oversized } from '../../db/raw-json.ts';
import { isId } from '../../ids/uuid-v7.ts';
import { readEmail } from '../canonical/email.ts';
import type { EventRef } from '../event.ts';
import type { IdentifierKind } from '../identifiers.ts';
import type { Profile } from '../profile.ts';
import { invalid, ServiceError } from '../service-error.ts';
import type { Draft, Outcome } from './draft.ts';
import { changingProfiles, expectProfiles, identifiersOf, mayChangeProfile } from './expected-profiles.ts';
import { GatheredWrites } from './gathered-writes.ts';
import {
  assignClaims,
  decisiveIdentifiers,
  type IdentityResolution,
  type Owners,
  ownerKey,
  resolveIdentity,
} from './identity-resolution.ts';
import { insertWrites } from './insert.ts';
import {
  dropIdentifiers,
  type Existing,
  findExisting,
  findProfileIds,
  keyOf,
  lockProfiles,
  lockWatchedProfiles,
  measureProfiles,
  profileKey,
  type ScopedKey,
  storeKey,
} from './look-up.ts';
import { ProfileChanges } from './profile-changes.ts';
import { HistoryOfBatch } from './profile-history.ts';
import { SuppressedIdentifier } from './suppressed.ts';
import { readWatchedNames, WatchedChanges } from './watched-attributes.ts';

interface RecordOptions {
  /** Whether existing profiles may be changed, and so locked. */
  mayLock: boolean;
  /** Whether the outcome of a draft without an event includes the profile. */
  returnProfiles: boolean;
  /**
   * Maximum bytes of profiles to read for changes: drafts at the end that exceed them are left off, but never the
   * first.
   */
  maxProfileBytes?: number;
  /** Whether nothing is written if a draft is refused. */
  isAllOrNothing?: boolean | undefined;
}

/**
 * Records drafts of one store, in order, in the caller's transaction, in a fixed handful of statements. A refused draft
 * leaves nothing behind; one that is left off has no outcome. Rejects with the driver's error if the batch fails, or with
 * `Outdated`, after which it is to be repeated in another transaction.
 */
export async function recordInTransaction(
  tx: Sql,
  storeId: string,
  drafts: readonly Draft[],
  options: Omit<RecordOptions, 'mayLock'> = { returnProfiles: true },
): Promise<Outcome[]> {
  const batch = new Batch(tx, storeId, drafts, { ...options, mayLock: true });
  const outcomes = (await batch.plan()) as Outcome[];
  if (!(options.isAllOrNothing && outcomes.some(isRefusal))) await batch.write();
  return outcomes;
}

function isRefusal(outcome: Outcome): boolean {
  return outcome instanceof ServiceError;
}

/**
 * The same without a transaction, which saves two round trips: all writes are in one statement. Only for drafts that
 * change no existing profile; otherwise writes nothing and returns undefined.
 */
export async function recordWithoutTransaction(
  db: Sql,
  storeId: string,
  drafts: readonly Draft[],
  options: Pick<RecordOptions, 'isAllOrNothing'> = {},
): Promise<Outcome[] | undefined> {
  if (drafts.some((draft) => !draft.event || draft.patch || draft.dropEmails)) return undefined;
  const batch = new Batch(db, storeId, drafts, { mayLock: false, returnProfiles: true });
  const outcomes = await batch.plan();
  if (outcomes && !(options.isAllOrNothing && outcomes.some(isRefusal))) await batch.write();
  return outcomes;
}

class Batch {
  readonly #db: Sql;
  readonly #storeId: string;
  #drafts: readonly Draft[];
  readonly #options: RecordOptions;
  readonly #profiles: ProfileChanges;
  /** Owners of the drafts' identifiers before the batch. */
  #owners: Owners = new Map();
  /** Identifiers of customers who were erased, with which nobody is created. */
  #suppressed: ReadonlySet<string> = new Set();
  /** The current owners, kept once a draft's outcome differs from what was expected. */
  #ownersNow: Owners | undefined;
  readonly #writes = new GatheredWrites();
  readonly #watched: WatchedChanges;
  readonly #history = new HistoryOfBatch();
  /** The event of every idempotency key that was processed, in this batch or before. */
  readonly #processed = new Map<string, EventRef>();

  constructor(db: Sql, storeId: string, drafts: readonly Draft[], options: RecordOptions) {
    this.#db = db;
    this.#storeId = storeId;
    this.#drafts = drafts;
    this.#options = options;
    this.#watched = new WatchedChanges(drafts);
    this.#profiles = new ProfileChanges(this.#watched, this.#history);
  }

  /** Decides what to write. Returns undefined if profiles would have to be locked and may not be. */
  async plan(): Promise<Outcome[] | undefined> {
    await this.#findOwners();
    // A replay must not touch its profile, so keys come first; those within a profile have to wait for the profile.
    const expected = expectProfiles(
      this.#drafts.filter((draft) => !this.#findReplay(storeKey(draft)) && !this.#findSuppressed(draft)),
      this.#owners,
    );
    await this.#leaveOffLarge(expected);
    const changing = changingProfiles(this.#drafts, expected);
    if (changing.size > 0 && !this.#options.mayLock) return undefined;
    // A profile that the batch itself creates is not there yet.
    const created = new Set([...expected.values()].flatMap((one) => (one.created ? one.profileId : [])));
    await this.#lockProfiles([...changing].filter((id) => !created.has(id)));
    if (this.#watched.needsNames) this.#watched.watch(await readWatchedNames(this.#db, this.#storeId));
    await this.#findExisting(
      [],
      this.#drafts.flatMap((draft) => {
        const resolution = expected.get(draft);
        return resolution && !resolution.created ? (profileKey(draft, resolution.profileId) ?? []) : [];
      }),
    );
    const outcomes: Outcome[] = [];
    for (const draft of this.#drafts) {
      const replayed = this.#findReplay(storeKey(draft));
      if (replayed) {
        outcomes.push(toReplay(replayed));
        continue;
      }
      const suppressed = this.#findSuppressed(draft);
      if (suppressed) {
        outcomes.push(suppressed);
        continue;
      }
      const resolution = await this.#resolveDraft(draft, expected.get(draft) as IdentityResolution);
      if (!resolution) return undefined;
      outcomes.push(this.#settleDraft(draft, resolution));
    }
    return outcomes;
  }

  async write(): Promise<void> {
    await dropIdentifiers(this.#db, this.#storeId, this.#writes.dropped);
    await insertWrites(this.#db, this.#storeId, {
      ...this.#writes.all,
      created: this.#profiles.created,
      changed: this.#profiles.changed,
      watched: this.#watched.all,
      history: this.#history.all,
    });
  }

  /** Looks up the owners of the drafts' identifiers, and which of their keys were processed before. */
  async #findOwners(): Promise<void> {
    const keys = this.#drafts.flatMap((draft) => storeKey(draft) ?? []);
    const ids = this.#drafts.flatMap(({ profileId }) => profileId ?? []);
    const sourceIds = [...new Set(ids.filter((id) => !isId(id)))];
    const identifiers = identifiersOf(this.#drafts);
    for (const id of sourceIds) identifiers.push(['source_id', id]);
    const { owners, suppressed } = await this.#findExisting(identifiers, keys);
    this.#owners = owners;
    this.#suppressed = suppressed;
    for (const [id, owner] of await findProfileIds(this.#db, this.#storeId, ids.filter(isId))) {
      this.#owners.set(ownerKey('id', id), owner);
    }
    for (const id of sourceIds) {
      const owner = this.#owners.get(ownerKey('source_id', id));
      if (owner !== undefined) this.#owners.set(ownerKey('id', id), owner);
    }
  }

  async #findExisting(identifiers: [IdentifierKind, string][], keys: ScopedKey[]): Promise<Existing> {
    const existing = await findExisting(this.#db, this.#storeId, identifiers, keys);
    for (const [key, event] of existing.replays) this.#processed.set(key, event);
    return existing;
  }

  /** Returns the refusal of a draft that names somebody who was erased. */
  #findSuppressed(draft: Draft): SuppressedIdentifier | undefined {
    if (this.#suppressed.size === 0) return undefined;
    const named = decisiveIdentifiers(draft).find((pair) => this.#suppressed.has(ownerKey(...pair)));
    return named && new SuppressedIdentifier(['identifiers', named[0]]);
  }

  /** Throws `Outdated` if one has vanished since its id was read: its identifiers lead somewhere else now. */
  async #lockProfiles(ids: string[]): Promise<void> {
    const locked = await this.#readLocked(ids);
    if (locked.size < ids.length) throw new Outdated('A profile has vanished while the batch waited for its lock');
    this.#profiles.hold(locked);
  }

  async #readLocked(ids: string[]): Promise<Map<string, Profile>> {
    if (!this.#watched.needsNames) return lockProfiles(this.#db, this.#storeId, ids);
    const { profiles, watched } = await lockWatchedProfiles(this.#db, this.#storeId, ids);
    if (watched) this.#watched.watch(watched);
    return profiles;
  }

  #findReplay(key: ScopedKey | undefined): EventRef | undefined {
    return key && this.#processed.get(keyOf(key));
  }

  /** Leaves drafts off at the end if the profiles that may change are too large together. */
  async #leaveOffLarge(expected: ReadonlyMap<Draft, IdentityResolution>): Promise<void> {
    const { maxProfileBytes } = this.#options;
    if (maxProfileBytes === undefined) return;
    const sizes = await measureProfiles(this.#db, this.#storeId, [...changingProfiles(this.#drafts, expected)]);
    let bytes = 0;
    const end = this.#drafts.findIndex((draft, i) => {
      const id = expected.get(draft)?.profileId ?? '';
      bytes += sizes.get(id) ?? 0;
      sizes.delete(id);
      return i > 0 && bytes > maxProfileBytes;
    });
    if (end > 0) this.#drafts = this.#drafts.slice(0, end);
  }

  /**
   * Returns the profile of the next draft. If it is not the expected one, locks it and looks its key up; returns
   * undefined if locking is not allowed.
   */
  async #resolveDraft(draft: Draft, expected: IdentityResolution): Promise<IdentityResolution | undefined> {
    if (!this.#ownersNow) return expected;
    const resolution = resolveIdentity(draft, this.#ownersNow);
    const { profileId } = resolution;
    if (this.#profiles.isCreated(profileId)) return resolution;
    if (mayChangeProfile(draft, resolution) && !this.#profiles.has(profileId)) {
      if (!this.#options.mayLock) return undefined;
      await this.#lockProfiles([profileId]);
    }
    const key = profileKey(draft, profileId);
    if (key && !resolution.created && profileId !== expected.profileId) await this.#findExisting([], [key]);
    return resolution;
  }

  #settleDraft(draft: Draft, resolution: IdentityResolution): Outcome {
    const replayed = this.#findReplay(profileKey(draft, resolution.profileId));
    if (replayed) {
      if (resolution.claimed.length > 0) this.#trackOwners();
      return toReplay(replayed);
    }
    try {
      if (resolution.refusal) throw invalid(resolution.refusal);
      return this.#applyDraft(draft, resolution);
    } catch (error) {
      if (!(error instanceof ServiceError || error instanceof Oversized)) throw error;
      this.#trackOwners();
      return error;
    }
  }

  /** From now on drafts are resolved one by one: an earlier one did not do what later ones were resolved by. */
  #trackOwners(): Owners {
    if (!this.#ownersNow) {
      this.#ownersNow = new Map(this.#owners);
      for (const [key, { profile_id }] of this.#writes.claims) this.#ownersNow.set(key, profile_id);
    }
    return this.#ownersNow;
  }

  #applyDraft(draft: Draft, resolution: IdentityResolution): Outcome {
    const { profileId, created } = resolution;
    this.#profiles.apply(draft, resolution);
    this.#writes.addProfile(draft, resolution);
    if (this.#ownersNow) assignClaims(resolution, this.#ownersNow);
    for (const email of this.#dropEmails(draft, profileId)) if (draft.origin) this.#history.lose(['email', email]);
    const event = draft.event && { ...draft.event, profileId };
    if (event) {
      const key = storeKey(draft) ?? profileKey(draft, profileId);
      this.#writes.addEvent(event, key);
      if (key) this.#processed.set(keyOf(key), event);
    }
    const returned = !event && this.#options.returnProfiles ? this.#profiles.get(profileId) : undefined;
    return { profileId, profile: returned, profileCreated: created, event, replayed: false };
  }

  /**
   * Removes e-mail addresses from a profile, claimed earlier or in this batch, except the one it shows. Returns those that it
   * had.
   */
  #dropEmails({ dropEmails = [] }: Draft, profileId: string): string[] {
    if (dropEmails.length === 0) return [];
    const dropped: string[] = [];
    // Before any is dropped: what is gained in this batch is known only from what it writes.
    const owners = this.#trackOwners();
    for (const value of dropEmails) {
      if (isSameEmail(value, this.#profiles.get(profileId)?.email ?? null)) continue;
      const key = ownerKey('email', value);
      this.#writes.drop({ kind: 'email', value, profile_id: profileId });
      if (owners.get(key) !== profileId) continue;
      owners.delete(key);
      dropped.push(value);
    }
    return dropped;
  }
}

/** Whether an address is the one that a profile shows, in whatever spelling. */
function isSameEmail(value: string, shown: string | null): boolean {
  if (value === shown) return true;
  return shown !== null && readEmail(shown)?.value === (readEmail(value)?.value ?? '');
}

function toReplay(event: EventRef): Outcome {
  return { profileId: event.profileId, profile: undefined, profileCreated: false, event, replayed: true };
}
