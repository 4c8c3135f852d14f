import { Migration } from '@mikro-orm/migrations';
import { ROOM_FOR_POSITIONS } from '../background/migrations.ts';
import { register } from '../background/register.ts';

/** New pages of the feed keep half for the positions of their entries. */
export class RoomForPositions extends Migration {
  override up(): void {
    this.addSql(register(ROOM_FOR_POSITIONS));
  }
}
