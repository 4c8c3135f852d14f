import { Migration } from '@mikro-orm/migrations';

/**
 * The subject of a campaign in place of that of its template, how far a change of its messages that wait has got, and whether
 * some may be due outside its hours; the variant of what led to an order; and clicks by link.
 */
export class CampaignResults extends Migration {
  override up(): void {
    this.addSql(`
      alter table campaign
        add column changed uuid not null default '00000000-0000-0000-0000-000000000000',
        add column has_closed boolean not null default false,
        add column subject text`);
    this.addSql('alter table attribution add column variant smallint');
    this.addSql(`
      create table campaign_link (
        store_id uuid not null,
        campaign_id uuid not null,
        template_id uuid not null,
        link int not null,
        clicks bigint not null,
        machine_clicks bigint not null,
        url text not null,
        primary key (store_id, campaign_id, template_id, link)
      )`);
  }
}
