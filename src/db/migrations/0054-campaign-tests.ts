import { Migration } from '@mikro-orm/migrations';

/**
 * Variants of campaigns, and who gets none. The column of messages has no default, so the table is not written anew; where it
 * is null, a message is as long as before: the bits that say so have room for six more columns.
 */
export class CampaignTests extends Migration {
  override up(): void {
    this.addSql(`
      alter table campaign
        add column tested_at timestamptz(3),
        add column decided_at timestamptz(3),
        add column hold_out smallint not null default 0,
        add column winner smallint,
        add column verdict text
          constraint campaign_verdict_check check (verdict in ('significant', 'unclear', 'unopposed', 'chosen', 'no_rest')),
        add column test json,
        add column variants json`);
    this.addSql('alter table message add column variant smallint');
  }
}
