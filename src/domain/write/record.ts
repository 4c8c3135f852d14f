import type { Sql } from '../../db/orm.ts';
import { Oversized, parsed } from '../../db/raw-json.ts';
import { type Attributes, patchAttributes } from '../attributes.ts';
import { invalid, ServiceError } from '../errors.ts';
import type { IdentifierKind } from '../identifiers.ts';
import { recordAtOnce } from './at-once.ts';
import type { Draft, Outcome, Profile, RecordedEvent } from './draft.ts';
import { claimable, given, type Owners, ownerKey, type Resolution, resolve } from './resolve.ts';
import {
  type Claim,
  dropIdentifiers,
  findProfiles,
  keyOf,
  lockProfiles,
  look,
  type ScopedKey,
  write,
} from './statements.ts';

/**
 * Records drafts of one store, in order, in the caller's transaction: whatever the number of drafts, a handful of
 * statements. A draft that is refused leaves nothing behind. Fails as a whole with the driver's error.
 */
export async function recordBatch(tx: Sql, storeId: string, drafts: readonly Draft[]): Promise<Outcome[]> {
  return (await record(tx, storeId, drafts, true)) as Outcome[];
}

/**
 * The same without a transaction, which saves two round trips: what it writes it writes in one statement. Only for
 * drafts that change no profile that is there already; undefined, with nothing written, where one does.
 */
export async function recordUnlocked(
  db: Sql,
  storeId: string,
  drafts: readonly Draft[],
): Promise<Outcome[] | undefined> {
  if (drafts.some((draft) => !draft.event || draft.patch || draft.dropEmails)) return undefined;
  return record(db, storeId, drafts, false);
}

async function record(
  db: Sql,
  storeId: string,
  drafts: readonly Draft[],
  mayLock: boolean,
): Promise<Outcome[] | undefined> {
  const recorded = await recordAtOnce(db, storeId, drafts);
  if (recorded) return recorded;
  const settled = new Map<Draft, Outcome>();
  for (;;) {
    const batch = new Batch(
      db,
      storeId,
      drafts.filter((draft) => !settled.has(draft)),
    );
    const outcomes = await batch.plan(mayLock);
    if (outcomes === undefined) return undefined;
    if (outcomes instanceof Map) {
      await batch.write();
      return drafts.map((draft) => settled.get(draft) ?? (outcomes.get(draft) as Outcome));
    }
    // A draft that turned out to write nothing may have claimed identifiers that later ones were resolved by: once
    // more, without it. Nothing is written yet.
    settled.set(outcomes.draft, outcomes.outcome);
  }
}

class Batch {
  readonly #db: Sql;
  readonly #storeId: string;
  readonly #drafts: readonly Draft[];
  readonly #profiles = new Map<string, Profile>();
  readonly #created = new Set<string>();
  readonly #changed = new Set<string>();
  #claims: Claim[] = [];
  readonly #dropped: Claim[] = [];
  readonly #events: RecordedEvent[] = [];
  readonly #keys: (ScopedKey & { event_id: string })[] = [];
  /** The event of every idempotency key that was processed, in this batch or before. */
  readonly #processed = new Map<string, RecordedEvent>();

  constructor(db: Sql, storeId: string, drafts: readonly Draft[]) {
    this.#db = db;
    this.#storeId = storeId;
    this.#drafts = drafts;
  }

