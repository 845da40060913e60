import type { Migration } from './index.ts'

export const m0041EntitlementsAndDeliveries: Migration = [
  // What an account holds, and what is given to an email address, is found without its profile when the account is purged.
  `create index entitlements_of_account on entitlements (payer_wallet_address)
    where payer_network in ('account', 'email')`,

  // What was bought while signed in belongs to the account too. Receipts that were paid back gave nothing.
  `insert into entitlements (
      id, profile_id, resource_pattern, payer_wallet_address, payer_network, tier, receipt_id, valid_until, created_at
    )
    select distinct on (held.profile_id, held.resource_pattern, receipts.payer_account_id)
      gen_random_uuid(), held.profile_id, held.resource_pattern, receipts.payer_account_id, 'account',
      held.tier, held.receipt_id, held.valid_until, held.created_at
    from entitlements as held
    join receipts on receipts.receipt_id = held.receipt_id
    where held.revoked_at is null and receipts.payer_account_id is not null
    order by held.profile_id, held.resource_pattern, receipts.payer_account_id, held.valid_until desc nulls first
    on conflict do nothing`,

  // How often the content of a payment for one request was sent.
  'alter table payments add column deliveries integer not null default 0',
]
