import { Migration } from '@mikro-orm/migrations';

/** Text messages by Twilio, and what customers answer to text messages. */
export class Twilio extends Migration {
  override up(): void {
    this.addSql('alter table sender drop constraint sender_kind_check');
    this.addSql(`
      alter table sender add constraint sender_kind_check check (kind in ('outbox', 'smtp', 'webhook', 'twilio'))`);
    this.addSql('alter table sender add column account_sid text');
    this.addSql('alter table sender add column api_key_sid text');
    this.addSql('alter table sender add column text_from text');
    this.addSql('alter table sender add column messaging_service_sid text');
    this.addSql('alter table sender drop constraint sender_feedback_provider_check');
    this.addSql(`
      alter table sender add constraint sender_feedback_provider_check
        check (feedback_provider in ('generic', 'ses', 'postmark', 'sendgrid', 'mailgun', 'resend', 'twilio'))`);
    // No version that was released has feedback: there is nothing to read.
    this.addSql('alter table feedback drop constraint feedback_kind_check');
    this.addSql(`
      alter table feedback add constraint feedback_kind_check check (kind in ('delivered', 'deferred', 'bounced',
        'complained', 'unsubscribed', 'subscribed', 'help', 'replied'))`);
    this.addSql('alter table feedback add column is_known boolean');
    this.addSql('alter table suppressed_address drop constraint suppressed_address_reason_check');
    this.addSql(`
      alter table suppressed_address add constraint suppressed_address_reason_check
        check (reason in ('hard_bounce', 'soft_bounces', 'complaint', 'manual', 'unsubscribed'))`);
  }
}
