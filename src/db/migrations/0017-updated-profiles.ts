import { Migration } from '@mikro-orm/migrations';

/** Profiles can be listed in the order of their latest change. */
export class UpdatedProfiles extends Migration {
  override up(): void {
    this.addSql('create index profile_updated on profile (store_id, updated_at)');
  }
}
