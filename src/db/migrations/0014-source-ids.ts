import { Migration } from '@mikro-orm/migrations';

/** Profiles can be found by the id that they had in the system they came from. */
export class SourceIds extends Migration {
  override up(): void {
    this.addSql('alter table profile add column source_id text');
    this.addSql('alter table profile_identifier drop constraint profile_identifier_kind_check');
    // Whether the rows that are there meet it is looked at in the background, from 0035 on: here it would hold up writes.
    this.addSql(`
      alter table profile_identifier
      add constraint profile_identifier_kind_check
        check (kind in ('external_id', 'email', 'phone', 'anonymous_id', 'source_id')) not valid`);
  }
}
