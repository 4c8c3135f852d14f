import { Migration } from '@mikro-orm/migrations';

/** Lists that customers join once they have confirmed it by a link in a message, and those who were asked to. */
export class DoubleOptIn extends Migration {
  override up(): void {
    this.addSql(`
      alter table list
        add column double_opt_in boolean not null default false,
        add column confirmation_template_id uuid`);
    this.addSql(`
      create table list_confirmation (
        store_id uuid not null,
        message_id uuid not null,
        profile_id uuid not null,
        list_id uuid not null,
        asked_at timestamptz(3) not null,
        confirmed_at timestamptz(3),
        address text,
        source text,
        primary key (store_id, message_id)
      )`);
    this.addSql('create index list_confirmation_asked on list_confirmation (store_id, asked_at)');
    this.addSql('create index list_confirmation_of_profile on list_confirmation (store_id, profile_id, asked_at)');
    // The text of the service itself is no template.
    this.addSql(
      'alter table message alter column template_id drop not null, alter column template_version drop not null',
    );
  }
}
