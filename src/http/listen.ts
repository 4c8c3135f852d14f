import type { Server } from 'node:net';
import { StartError } from '../process/start-error.ts';

/** Whether processes can listen on one port each by itself, and the system deals new connections out to them. */
export const SHARES_PORTS = process.platform === 'linux';

/** Listens; a port that is taken, or an address that is none, is a `StartError`. */
export function listen(
  server: Server,
  { host, port }: { host: string; port: number },
  reusePort: boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const reason = code === 'EADDRINUSE' ? 'another process listens there' : message;
      reject(new StartError(`Can't listen on port ${port} of ${host}: ${reason}. Set PORT or HOST.`));
    });
    server.listen({ port, host, reusePort }, resolve);
  });
}
