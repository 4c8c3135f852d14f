import type { RedisServer } from '../process/redis-urls.ts';

/** A node refers to another one. */
export interface Redirection {
  /** Whether only this command is passed on, as the slot is still moving. */
  asking: boolean;
  slot: number;
  host: string;
  port: number;
}

/** Whether an error says that a slot is held by no node, although the cluster works. */
export function isUnheld(error: unknown): boolean {
  return (error as Error).message === 'CLUSTERDOWN Hash slot not served';
}

/** What an error of a cluster's node says: `MOVED 3999 127.0.0.1:6381`, where no host means the same. */
export function parseRedirection(error: unknown, { server }: { server: RedisServer }): Redirection | undefined {
  const [, kind, slot, host, port] = /^(MOVED|ASK) (\d+) (.*):(\d+)$/.exec((error as Error).message) ?? [];
  return kind
    ? { asking: kind === 'ASK', slot: Number(slot), host: host || server.host, port: Number(port) }
    : undefined;
}
