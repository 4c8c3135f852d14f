import { Socket } from 'node:net';
import { Client } from 'pg';

/** Without the timeouts that the server may have for others; times in the form that every server reads alike. */
const SETTINGS = `
  set local statement_timeout = 0;
  set local lock_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local datestyle = 'ISO'`;

/**
 * Runs some work in a transaction on a connection of its own. Where it fails the connection is cut: that rolls back, and
 * ends a COPY under way, which would keep a connection from closing.
 */
export async function inTransaction<T>(url: string, mode: string, work: (client: Client) => Promise<T>): Promise<T> {
  const socket = new Socket();
  const client = new Client({ connectionString: url, application_name: 'footfall', stream: () => socket });
  client.on('error', () => {}); // the statement under way fails with it
  try {
    await client.connect();
    await client.query(`begin ${mode}; ${SETTINGS}`);
    const result = await work(client);
    await client.query('commit');
    await client.end();
    return result;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
