import { openDatabase, SETTINGS_OF_ENGINES } from '../db/orm.ts';
import { VersionCache } from '../domain/automations/stored/version-cache.ts';
import { claimTurns } from '../domain/sending/claim-turns.ts';
import { EndpointTurn, type SendingTools } from '../domain/sending/endpoint-turn.ts';
import type { Observed } from '../domain/sending/observed.ts';
import { Slots } from '../domain/sending/slots.ts';
import { Networks } from '../domain/webhooks/networks.ts';
import { serveThread } from '../threads/serve-thread.ts';
import type { SendAnswer, SenderSetup, SendQuestion } from './messages.ts';
import { Transport } from './transport.ts';

/** To each server. */
const CONNECTIONS = 4;
/** Requests under way. Their bodies are 256 KB at most. */
const MAX_UNDER_WAY = 512;

serveThread<SenderSetup, SendQuestion, SendAnswer, Observed>(async ({ data, log, notify }) => {
  const database = await openDatabase(data.address, CONNECTIONS, SETTINGS_OF_ENGINES);
  const { stores } = database;
  const transport = new Transport({ networks: new Networks(data.allowedNetworks), allowHttp: data.allowHttp });
  const inFlight = new Set<Promise<SendAnswer>>();
  let isStopping = false;
  const tools: SendingTools = {
    send: (expiresAt, request) => transport.sendBefore(expiresAt, request),
    slots: new Slots(MAX_UNDER_WAY),
    claimTurns: claimTurns(CONNECTIONS, stores.nodeOf),
    versions: new VersionCache(),
    observe: notify,
    log,
    isStopping: () => isStopping,
  };

  async function take({ storeId, endpointId }: SendQuestion): Promise<SendAnswer> {
    try {
      await stores.findNode(storeId);
      await new EndpointTurn(stores.of(storeId), storeId, endpointId, tools).take();
      return { hasFailed: false };
    } catch (err) {
      log.warn({ err, store_id: storeId, endpoint_id: endpointId }, 'sending of webhooks interrupted');
      return { hasFailed: true };
    }
  }

  return {
    async answer(question) {
      const taking = take(question);
      inFlight.add(taking);
      const answer = await taking;
      inFlight.delete(taking);
      return { answer };
    },
    async stop() {
      isStopping = true;
      await Promise.all(inFlight);
      transport.close();
      await database.close();
    },
  };
});
