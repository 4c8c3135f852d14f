import type { Sql } from '../../db/orm.ts';
import { Oversized, parsed, RawJson } from '../../db/raw-json.ts';
import { isId } from '../../ids/uuid-v7.ts';
import { type Attributes, PatchedAttributes } from '../attributes/attributes.ts';
import type { EventRef, RecordedEvent } from '../event.ts';
import type { IdentifierKind } from '../identifiers.ts';
import type { Profile } from '../profile.ts';
import { invalid, ServiceError } from '../service-error.ts';
import type { Draft, Outcome } from './draft.ts';
import {
  assignClaims,
  claimableIdentifiers,
  givenIdentifiers,
  type IdentityResolution,
  type Owners,
  ownerKey,
  resolveIdentity,
} from './identity-resolution.ts';
import {
  type Claim,
  dropIdentifiers,
  findExisting,
  findProfileIds,
  insertWrites,
  keyOf,
  lockProfiles,
  lockWatchedProfiles,
  measureProfiles,
  type ScopedKey,
} from './statements.ts';
import { readWatchedNames } from './watched-attributes.ts';
import { WatchedChanges } from './watched-changes.ts';

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
}

/**
 * Records drafts of one store, in order, in the caller's transaction, in a fixed handful of statements. A refused draft
 * leaves nothing behind; one that is left off has no outcome. Rejects with the driver's error if the batch fails.
 */
export async function recordInTransaction(
  tx: Sql,
  storeId: string,
  drafts: readonly Draft[],
  options: Omit<RecordOptions, 'mayLock'> = { returnProfiles: true },
): Promise<Outcome[]> {
  const batch = new Batch(tx, storeId, drafts, { ...options, mayLock: true });
  const outcomes = (await batch.plan()) as Outcome[];
  await batch.write();
  return outcomes;
}

/**
 * The same without a transaction, which saves two round trips: all writes are in one statement. Only for drafts that
 * change no existing profile; otherwise writes nothing and returns undefined.
 */
export async function recordWithoutTransaction(
  db: Sql,
  storeId: string,
  drafts: readonly Draft[],
): Promise<Outcome[] | undefined> {
  if (drafts.some((draft) => !draft.event || draft.patch || draft.dropEmails)) return undefined;
  const batch = new Batch(db, storeId, drafts, { mayLock: false, returnProfiles: true });
  const outcomes = await batch.plan();
  if (outcomes) await batch.write();
  return outcomes;
}

class Batch {
  readonly #db: Sql;
  readonly #storeId: string;
  #drafts: readonly Draft[];
  readonly #options: RecordOptions;
  readonly #profiles = new Map<string, Profile>();
  /** The current attributes of the profiles that drafts patch. */
  readonly #attributes = new Map<string, PatchedAttributes>();
  readonly #created = new Set<string>();
  readonly #changed = new Set<string>();
  /** Owners of the drafts' identifiers before the batch. */
  #owners: Owners = new Map();
  /** The current owners, kept once a draft's outcome differs from what was expected. */
  #ownersNow: Owners | undefined;
  readonly #claims = new Map<string, Claim>();
  readonly #dropped = new Map<string, Claim>();
  readonly #events: RecordedEvent[] = [];
  readonly #keys: (ScopedKey & { event_id: string })[] = [];
  readonly #watched: WatchedChanges;
  /** The event of every idempotency key that was processed, in this batch or before. */
  readonly #processed = new Map<string, EventRef>();

  constructor(db: Sql, storeId: string, drafts: readonly Draft[], options: RecordOptions) {
    this.#db = db;
    this.#storeId = storeId;
    this.#drafts = drafts;
    this.#options = options;
    this.#watched = new WatchedChanges(drafts);
  }

