import { Migration } from '@mikro-orm/migrations';

/** The pool from which each recipient of a campaign gets a code. */
export class CouponsInCampaigns extends Migration {
  override up(): void {
    this.addSql('alter table campaign add column coupon_pool_id uuid');
  }
}
