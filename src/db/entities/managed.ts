import { ApiKeyEntity } from './api-key.ts';
import { ImportErrorEntity } from './import-error.ts';
import { ImportJobEntity } from './import-job.ts';
import { StoreEntity } from './store.ts';

/**
 * What the entity manager reads and writes. The other entities describe their tables to Kysely's types: to load them, and
 * have the ORM know them, would take a good part of what it takes to start a process or a thread.
 */
export const MANAGED = [StoreEntity, ApiKeyEntity, ImportJobEntity, ImportErrorEntity];
