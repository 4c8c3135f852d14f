import type { EmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { databaseAt } from './postgres.ts';

/** Stops every process of a Postgres where it is, so that it neither answers nor closes; the result lets it go on. */
export async function freeze({ url, pid }: Pick<EmbeddedPostgres, 'url' | 'pid'>): Promise<() => void> {
  const backends = await databaseAt(url).query<{ pid: number }>('select pid from pg_stat_activity');
  const signal = (name: NodeJS.Signals) => {
    for (const id of [pid, ...backends.map((backend) => backend.pid)]) {
      try {
        process.kill(id, name);
      } catch {} // a backend of a connection that was closed meanwhile
    }
  };
  signal('SIGSTOP');
  return () => signal('SIGCONT');
}
