import type { Operations } from '../../generated/native/operations.gen.ts';
import { putPart } from '../domain/imports/files/parts.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingImport, importId, partNumber } from './import-ids.ts';
import { renderImport } from './representations/import.ts';

export function putImportPart(writing: WithConnection): Handler<Operations, 'putImportPart'> {
  return async ({ request: { path, body }, caller: { storeId } }) => {
    const [id, number] = [importId(path.id), partNumber(path.number)];
    const updated = await writing(storeId, (db) => putPart(db, storeId, id, number, body.text));
    return { status: 200, body: renderImport(existingImport(updated)), isRepeatable: true };
  };
}
