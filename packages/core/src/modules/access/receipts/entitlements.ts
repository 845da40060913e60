import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { knownAddress } from '../../../kernel/email-address.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import { accountHolder, emailHolder, type Holder } from '../../../kernel/wallet.ts'
import type { Caller } from '../../../model/caller.ts'
import type { PayerHint } from '../../../model/payer.ts'
import type { Entitlement, EntitlementQuery, EntitlementRecord } from '../../../ports/storage/gates.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { entitlementNotFound, recipientNotFound, unknownTier } from './errors.ts'
import { entitlementGranted, entitlementRevoked } from './events.ts'
import { givePaidBack, grantedEventData } from './paid-entitlements.ts'

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
    async list(query: EntitlementQuery, page: PageRequest, caller: Caller): Promise<Page<EntitlementRecord>> {
      await profiles.requirePermission(await profiles.get(query.profileId, caller), caller, 'payments.read')
      return requireGroup(read, 'sales').grants.list(query, page)
    },

    async grant({ profileId, to, tier, validUntil, reason }: HandGrant, caller: Caller): Promise<Entitlement[]> {
      const createdAt = clock()
      // Other callers must not find profiles by guessing ids. The role is checked again under the lock.
      await profiles.requirePermission(await profiles.get(profileId, caller), caller, 'gates.edit')
      const holder = await holderOf(to)
      return write(async (tx, emit) => {
        await profiles.lockWithPermission(tx, profileId, caller, 'gates.edit')
        const tiers = (await tx.gates.get(profileId))?.config.tiers ?? {}
        const access = Object.hasOwn(tiers, tier) ? tiers[tier]?.access : undefined
        if (!access) throw unknownTier({ details: { tiers: Object.keys(tiers) } })
        const granted: Entitlement[] = []
        for (const resourcePattern of access) {
          const entitlement = await tx.entitlements.grant({
            id: randomUUID(),
            profileId,
            resourcePattern,
            ...holder,
            tier,
            receiptId: null,
            validUntil,
            createdAt,
          })
          granted.push(entitlement)
          const { id, validUntil: end } = entitlement
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

    async revoke(id: string, reason: string | null, caller: Caller): Promise<EntitlementRecord> {
      const known = await requireGroup(read, 'sales').grants.get(id)
      const profile = known && (await profiles.get(known.profileId, caller).catch(() => undefined))
      if (!known || !profile) throw entitlementNotFound()
      return write(async (tx, emit) => {
        await profiles.lockWithPermission(tx, profile.id, caller, 'gates.edit')
        const now = clock()
        const revoked = await requireGroup(tx, 'sales').grants.revoke(id, now)
        if (!revoked) throw entitlementNotFound({ message: 'This entitlement was already revoked' })
        const { taken, left } = revoked
        const { resourcePattern, tier } = taken
        const origin = { profileId: profile.id, accountId: caller.account.id }
        emit(entitlementRevoked, { entitlementId: id, resourcePattern, tier, reason: reason ?? 'hand' }, origin)
        const wasGiven = taken.receiptId === null
        const kept = left ?? (wasGiven ? await givePaidBack(tx, taken, now) : undefined)
        // One purchase is held by its wallet, its agent and its account: all of them lose it.
        if (!kept && taken.receiptId !== null) {
          for (const other of await requireGroup(tx, 'sales').grants.revokeOfReceipt(
            taken.receiptId,
            now,
            resourcePattern,
          )) {
            const told = { entitlementId: other.taken.id, resourcePattern, tier, reason: reason ?? 'hand' }
            emit(entitlementRevoked, told, origin)
            if (other.left) emit(entitlementGranted, grantedEventData(other.left), origin)
          }
        }
        if (!kept) return taken
        emit(entitlementGranted, grantedEventData(kept), origin)
        return { ...kept, revokedAt: null }
      })
    },
  }
}

export type EntitlementService = ReturnType<typeof createEntitlementService>
