import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import type { Networks } from '../domain/webhooks/endpoints/networks.ts';
import { checkedLookup, RefusedAddress, type Resolve } from './checked-lookup.ts';

/** Idle connections that an endpoint keeps, and milliseconds for which it keeps them. */
const MAX_IDLE = 10;
const IDLE_MS = 20_000;
/** Endpoints whose connections are kept at a time. */
const MAX_ENDPOINTS = 200;

type Agent = http.Agent | https.Agent;

/** The connections of endpoints, apart from one another: no endpoint waits for another's. None uses a proxy. */
export class Agents {
  readonly #agents = new Map<string, Agent>();
  readonly #networks: Networks;
  readonly #options: https.AgentOptions;

  constructor(networks: Networks, resolve: Resolve) {
    this.#networks = networks;
    this.#options = {
      keepAlive: true,
      maxFreeSockets: MAX_IDLE,
      timeout: IDLE_MS,
      scheduling: 'lifo',
      lookup: checkedLookup(resolve, networks),
    };
  }

  of(endpointId: string, url: URL): Agent {
    const key = keyOf(endpointId, url);
    const agent = this.#agents.get(key) ?? this.#create(url);
    // The one that was used last is at the end.
    this.#agents.delete(key);
    this.#agents.set(key, agent);
    if (this.#agents.size > MAX_ENDPOINTS) this.#forgetOldest();
    return agent;
  }

  /** The next request of the endpoint has a new connection. */
  closeIdle(endpointId: string, url: URL): void {
    const agent = this.#agents.get(keyOf(endpointId, url));
    if (agent) closeIdle(agent);
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  #create({ protocol }: URL): Agent {
    const agent = protocol === 'https:' ? new https.Agent(this.#options) : new http.Agent(this.#options);
    const connect = agent.createConnection.bind(agent);
    agent.createConnection = (options, callback) => {
      const socket = connect(options, callback) as Socket;
      // The first to hear of it: nothing has been sent yet.
      socket.prependOnceListener('connect', () => {
        if (this.#networks.permits(socket.remoteAddress ?? '')) return;
        socket.destroy(new RefusedAddress('The connection is to an address that is not permitted'));
      });
      return socket;
    };
    return agent;
  }

  #forgetOldest(): void {
    const [[key, agent]] = this.#agents as unknown as [[string, Agent]];
    this.#agents.delete(key);
    closeIdle(agent);
  }
}

function keyOf(endpointId: string, { origin }: URL): string {
  return `${endpointId} ${origin}`;
}

/** Requests under way keep their connections. */
function closeIdle(agent: Agent): void {
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}
