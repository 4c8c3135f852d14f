import { Migration } from '@mikro-orm/migrations';

/** Text messages: what sends them, and what each was counted as. */
export class TextMessages extends Migration {
  override up(): void {
    this.addSql('alter table sender drop constraint sender_kind_check');
    this.addSql("alter table sender add constraint sender_kind_check check (kind in ('outbox', 'smtp', 'webhook'))");
    this.addSql('alter table sender alter column from_email drop not null');
    this.addSql('alter table sender add column endpoint_id uuid');
    this.addSql('alter table message add column segments int');
    this.addSql('alter table message_settings add column default_sms_sender_id uuid');
  }
}
