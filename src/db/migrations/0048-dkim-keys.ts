import { Migration } from '@mikro-orm/migrations';

/** By which messages of a sender are signed, where its relay does not sign them. */
export class DkimKeys extends Migration {
  override up(): void {
    this.addSql('alter table sender add column dkim_key text, add column dkim_public_key text');
  }
}
