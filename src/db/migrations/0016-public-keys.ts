import { Migration } from '@mikro-orm/migrations';

/** Public keys are shown again, because pages have them in their source. */
export class PublicKeys extends Migration {
  override up(): void {
    this.addSql('alter table api_key add column public_key text');
  }
}
