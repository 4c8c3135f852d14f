import { Migration } from '@mikro-orm/migrations';

/** The country of a store, and the customers of whom one address or number is in several spellings. */
export class Spellings extends Migration {
  override up(): void {
    this.addSql('alter table store add column country text');
    // How far the identifiers of a store have been looked at; its id is not `store_id`, as stores are not distributed.
    this.addSql(`
      create table identifier_check (
        id uuid primary key,
        form text not null,
        kind text not null,
        value text not null,
        started_at timestamptz(3) not null,
        ended_at timestamptz(3),
        rounds int not null,
        taken_until timestamptz(3)
      )`);
    this.addSql(`
      create table identifier_split (
        store_id uuid not null,
        kind text not null,
        value text collate "C" not null,
        owners json not null,
        found_at timestamptz(3) not null,
        seen_at timestamptz(3) not null,
        primary key (store_id, kind, value)
      )`);
  }
}
