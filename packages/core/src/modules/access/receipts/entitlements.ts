import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { knownAddress } from '../../../kernel/email-address.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import { accountHolder, emailHolder, type Holder } from '../../../kernel/wallet.ts'
import type { Caller } from '../../../model/caller.ts'
import { audienceOf } from '../../../model/gate-rules.ts'
import { inLockOrder } from '../../../model/grant-order.ts'
import type { PayerHint } from '../../../model/payer.ts'
import type { Grant, GrantQuery, GrantRecord } from '../../../ports/storage/entitlements.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { entitlementNotFound, recipientNotFound, unknownTier } from './errors.ts'
import { entitlementGranted, entitlementRevoked } from './events.ts'

export interface EntitlementDeps extends GuardedStorage {
  readonly clock: Clock
  readonly profiles: Pick<ProfileService, 'get' | 'requirePermission' | 'lockWithPermission'>
}

/** The holder of a grant: a payer, an account by id, username or email, or an email address that may be unverified. */
export type GrantRecipient = { readonly payer: PayerHint } | { readonly account: string } | { readonly email: string }

/** A grant without a payment. */
export interface HandGrant {
  readonly profileId: number
  readonly to: GrantRecipient
  readonly tier: string
  /** Null: without an end. */
  readonly validUntil: Date | null
  /** Why; kept in the event log. */
  readonly reason: string | null
}

/** Entitlements of a profile, for members who may read its payments. */
export function createEntitlementService({ read, write, clock, profiles }: EntitlementDeps) {
  async function holderOf(to: GrantRecipient): Promise<Holder> {
    if ('payer' in to) return { payerWalletAddress: to.payer.wallet, payerNetwork: to.payer.network }
    if ('email' in to) return emailHolder(to.email)
    if (to.account.includes('@')) return emailHolder(knownAddress(to.account))
    const account = (await read.accounts.get({ username: to.account })) ?? (await read.accounts.get(to.account))
    if (!account || account.deletionScheduledAt) throw recipientNotFound()
    return accountHolder(account.id)
  }

  return {
    async list(query: GrantQuery, page: PageRequest, caller: Caller): Promise<Page<GrantRecord>> {
      await profiles.requirePermission(await profiles.get(query.profileId, caller), caller, 'payments.read')
      return requireGroup(read, 'sales').grants.list(query, page)
    },

    async grant({ profileId, to, tier, validUntil, reason }: HandGrant, caller: Caller): Promise<Grant[]> {
      const createdAt = clock()
      // Other callers must not find profiles by guessing ids. The role is checked again under the lock.
      await profiles.requirePermission(await profiles.get(profileId, caller), caller, 'gates.edit')
      const holder = await holderOf(to)
      return write(async (tx, emit) => {
        await profiles.lockWithPermission(tx, profileId, caller, 'gates.edit')
        const tiers = (await tx.gates.get(profileId))?.config.tiers ?? {}
        const given = Object.hasOwn(tiers, tier) ? tiers[tier] : undefined
        if (!given) throw unknownTier({ details: { tiers: Object.keys(tiers) } })
        const granted: Grant[] = []
        const keys = given.access.map((resourcePattern) => ({ ...holder, resourcePattern }))
        for (const key of inLockOrder(keys)) {
          const one = await tx.entitlements.grant({
            ...key,
            id: randomUUID(),
            profileId,
            tier,
            audience: audienceOf(given),
            receiptId: null,
            reason: 'hand',
            validUntil,
            createdAt,
          })
          granted.push(one)
          const { id, resourcePattern, validUntil: end } = one
          emit(
            entitlementGranted,
            {
              entitlementId: id,
              resourcePattern,
              tier,
              validUntil: end?.toISOString() ?? null,
              reason: reason ?? 'hand',
            },
            { profileId, accountId: caller.account.id },
          )
        }
        return granted
      })
    },

    async revoke(id: string, reason: string | null, caller: Caller): Promise<GrantRecord> {
      const known = await requireGroup(read, 'sales').grants.get(id)
      const profile = known && (await profiles.get(known.profileId, caller).catch(() => undefined))
      if (!known || !profile) throw entitlementNotFound()
      return write(async (tx, emit) => {
        await profiles.lockWithPermission(tx, profile.id, caller, 'gates.edit')
        const ended = await requireGroup(tx, 'sales').grants.end(id, clock())
        const named = ended.find((each) => each.id === id)
        if (!named) throw entitlementNotFound({ message: 'This entitlement was already revoked' })
        for (const { id: entitlementId, resourcePattern, tier } of ended) {
          emit(
            entitlementRevoked,
            { entitlementId, resourcePattern, tier, reason: reason ?? 'hand' },
            { profileId: profile.id, accountId: caller.account.id },
          )
        }
        return named
      })
    },
  }
}

export type EntitlementService = ReturnType<typeof createEntitlementService>
