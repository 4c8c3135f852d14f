import type { Operations } from '../../generated/native/operations.gen.ts';
import type { CatalogStockResult, CatalogStockUpdateInput } from '../../generated/native/types.gen.ts';
import { type StockUpdate, updateStock } from '../domain/catalog/write/update-stock.ts';
import { parseTime } from '../domain/event-time.ts';
import { invalid } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { cleared } from './representations/catalog.ts';
import { renderRejection } from './upsert-catalog-items-bulk.ts';

/** How far clocks may be ahead. */
const AHEAD_MS = 5 * 60_000;

export function updateCatalogStock(writing: WithConnection): Handler<Operations, 'updateCatalogStock'> {
  return async ({ request: { body }, caller: { storeId } }) => {
    const updates = body.updates.map(toUpdate);
    const isBackfill = body.backfill ?? false;
    const outcomes = await writing(storeId, (db) => updateStock(db, storeId, updates, { isBackfill }));
    const results = outcomes.map((outcome, index): CatalogStockResult['updates'][number] => {
      if (outcome.status !== 'rejected') return { index, status: outcome.status };
      const { path, problem } = outcome.violation;
      return renderRejection(index, { path: ['updates', index, ...path], problem });
    });
    const count = (status: string) => results.filter((result) => result.status === status).length;
    const counts = { updated: count('updated'), unchanged: count('unchanged'), rejected: count('rejected') };
    return { status: 200, body: { ...counts, updates: results }, isRepeatable: true };
  };
}

/** Throws `validation_error` unless an update names one thing, and a time that has come. */
function toUpdate(
  { item_id: itemId, variant_id: variantId, at, ...fields }: CatalogStockUpdateInput,
  index: number,
): StockUpdate {
  const path = ['updates', index];
  const time = at === undefined ? undefined : parseTime(at);
  if (time && time.getTime() > Date.now() + AHEAD_MS) {
    throw invalid({ path: [...path, 'at'], problem: 'must not be more than five minutes ahead' });
  }
  if ((itemId === undefined) === (variantId === undefined)) {
    throw invalid({ path, problem: 'needs one of item_id and variant_id' });
  }
  const target = itemId === undefined ? { variantId: variantId as string } : { itemId };
  return { target, fields: cleared(fields) as StockUpdate['fields'], at: time };
}
