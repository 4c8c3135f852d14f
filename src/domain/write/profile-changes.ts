import { Oversized, parsed, RawJson } from '../../db/raw-json.ts';
import { type Attributes, PatchedAttributes } from '../attributes/attributes.ts';
import { IDENTIFIER_KINDS, type IdentifierKind, shownAs } from '../identifiers.ts';
import type { Profile } from '../profile.ts';
import type { Draft } from './draft.ts';
import { givenIdentifiers, type IdentityResolution } from './identity-resolution.ts';
import type { HistoryOfBatch, IdentifierChanges } from './profile-history.ts';
import type { WatchedChanges } from './watched-attributes.ts';

/** The profiles that the drafts of a batch create and change, in memory, before anything is written. */
export class ProfileChanges {
  readonly #watched: WatchedChanges;
  readonly #history: HistoryOfBatch;
  readonly #profiles = new Map<string, Profile>();
  /** The current attributes of the profiles that drafts patch. */
  readonly #attributes = new Map<string, PatchedAttributes>();
  readonly #created = new Set<string>();
  readonly #changed = new Set<string>();

  constructor(watched: WatchedChanges, history: HistoryOfBatch) {
    this.#watched = watched;
    this.#history = history;
  }

  /** Holds profiles as they are stored, and locked. */
  hold(profiles: ReadonlyMap<string, Profile>): void {
    for (const [id, profile] of profiles) this.#profiles.set(id, profile);
  }

  has(id: string): boolean {
    return this.#profiles.has(id);
  }

  isCreated(id: string): boolean {
    return this.#created.has(id);
  }

  /** The new profiles, in the order of their ids. */
  get created(): Profile[] {
    return this.#sorted(this.#created);
  }

  /** The stored profiles that have changed, in the order of their ids. */
  get changed(): Profile[] {
    return this.#sorted(this.#changed);
  }

  /** Creates the profile of a draft, or changes it if it is held: one that a draft may change is. */
  apply(draft: Draft, resolution: IdentityResolution): void {
    const { profileId, created } = resolution;
    const profile = created ? newProfile(profileId) : this.#profiles.get(profileId);
    if (!profile) return;
    const now = created ? profile.createdAt : new Date();
    const next = this.#change(profile, draft, resolution, now);
    if (created) this.#created.add(profileId);
    else if (next !== profile && !this.#created.has(profileId)) this.#changed.add(profileId);
    this.#profiles.set(profileId, next);
    const { origin } = draft;
    if (origin) {
      const about = { profileId, created, origin, changedAt: now };
      this.#history.add(about, identifierChanges(created ? undefined : profile, next, resolution));
    }
  }

  /** The profile as it is after the drafts so far, if it is held. */
  get(id: string): Profile | undefined {
    const profile = this.#profiles.get(id);
    const patched = this.#attributes.get(id);
    return profile && patched ? { ...profile, attributes: patched.current } : profile;
  }

  /**
   * Returns the profile after the draft, or the same object if nothing changes. Shows the identifiers that were given
   * last.
   */
  #change(profile: Profile, draft: Draft, { claimed, foreign }: IdentityResolution, now: Date): Profile {
    const isClaimed = (pair: IdentifierPair) => includes(claimed, pair);
    const isOwned = (pair: IdentifierPair) => !includes(foreign, pair);
    const shown = givenIdentifiers(draft.identifiers).filter(draft.event || draft.isUntrusted ? isClaimed : isOwned);
    const added = draft.addEmails?.find((email) => isClaimed(['email', email]));
    if (added && profile.email === null && draft.identifiers.email === undefined) shown.push(['email', added]);
    const identifiers = shown.map(([kind, value]) => [COLUMN[kind], shownAs(draft.identifiers, kind, value)] as const);
    const isPatched = this.#patchAttributes(profile, draft, now);
    if (identifiers.every(([column, value]) => profile[column] === value) && !isPatched) return profile;
    return { ...profile, ...Object.fromEntries(identifiers), updatedAt: now };
  }

  #patchAttributes(profile: Profile, draft: Draft, now: Date): boolean {
    const { patch, isUntrusted } = draft;
    if (!patch) return false;
    try {
      const attributes = this.#attributesOf(profile);
      const apply = () => (isUntrusted ? attributes.applyIfRoom(patch) : attributes.apply(patch));
      const follow = () => this.#watched.follow(draft, profile.id, attributes, now, apply);
      return draft.origin ? this.#history.follow(patch, attributes, follow) : follow();
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

  #sorted(ids: ReadonlySet<string>): Profile[] {
    return [...ids].sort().map((id) => this.get(id) as Profile);
  }
}

type IdentifierPair = [IdentifierKind, string];

function includes(pairs: readonly IdentifierPair[], [kind, value]: IdentifierPair): boolean {
  return pairs.some((pair) => pair[0] === kind && pair[1] === value);
}

/** `before` is absent for a profile that the draft creates. */
function identifierChanges(
  before: Profile | undefined,
  after: Profile,
  { claimed }: IdentityResolution,
): IdentifierChanges {
  const shown: IdentifierChanges['shown'] = {};
  for (const kind of IDENTIFIER_KINDS) {
    const [from, to] = [before?.[COLUMN[kind]] ?? null, after[COLUMN[kind]]];
    if (from !== to) shown[kind] = { from, to };
  }
  return { gained: claimed, lost: [], shown };
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
