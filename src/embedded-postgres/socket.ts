import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../process/start-error.ts';

/** Only part of the socket's name: each cluster has a directory for its socket. */
export const PORT = 5432;
export const SOCKET = `.s.PGSQL.${PORT}`;
/** Maximum bytes of a socket path that every system accepts. */
const MAX_PATH_BYTES = 103;

/**
 * Returns the directory of a cluster's socket, which only its owner can enter: the cluster itself or, if its path is
 * too long for a socket, a separate one whose name every process can derive.
 */
export function socketFolderOf(cluster: string): string {
  if (Buffer.byteLength(join(cluster, SOCKET)) <= MAX_PATH_BYTES) return cluster;
  const folder = `/tmp/footfall-${createHash('sha256').update(cluster).digest('hex').slice(0, 32)}`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0) {
    throw new StartError(
      `${folder} must be a folder that only you can access; remove it, or choose a shorter DATA_DIR.`,
    );
  }
  return folder;
}

/** Returns the connection URL of a database on such a socket, in libpq's form. */
export function socketUrl(cluster: string, user: string, password: string, database: string): string {
  return `postgres://${user}:${password}@${encodeURIComponent(socketFolderOf(cluster))}:${PORT}/${database}`;
}
