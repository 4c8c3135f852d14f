import { Migration } from '@mikro-orm/migrations';

/** When runs have reached the goal of their automation. */
export class Goals extends Migration {
  override up(): void {
    this.addSql('alter table automation_run add column goal_at timestamptz(3)');
  }
}
