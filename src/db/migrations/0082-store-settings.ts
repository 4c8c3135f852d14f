import { Migration } from '@mikro-orm/migrations';

/** What a store is called by its customers, and how its times and amounts are meant. */
export class StoreSettings extends Migration {
  override up(): void {
    for (const column of ['display_name', 'time_zone', 'currency', 'website_url']) {
      this.addSql(`alter table store add column ${column} text`);
    }
  }
}
