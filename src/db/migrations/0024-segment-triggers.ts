import { Migration } from '@mikro-orm/migrations';

/** What automations need that start when somebody enters or leaves a segment. */
export class SegmentTriggers extends Migration {
  override up(): void {
    this.addSql('alter table addition drop constraint addition_kind_check');
    this.addSql(`
      alter table addition
      add constraint addition_kind_check check (kind in (
        'event', 'rejection', 'profile', 'profile_change', 'automation_status', 'list_change', 'segment_change'))`);
    // Of a `profile`: how many automations led to it, and what it was if it was not a change like any other.
    this.addSql('alter table addition add column depth int');
    this.addSql('alter table addition add column cause text');
    this.addSql("alter table addition add constraint addition_cause_check check (cause in ('consent', 'import'))");

    this.addSql('alter table segment_change add column depth int not null default 0');
    // When its transaction began, by the clock of the database, as all others that are compared with it.
    this.addSql('alter table segment_change add column written_at timestamptz(3) not null default now()');
    this.addSql('alter table segment_change drop constraint segment_change_cause_check');
    this.addSql(`
      alter table segment_change
      add constraint segment_change_cause_check
        check (cause in ('event', 'profile', 'list', 'consent', 'segment', 'time', 'import', 'definition'))`);
    this.addSql(`
      create index segment_change_of_profile on segment_change (store_id, profile_id, segment_id, id)`);

    // The segment that starts its runs, by the latest version, or before the first by the draft.
    this.addSql('alter table automation add column segment_id uuid');
    this.addSql(`
      create index automation_of_segment on automation (store_id, segment_id) where segment_id is not null`);
    // Whoever was in the segment then starts as one of its members, and not by having entered before.
    this.addSql('alter table automation_version add column members_before timestamptz(3)');
    this.addSql(`
      create table automation_member_fill (
        store_id uuid not null,
        automation_id uuid not null,
        version int not null,
        segment_id uuid not null,
        -- Of the members that served then.
        generation int not null,
        since timestamptz(3) not null,
        after_profile_id uuid not null,
        primary key (store_id, automation_id)
      )`);
  }
}
