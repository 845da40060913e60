import type { Migration } from './index.ts'

export const m0012KeyParents: Migration = [
  // Keys that were created with a key end with it.
  'alter table api_keys add parent_id bigint references api_keys on delete cascade',
  'create index api_keys_of_parent on api_keys (parent_id) where parent_id is not null',

  // A payout outlives its wallet, disabled, until its owner removes it.
  'alter table payouts alter wallet_id drop not null',
  'alter table payouts drop constraint payouts_wallet_id_fkey',
  'alter table payouts add constraint payouts_wallet_id_fkey foreign key (wallet_id) references wallets on delete set null',
]
