import { Migration } from '@mikro-orm/migrations';

/** Suppressed addresses can be listed: each has an id, by which they are in order, and the address, until it is to be forgotten. */
export class SuppressedAddresses extends Migration {
  override up(): void {
    this.addSql('alter table suppressed_address add column id uuid not null default gen_random_uuid()');
    this.addSql('alter table suppressed_address alter column id drop default');
    this.addSql('alter table suppressed_address add column address text');
    this.addSql('alter table suppressed_address add constraint suppressed_address_by_id unique (store_id, id)');
    this.addSql('alter table suppressed_address drop constraint suppressed_address_reason_check');
    this.addSql(`
      alter table suppressed_address add constraint suppressed_address_reason_check
        check (reason in ('hard_bounce', 'soft_bounces', 'complaint', 'manual'))`);
  }
}
