import type { Operations } from '../../generated/native/operations.gen.ts';
import { publishAutomation as publish } from '../domain/automations/publish.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { readStoreSettings } from '../domain/store-settings.ts';
import type { Handler } from '../http/handler.ts';
import { automationId, existing } from './get-automation.ts';
import { renderVersion } from './representations/automation.ts';

export function publishAutomation(writing: WithConnection): Handler<Operations, 'publishAutomation'> {
  return async ({ request, caller }) => {
    const { revision, in_flight: inFlight = 'keep' } = request.body;
    const publication = { id: automationId(request.path.id), revision, inFlight };
    const version = await writing(caller.storeId, async (db, shared) => {
      const { timeZone: storeZone } = await readStoreSettings(shared, caller.storeId);
      return await publish(db, caller, { ...publication, storeZone });
    });
    return { status: 200, body: renderVersion(existing(version)), isRepeatable: true };
  };
}