  /**
   * Works out what to write; or tells the draft that must be left out, and what became of it. Undefined where profiles
   * have to be locked and may not be.
   */
  async plan(mayLock: boolean): Promise<Map<Draft, Outcome> | { draft: Draft; outcome: Outcome } | undefined> {
    const outcomes = new Map<Draft, Outcome>();
    const owners = await this.#findOwners();
    // A replay must not touch its profile, so keys come first; those within a profile have to wait for the profile.
    const fresh = this.#drafts.filter((draft) => {
      const event = this.#replayed(storeKey(draft));
      if (event) outcomes.set(draft, replay(event));
      return !event;
    });
    const resolutions = resolveAll(fresh, owners);
    const changing = new Set(resolutions.filter(mayChangeProfile).map(([, { profileId }]) => profileId));
    if (changing.size > 0 && !mayLock) return undefined;
    const locked = await lockProfiles(this.#db, this.#storeId, [...changing]);
    for (const [id, profile] of locked) this.#profiles.set(id, profile);
    await this.#look(
      [],
      resolutions.flatMap(([draft, { profileId, created }]) => (created ? [] : (profileKey(draft, profileId) ?? []))),
    );
    for (const [draft, resolution] of resolutions) {
      const replayed = this.#replayed(storeKey(draft) ?? profileKey(draft, resolution.profileId));
      if (replayed) {
        if (draft.keyWithin !== undefined && resolution.claimed.length > 0) return { draft, outcome: replay(replayed) };
        outcomes.set(draft, replay(replayed));
      } else if (resolution.refusal) {
        outcomes.set(draft, invalid(resolution.refusal));
      } else {
        try {
          outcomes.set(draft, this.#apply(draft, resolution));
        } catch (error) {
          if (error instanceof ServiceError || error instanceof Oversized) return { draft, outcome: error };
          throw error;
        }
      }
    }
    return outcomes;
  }

  async write(): Promise<void> {
    await dropIdentifiers(this.#db, this.#storeId, this.#dropped);
    const sorted = (ids: Set<string>) => [...ids].sort().map((id) => this.#profiles.get(id) as Profile);
    await write(this.#db, this.#storeId, {
      created: sorted(this.#created),
      changed: sorted(this.#changed),
      claims: this.#claims,
      events: this.#events,
      keys: this.#keys,
    });
  }

  /** Who owns the identifiers of the drafts; and learns which of their keys were processed before. */
  async #findOwners(): Promise<Owners> {
    const keys = this.#drafts.flatMap((draft) => storeKey(draft) ?? []);
    const owners = await this.#look(this.#drafts.flatMap(claimable), keys);
    const ids = this.#drafts.flatMap(({ profileId }) => profileId ?? []);
    for (const id of await findProfiles(this.#db, this.#storeId, ids)) owners.set(ownerKey('id', id), id);
    return owners;
  }

  async #look(identifiers: [IdentifierKind, string][], keys: ScopedKey[]): Promise<Owners> {
    const { owners, replays } = await look(this.#db, this.#storeId, identifiers, keys);
    for (const [key, event] of replays) this.#processed.set(key, event);
    return owners;
  }

  #replayed(key: ScopedKey | undefined): RecordedEvent | undefined {
    return key && this.#processed.get(keyOf(key));
  }

  #apply(draft: Draft, { profileId, created, claimed }: Resolution): Outcome {
    const profile = created ? newProfile(profileId) : this.#profiles.get(profileId);
    if (profile) {
      const next = changeProfile(profile, draft, claimed, created ? profile.createdAt : new Date());
      if (created) this.#created.add(profileId);
      else if (next !== profile && !this.#created.has(profileId)) this.#changed.add(profileId);
      this.#profiles.set(profileId, next);
    }
    for (const [kind, value] of claimed) this.#claims.push({ kind, value, profile_id: profileId });
    this.#drop(draft, profileId);
    const event = draft.event && { ...draft.event, profileId };
    if (event) {
      this.#events.push(event);
      const key = storeKey(draft) ?? profileKey(draft, profileId);
      if (key) {
        this.#keys.push({ ...key, event_id: event.id });
        this.#processed.set(keyOf(key), event);
      }
    }
    return { profileId, profile: this.#profiles.get(profileId), profileCreated: created, event, replayed: false };
  }

  /** Takes e-mail addresses from a profile, claimed earlier or in this batch, but not the one that it shows. */
  #drop({ dropEmails = [] }: Draft, profileId: string): void {
    for (const value of dropEmails) {
      if (value === this.#profiles.get(profileId)?.email) continue;
      this.#claims = this.#claims.filter(
        (claim) => claim.kind !== 'email' || claim.value !== value || claim.profile_id !== profileId,
      );
      this.#dropped.push({ kind: 'email', value, profile_id: profileId });
    }
  }
}

/** Finds or invents the profile of each draft. */
function resolveAll(drafts: Draft[], owners: Owners): [Draft, Resolution][] {
  const seen = new Set<string>();
  return drafts.map((draft): [Draft, Resolution] => {
    // A key repeated in the batch is a replay of its first draft, and must not claim anything either.
    const key = storeKey(draft);
    const repeated = key !== undefined && seen.has(keyOf(key));
    if (key) seen.add(keyOf(key));
    return [draft, resolve(draft, repeated ? new Map(owners) : owners)];
  });
}

/** The key of a draft whose key is unique in its store. */
function storeKey({ event, keyWithin }: Draft): ScopedKey | undefined {
  return event?.idempotencyKey != null && keyWithin === undefined
    ? { scope: '', key: event.idempotencyKey }
    : undefined;
}

/** The key of a draft whose key is unique within its profile. */
function profileKey({ event, keyWithin }: Draft, profileId: string): ScopedKey | undefined {
  return event?.idempotencyKey != null && keyWithin !== undefined
    ? { scope: `${profileId} ${keyWithin}`, key: event.idempotencyKey }
    : undefined;
}

function mayChangeProfile([draft, { created, claimed, refusal }]: [Draft, Resolution]): boolean {
  if (created || refusal) return false;
  return !draft.event || draft.patch !== undefined || draft.dropEmails !== undefined || claimed.length > 0;
}

function replay(event: RecordedEvent): Outcome {
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
    attributes: {},
    createdAt: now,
    updatedAt: now,
  };
}

const COLUMN = { external_id: 'externalId', email: 'email', phone: 'phone', anonymous_id: 'anonymousId' } as const;

/** The profile after the draft: the same object where nothing changes. Shows the identifiers that were given last. */
function changeProfile(profile: Profile, draft: Draft, claimed: Resolution['claimed'], now: Date): Profile {
  const isClaimed = ([kind, value]: [string, string]) => claimed.some(([k, v]) => k === kind && v === value);
  const shown = draft.event ? given(draft.identifiers).filter(isClaimed) : given(draft.identifiers);
  const added = draft.addEmails?.find((email) => isClaimed(['email', email]));
  if (added && profile.email === null && draft.identifiers.email === undefined) shown.push(['email', added]);
  const identifiers = shown.map(([kind, value]) => [COLUMN[kind], value] as const);
  const before = draft.patch ? parsed(profile.attributes) : profile.attributes;
  const attributes = draft.patch ? patchAttributes(before as Attributes, draft.patch) : before;
  if (identifiers.every(([column, value]) => profile[column] === value) && attributes === before) return profile;
  return { ...profile, ...Object.fromEntries(identifiers), attributes, updatedAt: now };
}
