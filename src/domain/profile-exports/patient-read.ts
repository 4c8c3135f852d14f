import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../service-error.ts';
import type { WithConnection } from '../store-connections.ts';
import type { Read } from './pages.ts';

/** How often a page waits for a connection, which ends by itself, and for how many milliseconds in between: less than clients do. */
const PATIENCE = { attempts: 12, pauseMs: 1_000 };

/** Reads by connections that others of the store may have for a while: one who has waited for a thousand pages waits for the next. */
export function patientRead(reading: WithConnection, storeId: string, { attempts, pauseMs } = PATIENCE): Read {
  return async (work) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await reading(storeId, work);
      } catch (error) {
        const isBusy = error instanceof ServiceError && error.code === 'upstream_error';
        if (!isBusy || attempt === attempts) throw error;
        await sleep(pauseMs);
      }
    }
  };
}
