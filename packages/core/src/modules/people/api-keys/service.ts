import type { Clock } from '../../../kernel/clock.ts'
import { sha256 } from '../../../kernel/digest.ts'
import { HOUR_MS } from '../../../kernel/durations.ts'
import { invalidApiKey, sessionRequired, validationFailed } from '../../../kernel/errors.ts'
import { type Caller, isLimitedWithoutKey } from '../../../model/caller.ts'
import type { ApiKey, ApiKeyUsage } from '../../../ports/storage/api-keys.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { EmailRate } from '../../../runtime/email/email-rate.ts'
import type { Outbox } from '../../../runtime/email/outbox.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { lockCaller } from '../../../runtime/storage/lock-caller.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { apiKeyCreatedEmail } from './emails.ts'
import { apiKeyNotFound, keyScopeEscalation, tooManyApiKeys } from './errors.ts'
import { keyCreated, keyRevoked, keyRotated } from './events.ts'
import { keyPermissions, type RequestedPermissions, requireKeyPermissions } from './key-permissions.ts'
import { isKeyText, maskKey, newKeyText } from './key-text.ts'
import { createUseCounter } from './use-counter.ts'

const MAX_KEYS = 100
const USES_WRITTEN_EVERY_MS = 5_000

/** The challenge of a 401 for an API key (RFC 6750). */
const KEY_REFUSED = { challenges: [{ scheme: 'Bearer', parameters: { error: 'invalid_token' } }] }

export interface ApiKeyDeps extends GuardedStorage<'apiKeys'> {
  readonly clock: Clock
  readonly profiles: Pick<ProfileService, 'get' | 'requirePermission'>
  /** The scopes that keys may have. */
  readonly scopes: readonly string[]
  readonly outbox: Pick<Outbox, 'post'>
  readonly emailRate: EmailRate
  /** Called when uses could not be stored. */
  readonly onError: (error: unknown) => void
}

export interface WantedKey extends RequestedPermissions {
  readonly name: string
}

/** A new key. Its text is not stored. */
export interface IssuedKey {
  readonly key: ApiKey
  readonly text: string
}

export interface RotateOptions {
  /** Also revokes the keys that were created with the replaced one. Default: false. */
  readonly cascade?: boolean | undefined
}

export type ListedKey = ApiKey & { readonly usage: ApiKeyUsage }

