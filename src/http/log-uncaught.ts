import type { Log } from '../process/log.ts';

/** Failures of a connection, and of what is written to one that has ended. */
const OF_CONNECTIONS = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|HPE_|ERR_STREAM_|ERR_HTTP_)/;

/**
 * Tells of what ends outside the error boundary: mostly clients that are gone, which is not worth a line. Anything else is
 * a mistake of ours. Koa would print it.
 */
export function logUncaught(log: Log): (err: NodeJS.ErrnoException) => void {
  return (err) => {
    if (OF_CONNECTIONS.test(err.code ?? '')) log.debug({ err }, 'the connection of a client broke');
    else log.error({ err }, 'a request failed outside the error boundary');
  };
}
