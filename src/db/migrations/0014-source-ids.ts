import { Migration } from '@mikro-orm/migrations';

/** Profiles can be found by the id that they had in the system they came from. */
export class SourceIds extends Migration {
  override up(): void {
    this.addSql('alter table profile add column source_id text');
    this.addSql('alter table profile_identifier drop constraint profile_identifier_kind_check');
    this.addSql(`
      alter table profile_identifier
      add constraint profile_identifier_kind_check
        check (kind in ('external_id', 'email', 'phone', 'anonymous_id', 'source_id'))`);
  }
}
