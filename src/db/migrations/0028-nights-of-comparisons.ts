import { Migration } from '@mikro-orm/migrations';

/** A store's first night is that of the service, which does not begin at midnight. */
export class NightsOfComparisons extends Migration {
  override up(): void {
    this.addSql('alter table segment_store alter column compared_on drop default');
  }
}
