import { Migration } from '@mikro-orm/migrations';

/** Persons who sign in to the dashboard, what they may do in which store, and how they were let in. */
export class People extends Migration {
  override up(): void {
    this.addSql(`
      create table person (
        id uuid not null,
        -- In lower case.
        email text not null,
        name text not null,
        -- A PHC string.
        password text not null,
        created_at timestamptz(3) not null,
        constraint person_pkey primary key (id),
        constraint person_email_key unique (email)
      )`);
    this.addSql(`
      create table membership (
        store_id uuid not null,
        person_id uuid not null,
        role text not null
          constraint membership_role_check check (role in ('owner', 'admin', 'marketer', 'analyst', 'support')),
        created_at timestamptz(3) not null,
        constraint membership_pkey primary key (store_id, person_id)
      )`);
    this.addSql('create index membership_of_person on membership (person_id)');
    this.addSql(`
      create table invitation (
        store_id uuid not null,
        id uuid not null,
        -- The SHA-256 of what the link ends in.
        digest bytea not null,
        -- Null where whoever has the link chooses it.
        email text,
        role text not null
          constraint invitation_role_check check (role in ('owner', 'admin', 'marketer', 'analyst', 'support')),
        -- Null where the operator has invited.
        invited_by uuid,
        created_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        constraint invitation_pkey primary key (store_id, id),
        constraint invitation_digest_key unique (digest)
      )`);
    this.addSql(`
      create table person_session (
        -- The SHA-256 of what the cookie has.
        digest bytea not null,
        store_id uuid not null,
        person_id uuid not null,
        created_at timestamptz(3) not null,
        seen_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        constraint person_session_pkey primary key (digest)
      )`);
    this.addSql('create index person_session_of_person on person_session (person_id, created_at)');
    this.addSql('create index person_session_expires on person_session (expires_at)');
    this.addSql(`
      create table sign_in_failure (
        -- The SHA-256 of the e-mail address, whether or not somebody has it.
        digest bytea not null,
        failures int not null,
        last_at timestamptz(3) not null,
        blocked_until timestamptz(3) not null,
        constraint sign_in_failure_pkey primary key (digest)
      )`);
    this.addSql('create index sign_in_failure_last on sign_in_failure (last_at)');
  }
}
