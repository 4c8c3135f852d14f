import type { Operations } from '../../generated/native/operations.gen.ts';
import type { CatalogItemBatchResult, RejectedCatalogItem } from '../../generated/native/types.gen.ts';
import { type Outcome, writeItems } from '../domain/catalog/write/write-items.ts';
import { clip, describe, fieldOf, type Violation } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { toItemPatch } from './representations/catalog.ts';

/** Characters of the id of an item. */
const MAX_ID = 255;

export function upsertCatalogItemsBulk(writing: WithConnection): Handler<Operations, 'upsertCatalogItemsBulk'> {
  return async ({ request: { body }, caller: { storeId }, rejected }) => {
    const { items, sync_id: syncId, on_invalid: onInvalid } = body;
    const places = [...items.keys()].filter((index) => !rejected.has(index));
    const patches = places.map((index) => toItemPatch(items[index] as (typeof items)[number]));
    const pathOf = (place: number) => ['items', places[place] as number];
    const refuses = onInvalid === 'skip' ? undefined : pathOf;
    const alsoSeen = [...rejected.keys()].flatMap((index) => idIn(items[index]) ?? []);
    const how = { syncId: syncId?.toLowerCase(), alsoSeen, refuses };
    const outcomes = (await writing(storeId, (db) => writeItems(db, storeId, patches, how))).entries();
    const results = items.map(({ id }, index): CatalogItemBatchResult['items'][number] => {
      const violation = rejected.get(index);
      if (violation) return renderRejection(index, violation);
      const [place, outcome] = outcomes.next().value as [number, Outcome];
      if (outcome.status !== 'rejected') return { index, id, status: outcome.status };
      const { path, problem } = outcome.violation;
      return renderRejection(index, { path: [...pathOf(place), ...path], problem });
    });
    const count = (status: string) => results.filter((result) => result.status === status).length;
    return {
      status: 200,
      body: {
        created: count('created'),
        updated: count('updated'),
        unchanged: count('unchanged'),
        rejected: count('rejected'),
        items: results,
      },
      isRepeatable: true,
    };
  };
}

/** The id of an item that is not valid, if it could be that of one that there is. */
function idIn(item: { id?: unknown } | null | undefined): string | undefined {
  const id = item?.id;
  return typeof id === 'string' && id.length <= MAX_ID && id.isWellFormed() && !id.includes('\0') ? id : undefined;
}

/** What could not be written, in its place; the path of the violation is that from the root of the request. */
export function renderRejection(index: number, violation: Violation): RejectedCatalogItem {
  const field = clip(fieldOf(violation.path) ?? '', 1000);
  return { index, status: 'rejected', error: { code: 'validation_error', message: describe(violation), field } };
}