/** API keys: creating, replacing and revoking keys, and authenticating requests. */
export function createApiKeyService(deps: ApiKeyDeps) {
  const { read, write, clock, profiles, scopes, outbox, emailRate, onError } = deps
  const uses = createUseCounter({ write, clock, onError, everyMs: USES_WRITTEN_EVERY_MS })

  /** Whether a caller may see a key of its account. A key of one profile sees only the keys of that profile. */
  const isVisibleTo = ({ profileId }: Caller, key: ApiKey) => profileId === undefined || profileId === key.profileId

  /** Whether the key of a caller was created with another key, directly or indirectly. */
  async function isMadeWith(tx: Pick<Stores<'apiKeys'>, 'apiKeys'>, { account, keyId }: Caller, ancestorId: number) {
    let key = keyId === undefined ? undefined : await tx.apiKeys.get(keyId, account.id)
    for (let steps = 0; key && key.parentId !== null && steps < MAX_KEYS; steps++) {
      if (key.parentId === ancestorId) return true
      key = await tx.apiKeys.get(key.parentId, account.id)
    }
    return false
  }

  /**
   * Notifies the owner of a new key that does not end with the session or the key of the caller: a thief would keep it. A key
   * that replaces itself does not end with itself.
   */
  function reportNewKey({ masked, parentId }: ApiKey, { account, keyId }: Caller): void {
    if (keyId !== undefined && keyId === parentId) return
    outbox.post(apiKeyCreatedEmail, async () => {
      const { count } = await emailRate.store.hit(`api-key-mail:${account.id}`, HOUR_MS)
      if (count > emailRate.perHour) return undefined
      const { email, username, language } = account
      return { to: email, username, language, data: { masked } }
    })
  }

  const secretOf = (text: string) => ({ hash: sha256(text), masked: maskKey(text) })

  return {
    uses,

    async authenticate(text: string): Promise<Caller> {
      const found = isKeyText(text) ? await read.apiKeys.getByHash(sha256(text)) : undefined
      if (!found || found.account.bannedAt || found.account.deletionScheduledAt) throw invalidApiKey(KEY_REFUSED)
      const { key, account } = found
      uses.count(key.id)
      return {
        account,
        via: 'key',
        scopes: key.scopes,
        isAdmin: false,
        keyId: key.id,
        profileId: key.profileId ?? undefined,
        expiresAt: key.expiresAt ?? undefined,
      }
    },

    /** @throws `session_required` for a credential of a module with scopes, which the key would outlast */
    async create({ name, ...wanted }: WantedKey, caller: Caller): Promise<IssuedKey> {
      if (isLimitedWithoutKey(caller)) throw sessionRequired()
      const permissions = keyPermissions(wanted, caller, scopes)
      const createdAt = clock()
      if (permissions.expiresAt && permissions.expiresAt <= createdAt) {
        throw validationFailed({ message: 'body/expires_at: Must be in the future' })
      }
      if (permissions.profileId !== null) {
        await profiles.requirePermission(await profiles.get(permissions.profileId, caller), caller, 'profile.read')
      }
      const text = newKeyText()
      const accountId = caller.account.id
      const key = await write(async (tx, emit) => {
        // Serializes concurrent creations, so that they never exceed the limit.
        await lockCaller(tx, caller)
        if ((await tx.apiKeys.listOfAccount(accountId)).length >= MAX_KEYS) throw tooManyApiKeys()
        const parentId = caller.keyId ?? null
        const made = await tx.apiKeys.insert({
          ...permissions,
          ...secretOf(text),
          accountId,
          name,
          parentId,
          createdAt,
        })
        if (!made) throw invalidApiKey(KEY_REFUSED)
        emit(keyCreated, { keyId: made.id, scopes: made.scopes }, { accountId })
        return made
      })
      reportNewKey(key, caller)
      return { key, text }
    },

    async list(caller: Caller): Promise<readonly ListedKey[]> {
      await uses.flush()
      const keys = await read.apiKeys.listOfAccount(caller.account.id)
      return keys.filter((key) => isVisibleTo(caller, key))
    },

    async revoke(id: number, caller: Caller): Promise<void> {
      const accountId = caller.account.id
      await write(async (tx, emit) => {
        const key = await tx.apiKeys.get(id, accountId)
        const ended = key && isVisibleTo(caller, key) ? await tx.apiKeys.revoke(id, accountId, clock()) : []
        if (ended.length === 0) throw apiKeyNotFound()
        for (const { id: keyId } of ended) emit(keyRevoked, { keyId }, { accountId })
      })
    },

    /** @throws `session_required` as `create` does */
    async rotate(id: number, caller: Caller, { cascade = false }: RotateOptions = {}): Promise<IssuedKey> {
      if (isLimitedWithoutKey(caller)) throw sessionRequired()
      const text = newKeyText()
      const accountId = caller.account.id
      const key = await write(async (tx, emit) => {
        await lockCaller(tx, caller)
        const old = await tx.apiKeys.get(id, accountId)
        if (!old || !isVisibleTo(caller, old)) throw apiKeyNotFound()
        requireKeyPermissions(old, caller)
        // Otherwise the caller would receive the text of a key that is not revoked with its own.
        if (!cascade && (await isMadeWith(tx, caller, id))) throw keyScopeEscalation()
        const createdAt = clock()
        const [first, ...others] = await tx.apiKeys.revoke(id, accountId, createdAt, { keepChildren: !cascade })
        if (!first) throw apiKeyNotFound()
        const { name, scopes, expiresAt, profileId } = old
        const permissions = { name, scopes, expiresAt, profileId }
        // The requester receives the text of the new key, so the new key is revoked with the requester's key.
        const maker = [first, ...others].some((key) => key.id === caller.keyId) ? undefined : caller.keyId
        const parentId = maker ?? old.parentId
        const made = await tx.apiKeys.insert({ ...permissions, ...secretOf(text), accountId, parentId, createdAt })
        if (!made) throw invalidApiKey(KEY_REFUSED)
        if (!cascade) await tx.apiKeys.adopt(accountId, { from: id, to: made.id })
        await tx.webhooks?.moveToKey(accountId, { from: id, to: made.id })
        for (const { id: keyId } of others) emit(keyRevoked, { keyId }, { accountId })
        emit(keyRotated, { keyId: made.id, replacedKeyId: id }, { accountId })
        return made
      })
      reportNewKey(key, caller)
      return { key, text }
    },
  }
}

/** The service of API keys. */
export type ApiKeyService = ReturnType<typeof createApiKeyService>
