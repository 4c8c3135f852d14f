import type { Operations } from '../../generated/native/operations.gen.ts';
import { cancelImport as cancel } from '../domain/imports/files/progress.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingImport, importId } from './import-ids.ts';
import { renderImport } from './representations/import.ts';

export function cancelImport(writing: WithConnection): Handler<Operations, 'cancelImport'> {
  return async ({ request, caller: { storeId } }) => {
    const id = importId(request.path.id);
    const ended = await writing(storeId, (db) => cancel(db, storeId, id));
    return { status: 200, body: renderImport(existingImport(ended)), isRepeatable: true };
  };
}
