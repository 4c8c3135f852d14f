import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../config.ts';
import { countedAddress } from './client-address.ts';

/** Closes connections of an address that has too many; not behind a proxy, from which all of them come. */
export function limitConnections(server: Server, { maxConnectionsPerAddress, ipv6Prefix, trustProxy }: Config): void {
  if (trustProxy > 0) return;
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = countedAddress(socket.remoteAddress, ipv6Prefix);
    // The connection is already gone.
    if (address === undefined) return;
    const count = (open.get(address) ?? 0) + 1;
    if (count > maxConnectionsPerAddress) {
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once('close', () => {
      const others = (open.get(address) as number) - 1;
      if (others > 0) open.set(address, others);
      else open.delete(address);
    });
  });
}
