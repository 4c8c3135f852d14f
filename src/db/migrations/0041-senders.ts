import { Migration } from '@mikro-orm/migrations';

/** Whom messages come from and how they leave, what a store says of all its messages, and the key for what is secret. */
export class Senders extends Migration {
  override up(): void {
    this.addSql(`
      create table drawn_key (
        name text primary key,
        text text not null,
        created_at timestamptz(3) not null
      )`);
  }
}
