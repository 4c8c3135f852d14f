import { Migration } from '@mikro-orm/migrations';

/** Profiles can be listed in the order of their latest change. */
export class UpdatedProfiles extends Migration {
  override up(): void {
    // The condition holds for all, and only statements that contain it can use the index: in a table that it has no
    // statistics of yet, Postgres would take it for better than the primary key, and read the store to look up a profile.
    this.addSql(`
      create index profile_updated on profile (store_id, updated_at, id)
      where updated_at > timestamptz '-infinity'`);
  }
}
