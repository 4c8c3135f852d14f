import { Migration } from '@mikro-orm/migrations';

/** Was the index of profiles by their latest change, which comes with 0035 now, and in the background. */
export class UpdatedProfiles extends Migration {
  override up(): void {}
}
