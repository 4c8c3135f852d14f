import { Migration } from '@mikro-orm/migrations';

/** When the messages of a campaign go, and campaigns whose audience are recipients of others. */
export class CampaignTiming extends Migration {
  override up(): void {
    this.addSql(`
      alter table campaign
        add column timing json,
        add column campaign_ids uuid[] not null default '{}',
        add column step int not null default 0,
        add column without_zone bigint not null default 0,
        add column unknown_zone bigint not null default 0`);
  }
}
