import type { Server } from 'node:net';
import { StartError } from '../process/start-error.ts';

/** Whether processes can each listen on the same port, with the kernel distributing new connections. */
export const SHARES_PORTS = process.platform === 'linux';

/** Listens on a port. Throws a `StartError` if the port is taken or the address not valid. */
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
