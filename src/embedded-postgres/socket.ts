import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../process/start-error.ts';

/** Part of the socket's name, and of nothing else: each cluster has a folder for it. */
export const PORT = 5432;
export const SOCKET = `.s.PGSQL.${PORT}`;
/** Bytes that every system takes as the path of a socket. */
const MAX_PATH_BYTES = 103;

/**
 * The folder of a cluster's socket, which only its owner can enter: the cluster itself or, where its path is too long for
 * a socket, one of a name of its own that every process finds.
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

/** The connection URL of a database behind such a socket, in the form that libpq has for it. */
export function socketUrl(cluster: string, user: string, password: string, database: string): string {
  return `postgres://${user}:${password}@${encodeURIComponent(socketFolderOf(cluster))}:${PORT}/${database}`;
}
