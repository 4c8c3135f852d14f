import { Migration } from '@mikro-orm/migrations';

/** Which window of the rate limit a key is counted in: its own, or that of a key it came after. */
export class KeyWindows extends Migration {
  override up(): void {
    this.addSql('alter table api_key add column window_id uuid');
    this.addSql('update api_key set window_id = id');
    // A service of the version before, which still runs while this one starts, knows no such column.
    this.addSql('alter table api_key alter column window_id set default gen_random_uuid()');
    this.addSql('alter table api_key alter column window_id set not null');
    this.addSql('create index api_key_ended on api_key (store_id, revoked_at, expires_at)');
  }
}
