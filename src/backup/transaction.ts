import { Socket } from 'node:net';
import { Client } from 'pg';

/** Disables timeouts that the server may have set, and prints times in a form that every server parses alike. */
const SETTINGS = `
  set local statement_timeout = 0;
  set local lock_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local datestyle = 'ISO'`;

/**
 * Runs some work in a transaction on its own connection. If it fails the connection is cut: that rolls back, and aborts
 * a COPY in progress, which would keep the connection from closing.
 */
export async function inTransaction<T>(url: string, mode: string, work: (client: Client) => Promise<T>): Promise<T> {
  const socket = new Socket();
  const client = new Client({ connectionString: url, application_name: 'footfall', stream: () => socket });
  client.on('error', () => {}); // the statement in progress fails with it
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
