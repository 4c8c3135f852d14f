import type { Operations } from '../../generated/native/operations.gen.ts';
import { previewImport as preview } from '../domain/imports/files/preview.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingImport, importId } from './import-ids.ts';
import { renderPreview } from './representations/import.ts';

export function previewImport(reading: WithConnection): Handler<Operations, 'previewImport'> {
  return async ({ request: { path, body }, caller }) => {
    const id = importId(path.id);
    const shown = await reading(caller.storeId, (db) => preview(db, caller, id, body.mapping));
    return { status: 200, body: renderPreview(existingImport(shown)), isRepeatable: true };
  };
}
