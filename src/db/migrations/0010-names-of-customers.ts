import { Migration } from '@mikro-orm/migrations';

/** Profiles are found by how a customer's name begins, the first or the last. */
export class NamesOfCustomers extends Migration {
  override up(): void {
    // In a database whose locale knows no letters but those of ASCII, ICU does, where there is one.
    this.addSql(`
      do $$ declare
        by_icu bool := lower('É') <> 'é' and exists (select from pg_collation where collname = 'und-x-icu');
      begin
        execute format('create function lower_name(text) returns text language sql immutable strict parallel safe as %L',
          case when by_icu then 'select lower($1 collate "und-x-icu")' else 'select lower($1)' end);
      end $$`);
    // Columns of their own, because an index on an expression of the attributes would make each change of them rewrite
    // every index. In the order of bytes, so that those that begin with a text lie side by side.
    this.addSql(`
      alter table profile
        add column full_name text collate "C" generated always as (nullif(left(lower_name(btrim(
          coalesce(attributes ->> 'first_name', '') || ' ' || coalesce(attributes ->> 'last_name', ''))), 100), '')) stored,
        add column last_name text collate "C" generated always as (case when attributes ->> 'first_name' <> '' then
          nullif(left(lower_name(btrim(attributes ->> 'last_name')), 100), '') end) stored`);
    for (const name of ['full_name', 'last_name']) {
      this.addSql(`create index profile_${name} on profile (store_id, ${name}, id) where ${name} is not null`);
    }
  }
}
