import { Migration } from '@mikro-orm/migrations';

/** What the latest choice for a list calls it: choices are kept by the id of the list, whichever of its names they use. */
export class NamesOfLists extends Migration {
  override up(): void {
    this.addSql('alter table consent_list add column list_name text');
  }
}
