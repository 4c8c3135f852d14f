import type { Log } from '../process/log.ts';

/** Failures of a connection, and of writing to one that has closed. */
const OF_CONNECTIONS = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|HPE_|ERR_STREAM_|ERR_HTTP_)/;

/**
 * Logs errors outside the error boundary, which Koa would print. Most come from clients that have disconnected and are
 * not worth a line; anything else is a bug of ours.
 */
export function logUncaught(log: Log): (err: NodeJS.ErrnoException) => void {
  return (err) => {
    if (OF_CONNECTIONS.test(err.code ?? '')) log.debug({ err }, 'the connection of a client broke');
    else log.error({ err }, 'a request failed outside the error boundary');
  };
}
