import { Migration } from '@mikro-orm/migrations';
import { CUSTOMERS_BY_NAME, NAMES_OF_FORMER_WRITERS } from '../background/migrations.ts';
import { register } from '../background/register.ts';

/**
 * The names by which customers are found are written with their attributes. Postgres generated them before, in each change
 * of a profile.
 */
export class WrittenNames extends Migration {
  override up(): void {
    this.addSql(`
      do $$ begin
        alter table profile
          alter column full_name drop expression if exists, alter column last_name drop expression if exists;
      exception when feature_not_supported then
        -- Where tables are distributed. They are filled, and have their indexes, in the background.
        alter table profile drop column full_name, drop column last_name;
        alter table profile add column full_name text collate "C", add column last_name text collate "C";
      end $$`);
    this.addSql(register(CUSTOMERS_BY_NAME));
    this.addSql(register(NAMES_OF_FORMER_WRITERS));
  }
}
