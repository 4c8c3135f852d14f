import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

/** What is done of the schema in the background, and how far it is. */
export const BackgroundMigrationEntity = defineEntity({
  name: 'BackgroundMigration',
  tableName: 'background_migration',
  properties: {
    name: p.text().primary(),
    attempts: p.integer().default(0),
    /** Of `total` parts, which is null where it is not known. */
    done: p.integer().default(0),
    total: p.integer().strictNullable(),
    /** Why the last attempt failed. */
    error: p.text().strictNullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
    startedAt: p.datetime(3).strictNullable(),
    completedAt: p.datetime(3).strictNullable(),
    /** Which run of a process works at it, and until when, or until when nobody tries it again. */
    takenBy: p.uuid().strictNullable(),
    takenUntil: p.datetime(3).strictNullable(),
  },
});

export type BackgroundMigrationRecord = InferEntity<typeof BackgroundMigrationEntity>;
