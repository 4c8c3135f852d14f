import { Migration } from '@mikro-orm/migrations';

/** Public keys are shown again, because pages have them in their source; what they say of consent is marked. */
export class PublicKeys extends Migration {
  override up(): void {
    this.addSql('alter table api_key add column public_key text');
    this.addSql('alter table consent_change add column from_client boolean not null default false');
  }
}
