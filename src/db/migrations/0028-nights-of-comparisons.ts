import { Migration } from '@mikro-orm/migrations';

/** A store's first night is that of the service, which does not begin at midnight; processes of before rely on the default. */
export class NightsOfComparisons extends Migration {
  override up(): void {
    this.addSql(
      "alter table segment_store alter column compared_on set default ((now() at time zone 'UTC') - interval '2 hours')::date",
    );
  }
}
