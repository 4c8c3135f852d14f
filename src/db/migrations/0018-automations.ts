import { Migration } from '@mikro-orm/migrations';

/** What automations are, who is in them, and what has happened to whom. */
export class Automations extends Migration {
  override up(): void {
    this.addSql(`
      create table automation (
        store_id uuid not null,
        id uuid not null,
        name text not null,
        -- Not jsonb: it comes back as it was sent, with its names in their order.
        draft json not null,
        revision int not null,
        status text not null check (status in ('draft', 'live', 'paused', 'draining', 'archived')),
        version int,
        published_revision int,
        -- That of the latest version, or before the first of the draft.
        trigger json not null,
        event_type text,
        resumed jsonb,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        -- As the reader of the change feed has it: each event is judged by what was so when it was committed.
        read_status text not null check (read_status in ('draft', 'live', 'paused', 'draining', 'archived')),
        read_version int,
        primary key (store_id, id)
      )`);
    // For those of all stores that may have something to do.
    this.addSql("create index automation_published on automation (store_id, id) where status <> 'draft'");
    this.addSql('create index automation_with_status on automation (store_id, status, id)');
    this.addSql('create index automation_of_type on automation (store_id, event_type, id)');
    this.addSql('create index automation_of_type_with_status on automation (store_id, event_type, status, id)');
    this.addSql(`
      create table automation_version (
        store_id uuid not null,
        automation_id uuid not null,
        number int not null,
        definition json not null,
        watched text[] not null,
        in_flight text not null check (in_flight in ('keep', 'move', 'exit')),
        published_at timestamptz(3) not null,
        published_by uuid not null,
        primary key (store_id, automation_id, number)
      )`);

    // Each is an entry of the change feed, whose order tells what was committed before it and what after.
    this.addSql(`
      create table automation_status (
        store_id uuid not null,
        id uuid not null,
        automation_id uuid not null,
        status text not null check (status in ('live', 'paused', 'draining', 'archived')),
        version int,
        changed_at timestamptz(3) not null,
        changed_by uuid,
        primary key (store_id, id)
      )`);
    this.addSql('create index automation_status_of on automation_status (store_id, automation_id, id)');
    this.addSql('alter table addition drop constraint addition_kind_check');
    this.addSql(`
      alter table addition
      add constraint addition_kind_check
        check (kind in ('event', 'rejection', 'profile', 'profile_change', 'automation_status'))`);

    // Attributes whose changes are written down, as some automation waits for them.
    this.addSql('create table automation_watch (store_id uuid primary key, names text[] not null)');
    this.addSql(`
      create table profile_change (
        store_id uuid not null,
        id uuid not null,
        profile_id uuid not null,
        changes jsonb not null,
        depth int not null,
        changed_at timestamptz(3) not null,
        primary key (store_id, id)
      )`);

    // Survives the runs: somebody who was in an automation once has been in it for ever.
    this.addSql(`
      create table automation_enrolment (
        store_id uuid not null,
        automation_id uuid not null,
        profile_id uuid not null,
        key text not null,
        last_started_at timestamptz(3) not null,
        active_run_id uuid,
        starts int not null,
        primary key (store_id, automation_id, profile_id, key)
      )`);
    this.addSql(`
      create table automation_run (
        store_id uuid not null,
        id uuid not null,
        automation_id uuid not null,
        version int not null,
        profile_id uuid not null,
        key text,
        enrolment_key text,
        trigger_id text not null,
        origin jsonb not null,
        captured jsonb not null,
        depth int not null,
        status text not null check (status in ('active', 'ended', 'failed')),
        step_id text not null,
        seq int not null,
        due_at timestamptz(3),
        waiting jsonb,
        consumed uuid[] not null,
        attempts int not null,
        started_at timestamptz(3) not null,
        ended_at timestamptz(3),
        reason text,
        primary key (store_id, id),
        constraint automation_run_trigger unique (store_id, automation_id, trigger_id)
      ) with (fillfactor = 80)`);
    this.addSql('create index automation_run_of on automation_run (store_id, automation_id, id)');
    this.addSql('create index automation_run_of_profile on automation_run (store_id, profile_id, id)');
    this.addSql(`
      create index automation_run_due on automation_run (store_id, automation_id, due_at)
      where status = 'active'`);
    this.addSql(`
      create index automation_run_active on automation_run (store_id, profile_id, automation_id)
      where status = 'active'`);
    this.addSql(`
      create index automation_run_at on automation_run (store_id, automation_id, step_id, id)
      where status <> 'ended'`);
    this.addSql(`
      create index automation_run_failed on automation_run (store_id, automation_id, id)
      where status = 'failed'`);
    this.addSql(`
      create index automation_run_ended on automation_run (store_id, ended_at)
      where status <> 'active'`);
    this.addSql(`
      create table automation_step (
        store_id uuid not null,
        run_id uuid not null,
        seq int not null,
        step_id text not null,
        at timestamptz(3) not null,
        outcome text not null,
        detail jsonb not null,
        primary key (store_id, run_id, seq)
      )`);

    // What has passed the filter of a trigger, and yet has started nothing.
    this.addSql(`
      create table automation_skip (
        store_id uuid not null,
        automation_id uuid not null,
        trigger_id text not null,
        profile_id uuid not null,
        reason text not null,
        detail jsonb not null,
        skipped_at timestamptz(3) not null,
        primary key (store_id, automation_id, trigger_id)
      )`);
    this.addSql(`
      create index automation_skip_of_profile on automation_skip (store_id, automation_id, profile_id, skipped_at)`);
    this.addSql('create index automation_skip_time on automation_skip (store_id, skipped_at)');

    // When a customer's date is due in an automation that has a trigger of dates.
    this.addSql(`
      create table automation_date (
        store_id uuid not null,
        automation_id uuid not null,
        profile_id uuid not null,
        version int not null,
        day date not null,
        due_at timestamptz(3) not null,
        primary key (store_id, automation_id, profile_id)
      )`);
    this.addSql('create index automation_date_due on automation_date (store_id, automation_id, due_at)');
    // How far the dates of the customers that there were at publication have been entered.
    this.addSql(`
      create table automation_date_fill (
        store_id uuid not null,
        automation_id uuid not null,
        version int not null,
        after_profile_id uuid not null,
        primary key (store_id, automation_id)
      )`);

    // Counts by day, appended by each transaction and summed up later.
    this.addSql(`
      create table automation_count_new (
        store_id uuid not null,
        id uuid not null,
        automation_id uuid not null,
        day date not null,
        metric text not null,
        name text not null,
        count int not null,
        primary key (store_id, id)
      )`);
    this.addSql('create index automation_count_new_of on automation_count_new (store_id, automation_id)');
    this.addSql(`
      create table automation_count (
        store_id uuid not null,
        automation_id uuid not null,
        day date not null,
        metric text not null,
        name text not null,
        count bigint not null,
        primary key (store_id, automation_id, day, metric, name)
      )`);

    // A restored copy does nothing for a store until somebody releases it.
    this.addSql('create table automation_hold (store_id uuid primary key, held_at timestamptz(3) not null)');
  }
}
