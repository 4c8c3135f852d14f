import type { ProfileHistoryEntry } from '../../../generated/native/types.gen.ts';
import type { KeptChange } from '../../domain/profile-history/read-history.ts';

/** `names`: those of keys and persons, by their ids. */
export function renderHistoryEntry(
  { id, changedAt, origin, created, attributes, identifiers }: KeptChange,
  names: ReadonlyMap<string, string>,
) {
  const { gained, lost, shown } = identifiers;
  const body: ProfileHistoryEntry = {
    ...{
      id,
      changed_at: changedAt.toISOString(),
      source: { ...origin, actor_name: names.get(origin.actor ?? '') ?? null },
      created,
    },
    attributes: attributes as unknown as ProfileHistoryEntry['attributes'],
    identifiers: { gained: gained.map(toIdentifier), lost: lost.map(toIdentifier), shown },
  };
  return body;
}

function toIdentifier([kind, value]: [string, string]): { kind: string; value: string } {
  return { kind, value };
}
