import type { ApiKey } from '../../../ports/storage/api-keys.ts'
import { KEY_PREFIX } from './key-text.ts'
import type { IssuedKey, ListedKey } from './service.ts'

const serializeKey = ({ id, name, masked, scopes, profileId, expiresAt, createdAt }: ApiKey) => ({
  id,
  name,
  masked,
  prefix: KEY_PREFIX,
  scopes: [...scopes],
  profile_id: profileId,
  expires_at: expiresAt?.toISOString() ?? null,
  created_at: createdAt.toISOString(),
})

/** Serializes a new key, with its text. */
export const serializeIssuedKey = ({ key, text }: IssuedKey) => ({ ...serializeKey(key), key: text })

/** Serializes a key for lists. */
export const serializeListedKey = ({ usage, ...key }: ListedKey) => ({
  ...serializeKey(key),
  last_used_at: usage.lastUsedAt?.toISOString() ?? null,
  usage: { total: usage.total, last_24h: usage.last24h, last_30d: usage.last30d },
})
