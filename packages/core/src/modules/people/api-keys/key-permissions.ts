import { insufficientScope } from '../../../kernel/errors.ts'
import type { Caller } from '../../../model/caller.ts'
import { keyScopeEscalation } from './errors.ts'

/** The permissions of an API key: scopes, profile and expiry. */
export interface KeyPermissions {
  readonly scopes: readonly string[]
  /** Null: the key does not expire. */
  readonly expiresAt: Date | null
  /** Null: all profiles of its account. */
  readonly profileId: number | null
}

/** The requested rights of a new key; omitted members default to the rights of the requester. */
export interface RequestedPermissions {
  readonly scopes?: readonly string[] | undefined
  readonly expiresAt?: Date | null | undefined
  readonly profileId?: number | null | undefined
}

type Maker = Pick<Caller, 'scopes' | 'expiresAt' | 'profileId'>

/** The default scopes of a new key: the reading ones of `known`. */
const defaultScopes = (known: readonly string[]): readonly string[] =>
  known.filter((scope) => scope.startsWith('read:'))

const missingIn = ({ scopes }: Maker, wanted: readonly string[]) =>
  scopes === 'all' ? [] : wanted.filter((scope) => !scopes.includes(scope))

/**
 * Checks that a key gives no more than its own permissions: no other scope, no later expiry, no other profile. Sessions give
 * everything.
 *
 * @throws `insufficient_scope`, `key_scope_escalation`
 */
export function requireKeyPermissions({ scopes, expiresAt, profileId }: KeyPermissions, maker: Maker): void {
  const missing = missingIn(maker, scopes)
  if (missing.length > 0) throw insufficientScope({ details: { required: missing } })
  if (maker.expiresAt && (expiresAt === null || expiresAt > maker.expiresAt)) {
    throw keyScopeEscalation({ details: { expires_at: maker.expiresAt.toISOString() } })
  }
  if (maker.profileId !== undefined && profileId !== maker.profileId) {
    throw keyScopeEscalation({ details: { profile_id: maker.profileId } })
  }
}

/** Returns the permissions of a new key, within those of the caller. `known` are the scopes of the service. */
export function keyPermissions(wanted: RequestedPermissions, maker: Maker, known: readonly string[]): KeyPermissions {
  const permissions: KeyPermissions = {
    scopes: wanted.scopes
      ? [...new Set(wanted.scopes)]
      : defaultScopes(known).filter((scope) => missingIn(maker, [scope]).length === 0),
    expiresAt: wanted.expiresAt === undefined ? (maker.expiresAt ?? null) : wanted.expiresAt,
    profileId: wanted.profileId === undefined ? (maker.profileId ?? null) : wanted.profileId,
  }
  requireKeyPermissions(permissions, maker)
  return permissions
}
