import { isBackfill, type RecordedEvent } from '../event.ts';
import type { Led } from '../feed/entries.ts';
import type { Draft } from './draft.ts';
import { type IdentityResolution, ownerKey } from './identity-resolution.ts';
import type { Writes } from './insert.ts';
import type { Claim, ScopedKey } from './look-up.ts';

/** What the drafts of a batch will write beside profiles, gathered one draft after the other. */
export class GatheredWrites {
  /** The identifiers that profiles gain, by `ownerKey`. */
  readonly claims = new Map<string, Claim>();
  readonly #dropped = new Map<string, Claim>();
  readonly #events: RecordedEvent[] = [];
  readonly #keys: Writes['keys'] = [];
  readonly #current = new Set<string>();
  readonly #led = new Map<string, Led>();

  get dropped(): Claim[] {
    return [...this.#dropped.values()];
  }

  get all(): Omit<Writes, 'created' | 'changed' | 'watched' | 'history'> {
    return {
      claims: [...this.claims.values()],
      dropped: this.dropped,
      events: this.#events,
      keys: this.#keys,
      current: this.#current,
      led: this.#led,
    };
  }

  addProfile(draft: Draft, { profileId, claimed }: IdentityResolution): void {
    const isHistory = draft.event ? isBackfill(draft.event) : draft.isHistorical;
    if (!isHistory) this.#current.add(profileId);
    const { depth = 0, chain = null } = draft;
    if (depth > (this.#led.get(profileId)?.depth ?? 0)) this.#led.set(profileId, { depth, chain });
    for (const [kind, value] of claimed) {
      this.claims.set(ownerKey(kind, value), { kind, value, profile_id: profileId });
    }
  }

  addEvent(event: RecordedEvent, key: ScopedKey | undefined): void {
    this.#events.push(event);
    if (key) this.#keys.push({ ...key, event_id: event.id });
  }

  /** Removes an identifier from its profile, whether it had it before or gains it in this batch. */
  drop(dropped: Claim): void {
    const key = ownerKey(dropped.kind, dropped.value);
    if (this.claims.get(key)?.profile_id === dropped.profile_id) this.claims.delete(key);
    this.#dropped.set(`${dropped.profile_id} ${key}`, dropped);
  }
}
