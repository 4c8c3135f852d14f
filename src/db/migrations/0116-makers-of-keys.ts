import { Migration } from '@mikro-orm/migrations';

/** By whom keys were made, and whether people may sign in to the dashboard with them. */
export class MakersOfKeys extends Migration {
  override up(): void {
    // Null for keys that were made before.
    this.addSql(`
      alter table api_key
        add column created_by_kind text
          constraint api_key_created_by_kind_check check (created_by_kind in ('key', 'person', 'operator')),
        add column created_by uuid,
        add column created_by_name text`);
    this.addSql('alter table store add column key_sign_in boolean not null default true');
  }
}
