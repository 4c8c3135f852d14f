import { Migration } from '@mikro-orm/migrations';

/** Links by which people choose a new password. */
export class PasswordResets extends Migration {
  override up(): void {
    this.addSql(`
      create table password_reset (
        -- The SHA-256 of what the link ends in.
        digest bytea not null,
        person_id uuid not null,
        -- The only store in which the person may be when it is used; null where the operator has made it.
        store_id uuid,
        -- The person or the key; null where the operator has made it.
        made_by uuid,
        created_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        constraint password_reset_pkey primary key (digest)
      )`);
    this.addSql('create index password_reset_of_person on password_reset (person_id)');
  }
}
