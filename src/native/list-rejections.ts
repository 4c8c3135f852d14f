import type { Operations } from '../../generated/native/operations.gen.ts';
import type { Sql } from '../db/orm.ts';
import { listRejections as list } from '../domain/reading/rejections.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { toRejection } from './representations/rejection.ts';

export function listRejections(sql: Sql): Handler<Operations, 'listRejections'> {
  return async ({ request: { query = {} }, caller }) => {
    const { items, next } = await list(sql, caller, toPageRequest(query));
    return { status: 200, body: { rejections: items.map(toRejection), next_cursor: next } };
  };
}
