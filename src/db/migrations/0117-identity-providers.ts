import { Migration } from '@mikro-orm/migrations';

/** Identity providers of stores, and who signs in by them. */
export class IdentityProviders extends Migration {
  override up(): void {
    this.addSql(`
      create table identity_provider (
        store_id uuid not null,
        -- Another with each change.
        version uuid not null,
        issuer text not null,
        client_id text not null,
        -- Sealed.
        client_secret text not null,
        groups_claim text not null,
        -- An array of objects: the first whose group somebody is in has the role.
        role_rules jsonb not null,
        -- Of e-mail addresses whose people need no invitation.
        domains text[] not null,
        -- Of whom no rule has one; null where they may not come in.
        default_role text
          constraint identity_provider_default_role_check check (default_role in ('admin', 'marketer', 'analyst', 'support')),
        -- The owner who alone signs in by a password; null where others do.
        break_glass_id uuid,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        constraint identity_provider_pkey primary key (store_id)
      )`);
    this.addSql(`
      create table person_identity (
        store_id uuid not null,
        issuer text not null,
        subject text not null,
        person_id uuid not null,
        -- What the person is where no rule has a role; null for the provider's default.
        own_role text
          constraint person_identity_own_role_check check (own_role in ('owner', 'admin', 'marketer', 'analyst', 'support')),
        created_at timestamptz(3) not null,
        constraint person_identity_pkey primary key (store_id, issuer, subject),
        constraint person_identity_of_person unique (store_id, person_id)
      )`);
    this.addSql(`
      create table provider_sign_in (
        -- The SHA-256 of what the cookie has.
        digest bytea not null,
        store_id uuid not null,
        -- Of the provider as it was asked.
        version uuid not null,
        return_to text not null,
        -- The session that ends with it, by its digest.
        former bytea,
        expires_at timestamptz(3) not null,
        constraint provider_sign_in_pkey primary key (digest)
      )`);
    this.addSql('create index provider_sign_in_expires on provider_sign_in (expires_at)');
    // The only store of somebody who has come by its provider, and the address that this gives: one that others prove is not theirs.
    this.addSql('alter table person add column provider_store_id uuid, add column provider_email text');
    // A session by a provider never shows another store, whatever a process of the version before is asked for.
    this.addSql(`
      alter table person_session add column provider_store_id uuid
        constraint person_session_provider_store_id_check check (provider_store_id = store_id)`);
  }
}
