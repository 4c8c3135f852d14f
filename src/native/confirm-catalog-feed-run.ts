import type { Operations } from '../../generated/native/operations.gen.ts';
import { confirmRun, dismissRun } from '../domain/catalog/feeds/runs.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingFeedRun, feedId, feedRunId } from './feed-ids.ts';
import { renderFeedRun } from './representations/feed.ts';

export function confirmCatalogFeedRun(writing: WithConnection): Handler<Operations, 'confirmCatalogFeedRun'> {
  return async ({ request: { path, body }, caller: { storeId } }) => {
    const [feed, id] = [feedId(path.id), feedRunId(path.run_id)];
    const decide = body.decision === 'confirm' ? confirmRun : dismissRun;
    const run = await writing(storeId, (db) => decide(db, storeId, feed, id));
    return { status: 200, body: renderFeedRun(existingFeedRun(run)), isRepeatable: true };
  };
}
