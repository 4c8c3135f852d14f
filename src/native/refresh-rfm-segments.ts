import type { Operations } from '../../generated/native/operations.gen.ts';
import { refreshRfm } from '../domain/rfm/rfm.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { renderRfm } from './representations/rfm.ts';

export function refreshRfmSegments(writing: WithConnection): Handler<Operations, 'refreshRfmSegments'> {
  return async ({ caller }) => ({
    status: 200,
    body: renderRfm(await writing(caller.storeId, (db) => refreshRfm(db, caller))),
    isRepeatable: true,
  });
}
