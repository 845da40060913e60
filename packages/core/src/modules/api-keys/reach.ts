import { insufficientScope } from '../../kernel/errors.ts'
import type { Caller } from '../../model/caller.ts'
import { defaultScopes } from '../../model/scopes.ts'
import { beyondOwnKey } from './errors.ts'

/** How far an API key reaches. */
export interface Reach {
  readonly scopes: readonly string[]
  /** Null is never. */
  readonly expiresAt: Date | null
  /** Null is every profile of its account. */
  readonly profileId: number | null
}

/** What somebody asks of a new key; what is left out is as far as they reach themselves. */
export interface WantedReach {
  readonly scopes?: readonly string[] | undefined
  readonly expiresAt?: Date | null | undefined
  readonly profileId?: number | null | undefined
}

type Maker = Pick<Caller, 'scopes' | 'expiresAt' | 'profileId'>

const missingIn = ({ scopes }: Maker, wanted: readonly string[]) =>
  scopes === 'all' ? [] : wanted.filter((scope) => !scopes.includes(scope))

/**
 * Keeps a key that makes a key within its own reach: no other scope, no later end, no other profile. Sessions reach
 * everywhere.
 *
 * @throws `insufficient_scope`, `beyond_own_key`
 */
export function requireReach({ scopes, expiresAt, profileId }: Reach, maker: Maker): void {
  const missing = missingIn(maker, scopes)
  if (missing.length > 0) throw insufficientScope({ details: { required: missing } })
  if (maker.expiresAt && (expiresAt === null || expiresAt > maker.expiresAt)) {
    throw beyondOwnKey({ details: { expires_at: maker.expiresAt.toISOString() } })
  }
  if (maker.profileId !== undefined && profileId !== maker.profileId) {
    throw beyondOwnKey({ details: { profile_id: maker.profileId } })
  }
}

/** The reach of a new key, within that of its maker. `known` are the scopes of the service. */
export function reachOf(wanted: WantedReach, maker: Maker, known: readonly string[]): Reach {
  const reach: Reach = {
    scopes: wanted.scopes
      ? [...new Set(wanted.scopes)]
      : defaultScopes(known).filter((scope) => missingIn(maker, [scope]).length === 0),
    expiresAt: wanted.expiresAt === undefined ? (maker.expiresAt ?? null) : wanted.expiresAt,
    profileId: wanted.profileId === undefined ? (maker.profileId ?? null) : wanted.profileId,
  }
  requireReach(reach, maker)
  return reach
}
