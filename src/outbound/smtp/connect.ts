import { connect, isIP, type Socket } from 'node:net';
import type { Relay } from '../../domain/senders/hand-over.ts';
import { MAIL_PORTS } from '../../domain/senders/relay.ts';
import type { Networks } from '../../domain/webhooks/endpoints/networks.ts';
import { checkedLookup, RefusedAddress, type Resolve } from '../checked-lookup.ts';
import { AttemptEnded } from '../errors.ts';

export interface Route {
  socket: Socket;
  /**
   * Whether the server is in the operator's own network, by an exception or by the operator's own setting: there it need
   * not encrypt, and its certificate may be its own.
   */
  isInside: boolean;
}

const ALL = { permits: () => true };

/** Connects to an address that is permitted. */
export async function connectTo(
  { host, port, isOperators }: Relay,
  networks: Pick<Networks, 'permits' | 'excepts'>,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<Route> {
  signal.throwIfAborted();
  const permitted = isOperators ? ALL : networks;
  // Sockets do not look up what is an address already.
  if (isIP(host) !== 0 && !permitted.permits(host)) throw new RefusedAddress('Not permitted');
  const socket = connect({ host, port, lookup: checkedLookup(resolve, permitted), noDelay: true });
  const { promise, resolve: resolved, reject } = Promise.withResolvers<void>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  socket.once('connect', resolved).once('error', reject);
  socket.once('close', () => reject(new AttemptEnded('connection_closed')));
  try {
    await promise;
    const address = socket.remoteAddress ?? '';
    const isInside = networks.excepts(address) || (isOperators && !networks.permits(address));
    const isPermitted = permitted.permits(address) && (isOperators || isInside || MAIL_PORTS.includes(port));
    if (!isPermitted) throw new RefusedAddress('The connection is to an address or a port that is not permitted');
    return { socket, isInside };
  } catch (error) {
    socket.on('error', () => {});
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
