import { Migration } from '@mikro-orm/migrations';

/** Profiles are found by how a customer's name begins, the first or the last, once 0036 has filled these columns. */
export class NamesOfCustomers extends Migration {
  override up(): void {
    // Columns of their own, because an index on an expression of the attributes would make each change of them rewrite
    // every index. In the order of bytes, so that those that begin with a text lie side by side.
    this.addSql(`alter table profile add column full_name text collate "C", add column last_name text collate "C"`);
  }
}
