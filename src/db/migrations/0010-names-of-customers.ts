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
    const [first, last] = ['first_name', 'last_name'].map(
      (name) => `coalesce(btrim(attributes ->> '${name}', E' \\t\\r\\n'), '')`,
    );
    const column = (name: string, value: string) =>
      `add column ${name} text collate "C" generated always as (nullif(left(lower_name(${value}), 100), '')) stored`;
    this.addSql(`
      alter table profile
        ${column('full_name', `btrim(${first} || ' ' || ${last})`)},
        ${column('last_name', `case when ${first} <> '' then ${last} end`)}`);
    for (const name of ['full_name', 'last_name']) {
      this.addSql(`create index profile_${name} on profile (store_id, ${name}, id) where ${name} is not null`);
    }
  }
}
