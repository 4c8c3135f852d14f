import { Migration } from '@mikro-orm/migrations';
import { ROOM_FOR_UPDATES } from '../background/migrations.ts';
import { register } from '../background/register.ts';

/** New pages of profiles keep a tenth for the next versions of their rows. */
export class RoomForUpdates extends Migration {
  override up(): void {
    this.addSql(register(ROOM_FOR_UPDATES));
  }
}
