import { Migration } from '@mikro-orm/migrations';

/** What people who work in a store have written down about a customer. */
export class ProfileNotes extends Migration {
  override up(): void {
    this.addSql(`
      create table profile_note (
        store_id uuid not null,
        profile_id uuid not null,
        id uuid not null,
        text text not null,
        author_kind text not null
          constraint profile_note_author_kind_check check (author_kind in ('key', 'person')),
        author_id uuid not null,
        created_at timestamptz(3) not null,
        constraint profile_note_pkey primary key (store_id, profile_id, id)
      )`);
  }
}
