import { VersionCache } from '../domain/automations/stored/version-cache.ts';
import { Secrets } from '../domain/secrets/secrets.ts';
import { Networks } from '../domain/webhooks/endpoints/networks.ts';
import { EndpointTurn, type SendingTools } from '../domain/webhooks/sending/endpoint-turn.ts';
import type { Observed } from '../domain/webhooks/sending/observed.ts';
import { serveEngine } from '../engine/serve-engine.ts';
import { claimTurns, Slots } from '../engine/slots.ts';
import { Transport } from '../outbound/transport.ts';
import type { OutwardSetup } from './webhooks.ts';

/** To each server. */
const CONNECTIONS = 4;
/** Requests under way. Their bodies are 256 KB at most. */
const MAX_UNDER_WAY = 512;

serveEngine<OutwardSetup, Observed>({
  connections: () => CONNECTIONS,
  part: 'endpoint_id',
  open({ data: { keys, allowedNetworks, allowHttp }, stores, log, notify, stopping }) {
    const transport = new Transport({ networks: new Networks(allowedNetworks), allowHttp });
    const tools: SendingTools = {
      send: (expiresAt, request) => transport.sendBefore(expiresAt, request),
      secrets: new Secrets(keys),
      slots: new Slots(MAX_UNDER_WAY),
      claimTurns: claimTurns(CONNECTIONS, stores.nodeOf),
      versions: new VersionCache(),
      observe: notify,
      log,
      isStopping: () => stopping.aborted,
    };
    return {
      async 'sending of webhooks'(db, storeId, endpointId) {
        await stores.findNode(storeId);
        await new EndpointTurn(db, storeId, endpointId, tools).take();
        return false;
      },
    };
  },
});
