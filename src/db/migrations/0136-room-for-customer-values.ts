import { Migration } from '@mikro-orm/migrations';

/** New pages of what customers ordered keep room: with each order of a known one, a sum changes and no index of it. */
export class RoomForCustomerValues extends Migration {
  override up(): void {
    this.addSql('alter table customer_value set (fillfactor = 80)');
  }
}
