import type { Migration } from './index.ts'

export const m0086WebhookKeys: Migration = [
  'alter table webhooks add column api_key_id bigint',
  'create index webhooks_of_key on webhooks (api_key_id) where api_key_id is not null',
]
