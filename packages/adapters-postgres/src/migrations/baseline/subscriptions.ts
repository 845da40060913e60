import type { Migration } from '../index.ts'

export const subscriptions: Migration = [
  `create table subscriptions (
    id uuid primary key,
    account_id uuid not null references accounts on delete cascade,
    tier text not null check (tier in ('community', 'pro', 'team')),
    processor text not null,
    processor_subscription_id text not null,
    processor_customer_id text,
    status text not null check (status in ('incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'unpaid',
      'paused', 'canceled', 'other')),
    currency text not null,
    price_at_creation_cents bigint not null check (price_at_creation_cents >= 0),
    next_tier text check (next_tier in ('community', 'pro', 'team')),
    next_price_cents bigint check (next_price_cents >= 0),
    trial_end timestamptz,
    current_period_end timestamptz,
    cancel_at_period_end boolean not null,
    canceled_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    check ((next_tier is null) = (next_price_cents is null)),
    unique (processor, processor_subscription_id)
  )`,
  `create unique index subscriptions_live on subscriptions (account_id)
    where status not in ('canceled', 'incomplete_expired')`,
  'create index subscriptions_of_account on subscriptions (account_id, created_at desc)',
  'create index subscriptions_of_customer on subscriptions (processor, processor_customer_id)',
  `create index subscriptions_due on subscriptions (processor, current_period_end)
    where status not in ('canceled', 'incomplete_expired')`,

  `create table subscription_leases (
    account_id uuid primary key references accounts on delete cascade,
    holder uuid not null,
    lease_until timestamptz not null
  )`,

  `create table subscription_checkouts (
    account_id uuid primary key references accounts on delete cascade,
    processor text not null,
    attempt uuid not null,
    checkout_id text,
    url text,
    tier text not null check (tier in ('community', 'pro', 'team')),
    currency text not null,
    price_cents bigint not null check (price_cents >= 0),
    trial_days integer not null check (trial_days >= 0),
    created_at timestamptz not null
  )`,

  `create table subscription_reminders (
    subscription_id uuid not null references subscriptions on delete cascade,
    ends_at timestamptz not null,
    days integer not null,
    primary key (subscription_id, ends_at, days)
  )`,

  `create table billing_messages (
    processor text not null,
    id text not null,
    state text not null check (state in ('processing', 'done')),
    tries integer not null default 1,
    seen_at timestamptz not null,
    primary key (processor, id)
  )`,
  'create index billing_messages_in_order on billing_messages (seen_at)',

  `create table tier_pricing (
    tier text primary key check (tier in ('community', 'pro', 'team')),
    price_usd_monthly_cents integer not null check (price_usd_monthly_cents >= 0),
    price_eur_monthly_cents integer not null check (price_eur_monthly_cents >= 0),
    price_usdc_yearly_cents integer not null check (price_usdc_yearly_cents >= 0),
    trial_days integer not null check (trial_days >= 0),
    updated_at timestamptz not null
  )`,

  `create table paid_years (
    challenge_id text primary key,
    receipt_id text not null unique,
    account_id uuid not null references accounts on delete cascade,
    tier text not null,
    price_cents integer not null check (price_cents > 0),
    paid_at timestamptz not null,
    starts_at timestamptz,
    ends_at timestamptz,
    check ((starts_at is null) = (ends_at is null))
  )`,
  'create index paid_years_of_account on paid_years (account_id)',
  'create index paid_years_waiting on paid_years (paid_at) where starts_at is null',
]
