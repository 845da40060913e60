import type { Migration } from './index.ts'

export const m0029PaidYears: Migration = [
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
  `create table subscription_reminders (
    subscription_id uuid not null references subscriptions on delete cascade,
    ends_at timestamptz not null,
    days integer not null,
    primary key (subscription_id, ends_at, days)
  )`,
]
