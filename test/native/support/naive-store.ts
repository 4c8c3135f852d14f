import { NOBODY } from '../../support/lives.ts';

export const KINDS = ['external_id', 'email', 'phone'] as const;

export type Identifiers = Partial<Record<(typeof KINDS)[number], string>>;

/** Customers as one would keep them in an afternoon. */
export class NaiveStore {
  /** What is known of those who are there, by their ids. */
  readonly attributes = new Map<string, Record<string, number>>();
  /** By kind and value. */
  readonly owners = new Map<string, string>();
  /** Those who were merged, and into whom. */
  readonly former = new Map<string, string>();
  /** Whose each event is; `NOBODY` where it is nobody's any more. */
  readonly events = new Map<string, string>();
  readonly gone = new Set<string>();

  /** Whom a request is about, undefined for somebody new; and whether it names what another one has. */
  resolve(identifiers: Identifiers): { id: string | undefined; isRefused: boolean } {
    const owners = pairsOf(identifiers).map((pair) => this.owners.get(pair));
    const id = owners.find((owner) => owner !== undefined);
    return { id, isRefused: owners.some((owner) => owner !== undefined && owner !== id) };
  }

  write(id: string, identifiers: Identifiers, attributes: Record<string, number>): void {
    for (const pair of pairsOf(identifiers)) if (!this.owners.has(pair)) this.owners.set(pair, id);
    this.attributes.set(id, { ...this.attributes.get(id), ...attributes });
  }

  merge(id: string, from: string): void {
    this.attributes.set(id, { ...this.attributes.get(from), ...this.attributes.get(id) });
    this.attributes.delete(from);
    for (const map of [this.owners, this.events, this.former]) {
      for (const [key, owner] of map) if (owner === from) map.set(key, id);
    }
    this.former.set(from, id);
  }

  erase(id: string, keepsEvents: boolean): void {
    this.attributes.delete(id);
    for (const [pair, owner] of this.owners) if (owner === id) this.owners.delete(pair);
    for (const [event, owner] of this.events) {
      if (owner !== id) continue;
      if (keepsEvents) this.events.set(event, NOBODY);
      else this.events.delete(event);
    }
    for (const [former, owner] of this.former) {
      if (owner !== id) continue;
      this.former.delete(former);
      this.gone.add(former);
    }
    this.gone.add(id);
  }
}

export function pairsOf(identifiers: Identifiers): string[] {
  return KINDS.flatMap((kind) => (identifiers[kind] === undefined ? [] : [`${kind} ${identifiers[kind]}`]));
}