  /** Decides what to write. Returns undefined if profiles would have to be locked and may not be. */
  async plan(): Promise<Outcome[] | undefined> {
    await this.#findOwners();
    // A replay must not touch its profile, so keys come first; those within a profile have to wait for the profile.
    const expected = this.#expectProfiles(this.#drafts.filter((draft) => !this.#findReplay(storeKey(draft))));
    await this.#leaveOffLarge(expected);
    const changing = changingProfiles(this.#drafts, expected);
    if (changing.size > 0 && !this.#options.mayLock) return undefined;
    await this.#lockProfiles([...changing]);
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
      const resolution = await this.#resolveDraft(draft, expected.get(draft) as IdentityResolution);
      if (!resolution) return undefined;
      outcomes.push(this.#settleDraft(draft, resolution));
    }
    return outcomes;
  }

  async write(): Promise<void> {
    const dropped = [...this.#dropped.values()];
    await dropIdentifiers(this.#db, this.#storeId, dropped);
    const sorted = (ids: Set<string>) => [...ids].sort().map((id) => this.#currentProfile(id) as Profile);
    await insertWrites(this.#db, this.#storeId, {
      created: sorted(this.#created),
      changed: sorted(this.#changed),
      claims: [...this.#claims.values()],
      dropped,
      events: this.#events,
      keys: this.#keys,
      watched: this.#watched.all,
    });
  }

  /** Looks up the owners of the drafts' identifiers, and which of their keys were processed before. */
  async #findOwners(): Promise<void> {
    const keys = this.#drafts.flatMap((draft) => storeKey(draft) ?? []);
    const ids = this.#drafts.flatMap(({ profileId }) => profileId ?? []);
    const sourceIds = [...new Set(ids.filter((id) => !isId(id)))];
    const identifiers = identifiersOf(this.#drafts);
    for (const id of sourceIds) identifiers.push(['source_id', id]);
    this.#owners = await this.#findExisting(identifiers, keys);
    for (const id of await findProfileIds(this.#db, this.#storeId, ids.filter(isId))) {
      this.#owners.set(ownerKey('id', id), id);
    }
    for (const id of sourceIds) {
      const owner = this.#owners.get(ownerKey('source_id', id));
      if (owner !== undefined) this.#owners.set(ownerKey('id', id), owner);
    }
  }

  async #findExisting(identifiers: [IdentifierKind, string][], keys: ScopedKey[]): Promise<Owners> {
    const { owners, replays } = await findExisting(this.#db, this.#storeId, identifiers, keys);
    for (const [key, event] of replays) this.#processed.set(key, event);
    return owners;
  }

  async #lockProfiles(ids: string[]): Promise<void> {
    for (const [id, profile] of await this.#readLocked(ids)) this.#profiles.set(id, profile);
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

  /** Finds or creates each draft's profile on the assumption that no draft is refused or gives up an identifier. */
  #expectProfiles(drafts: readonly Draft[]): Map<Draft, IdentityResolution> {
    const owners = new Map(this.#owners);
    const seen = new Set<string>();
    const expected = new Map<Draft, IdentityResolution>();
    for (const draft of drafts) {
      const resolution = resolveIdentity(draft, owners);
      expected.set(draft, resolution);
      // A key repeated in the batch is a replay of its first draft, and must not claim anything either.
      const key = storeKey(draft);
      const repeated = key !== undefined && seen.has(keyOf(key));
      if (key) seen.add(keyOf(key));
      if (!repeated) assignClaims(resolution, owners);
    }
    return expected;
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
    if (this.#created.has(profileId)) return resolution;
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
      for (const [key, { profile_id }] of this.#claims) this.#ownersNow.set(key, profile_id);
    }
    return this.#ownersNow;
  }

  #applyDraft(draft: Draft, resolution: IdentityResolution): Outcome {
    const { profileId, created, claimed } = resolution;
    const profile = created ? newProfile(profileId) : this.#profiles.get(profileId);
    if (profile) {
      const next = this.#changeProfile(profile, draft, resolution, created ? profile.createdAt : new Date());
      if (created) this.#created.add(profileId);
      else if (next !== profile && !this.#created.has(profileId)) this.#changed.add(profileId);
      this.#profiles.set(profileId, next);
    }
    for (const [kind, value] of claimed) {
      this.#claims.set(ownerKey(kind, value), { kind, value, profile_id: profileId });
    }
    if (this.#ownersNow) assignClaims(resolution, this.#ownersNow);
    this.#dropEmails(draft, profileId);
    const event = draft.event && { ...draft.event, profileId };
    if (event) {
      this.#events.push(event);
      const key = storeKey(draft) ?? profileKey(draft, profileId);
      if (key) {
        this.#keys.push({ ...key, event_id: event.id });
        this.#processed.set(keyOf(key), event);
      }
    }
    const returned = !event && this.#options.returnProfiles ? this.#currentProfile(profileId) : undefined;
    return { profileId, profile: returned, profileCreated: created, event, replayed: false };
  }

  /**
   * Returns the profile after the draft, or the same object if nothing changes. Shows the identifiers that were given
   * last.
   */
  #changeProfile(profile: Profile, draft: Draft, { claimed, foreign }: IdentityResolution, now: Date): Profile {
    const isClaimed = (pair: IdentifierPair) => includes(claimed, pair);
    const isOwned = (pair: IdentifierPair) => !includes(foreign, pair);
    const shown = givenIdentifiers(draft.identifiers).filter(draft.event || draft.isUntrusted ? isClaimed : isOwned);
    const added = draft.addEmails?.find((email) => isClaimed(['email', email]));
    if (added && profile.email === null && draft.identifiers.email === undefined) shown.push(['email', added]);
    const identifiers = shown.map(([kind, value]) => [COLUMN[kind], value] as const);
    const isPatched = this.#patchAttributes(profile, draft, now);
    if (identifiers.every(([column, value]) => profile[column] === value) && !isPatched) return profile;
    return { ...profile, ...Object.fromEntries(identifiers), updatedAt: now };
  }

  #patchAttributes(profile: Profile, draft: Draft, now: Date): boolean {
    const { patch, isUntrusted } = draft;
    if (!patch) return false;
    try {
      const attributes = this.#attributesOf(profile);
      return this.#watched.follow(draft, profile.id, attributes, now, () =>
        isUntrusted ? attributes.applyIfRoom(patch) : attributes.apply(patch),
      );
    } catch (error) {
      // There is no room in attributes that are this large.
      if (isUntrusted && error instanceof Oversized) return false;
      throw error;
    }
  }

  #attributesOf({ id, attributes }: Profile): PatchedAttributes {
    let patched = this.#attributes.get(id);
    if (!patched) {
      const bytes = attributes instanceof RawJson ? Buffer.byteLength(attributes.text) : undefined;
      patched = new PatchedAttributes(parsed<Attributes>(attributes), bytes);
      this.#attributes.set(id, patched);
    }
    return patched;
  }

  #currentProfile(id: string): Profile | undefined {
    const profile = this.#profiles.get(id);
    const patched = this.#attributes.get(id);
    return profile && patched ? { ...profile, attributes: patched.current } : profile;
  }

  /** Removes e-mail addresses from a profile, claimed earlier or in this batch, except the one it shows. */
  #dropEmails({ dropEmails = [] }: Draft, profileId: string): void {
    for (const value of dropEmails) {
      if (value === this.#profiles.get(profileId)?.email) continue;
      const key = ownerKey('email', value);
      if (this.#claims.get(key)?.profile_id === profileId) this.#claims.delete(key);
      this.#dropped.set(`${profileId} ${key}`, { kind: 'email', value, profile_id: profileId });
      const owners = this.#trackOwners();
      if (owners.get(key) === profileId) owners.delete(key);
    }
  }
}

type IdentifierPair = [IdentifierKind, string];

function includes(pairs: readonly IdentifierPair[], [kind, value]: IdentifierPair): boolean {
  return pairs.some((pair) => pair[0] === kind && pair[1] === value);
}

/** Returns the distinct identifiers of the drafts. */
function identifiersOf(drafts: readonly Draft[]): [IdentifierKind, string][] {
  const all = drafts.flatMap(claimableIdentifiers);
  if (!drafts.some(({ addEmails }) => addEmails)) return all;
  return [...new Map(all.map((pair) => [ownerKey(...pair), pair])).values()];
}

/** Returns the key of a draft whose key is unique in its store. */
function storeKey({ event, idempotencyScope }: Draft): ScopedKey | undefined {
  return event?.idempotencyKey != null && idempotencyScope === undefined
    ? { scope: '', key: event.idempotencyKey }
    : undefined;
}

/** Returns the key of a draft whose key is unique within its profile. */
function profileKey({ event, idempotencyScope }: Draft, profileId: string): ScopedKey | undefined {
  return event?.idempotencyKey != null && idempotencyScope !== undefined
    ? { scope: `${profileId} ${idempotencyScope}`, key: event.idempotencyKey }
    : undefined;
}

/** Returns the existing profiles that may have to be changed. */
function changingProfiles(drafts: readonly Draft[], expected: ReadonlyMap<Draft, IdentityResolution>): Set<string> {
  const ids = new Set<string>();
  for (const draft of drafts) {
    const resolution = expected.get(draft);
    if (resolution && mayChangeProfile(draft, resolution)) ids.add(resolution.profileId);
  }
  return ids;
}

function mayChangeProfile(draft: Draft, { created, claimed, refusal }: IdentityResolution): boolean {
  if (created || refusal) return false;
  return !draft.event || draft.patch !== undefined || draft.dropEmails !== undefined || claimed.length > 0;
}

function toReplay(event: EventRef): Outcome {
  return { profileId: event.profileId, profile: undefined, profileCreated: false, event, replayed: true };
}

function newProfile(id: string): Profile {
  const now = new Date();
  return {
    id,
    externalId: null,
    email: null,
    phone: null,
    anonymousId: null,
    sourceId: null,
    attributes: {},
    createdAt: now,
    updatedAt: now,
  };
}

const COLUMN = {
  external_id: 'externalId',
  email: 'email',
  phone: 'phone',
  anonymous_id: 'anonymousId',
  source_id: 'sourceId',
} as const;
