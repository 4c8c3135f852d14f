import { Migration } from '@mikro-orm/migrations';

/**
 * New pages of profiles keep a tenth for the next versions of their rows. An update that leaves the names as they are then
 * writes no index: without room on the page it writes all of them.
 */
export class RoomForUpdates extends Migration {
  override up(): void {
    this.addSql('alter table profile set (fillfactor = 90)');
  }
}
