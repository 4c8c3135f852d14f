import { Migration } from '@mikro-orm/migrations';

/** Automations start as customers opt in to a channel, or out of it: the change feed says who has. */
export class ConsentTriggers extends Migration {
  override up(): void {
    this.addSql(`
      alter table addition
        add column channel text,
        add column from_client boolean,
        add constraint addition_channel_check check (channel in ('email', 'sms'))`);
    this.addSql('alter table addition drop constraint addition_kind_check');
    this.addSql(`
      alter table addition
      add constraint addition_kind_check check (kind in (
        'event', 'rejection', 'profile', 'profile_change', 'automation_status', 'list_change', 'segment_change',
        'catalog_change', 'consent_change'))`);
  }
}
