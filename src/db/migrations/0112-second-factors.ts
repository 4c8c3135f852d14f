import { Migration } from '@mikro-orm/migrations';

/** What people prove beside their passwords, whether a store asks for that, and where their sessions are from. */
export class SecondFactors extends Migration {
  override up(): void {
    this.addSql(`
      create table second_factor (
        person_id uuid not null,
        -- Sealed.
        secret text not null,
        -- The step of the last code that was accepted: none is twice.
        last_step bigint not null,
        created_at timestamptz(3) not null,
        -- Null until a first code has shown that the person has it.
        enabled_at timestamptz(3),
        constraint second_factor_pkey primary key (person_id)
      )`);
    this.addSql(`
      create table recovery_code (
        person_id uuid not null,
        -- A SHA-256.
        digest bytea not null,
        constraint recovery_code_pkey primary key (person_id, digest)
      )`);
    this.addSql('alter table store add column requires_second_factor boolean not null default false');
    this.addSql(`alter table person_session add column address text not null default ''`);
    this.addSql(`alter table person_session add column user_agent text not null default ''`);
  }
}
