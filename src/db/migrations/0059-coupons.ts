import { Migration } from '@mikro-orm/migrations';

/** Pools of coupon codes, each of which one customer gets, and how many of each status there are. */
export class Coupons extends Migration {
  override up(): void {
    this.addSql(`
      create table coupon_pool (
        store_id uuid not null,
        id uuid not null,
        name text not null,
        kind text not null constraint coupon_pool_kind_check check (kind in ('uploaded', 'generated')),
        per text not null constraint coupon_pool_per_check check (per in ('customer', 'run')),
        pattern text,
        low_below int,
        expires_at timestamptz(3),
        codes int not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        constraint coupon_pool_pkey primary key (store_id, id)
      )`);
    // By the code first: an order names a code, and not its pool.
    this.addSql(`
      create table coupon_code (
        store_id uuid not null,
        pool_id uuid not null,
        id uuid not null,
        code text not null,
        status text not null constraint coupon_code_status_check check (status in ('free', 'assigned', 'used', 'void')),
        holder uuid,
        profile_id uuid,
        run_id uuid,
        order_id text,
        created_at timestamptz(3) not null,
        assigned_at timestamptz(3),
        used_at timestamptz(3),
        constraint coupon_code_pkey primary key (store_id, code, pool_id)
      )`);
    this.addSql(`
      create unique index coupon_code_holder on coupon_code (store_id, pool_id, holder) where holder is not null`);
    this.addSql('create index coupon_code_of on coupon_code (store_id, pool_id, id)');
    this.addSql('create index coupon_code_status on coupon_code (store_id, pool_id, status, id)');
    this.addSql(`
      create index coupon_code_profile on coupon_code (store_id, profile_id, id) where profile_id is not null`);
    this.addSql(`
      create table coupon_count_new (
        store_id uuid not null,
        id uuid not null,
        pool_id uuid not null,
        status text not null,
        count int not null,
        constraint coupon_count_new_pkey primary key (store_id, id)
      )`);
    this.addSql('create index coupon_count_new_of on coupon_count_new (store_id, pool_id)');
    this.addSql(`
      create table coupon_count (
        store_id uuid not null,
        pool_id uuid not null,
        status text not null,
        count int not null,
        constraint coupon_count_pkey primary key (store_id, pool_id, status)
      )`);
    this.addSql(`
      create table coupon_pool_deletion (
        store_id uuid not null,
        pool_id uuid not null,
        deleted_at timestamptz(3) not null,
        constraint coupon_pool_deletion_pkey primary key (store_id, pool_id)
      )`);
    // What a run was given, for its later steps and messages.
    this.addSql('alter table automation_run add column coupon jsonb');
  }
}
