import type { Operations } from '../../generated/native/operations.gen.ts';
import type { OnJob } from '../domain/imports/bulk/jobs.ts';
import { startImport as start } from '../domain/imports/files/start-import.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { existingImport, importId } from './import-ids.ts';
import { renderImport } from './representations/import.ts';

export function startImport(writing: WithConnection, onJob: OnJob): Handler<Operations, 'startImport'> {
  return async ({ request: { path, body }, caller }) => {
    const id = importId(path.id);
    const started = await writing(caller.storeId, (db) => start(db, caller, id, body.mapping));
    if (started?.state === 'queued') onJob(caller.storeId);
    return { status: 202, body: renderImport(existingImport(started)), isRepeatable: true };
  };
}
