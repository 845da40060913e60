import { isEepError } from '../../../../kernel/errors.ts'
import type { Caller } from '../../../../model/caller.ts'
import type { Readers } from '../../../../ports/storage/storage.ts'
import type { ProfileService } from '../../../profiles/profiles/index.ts'
import { checkPrice, type FixedPrice, pricedGate } from './priced-gate.ts'
import type { GatedResource } from './resource.ts'

/** A question to {@link HostAccess.hasAccess}. */
export interface AccessQuestion {
  /** The id of an account. */
  readonly account: string
  /** A profile, by id or by DID. */
  readonly profile: number | string
  /** The resource name in gates: `content.notes.my_page`. */
  readonly resource: string
  /**
   * The price of an endpoint that `requireAccess` sells at a fixed price. The gate configuration of the profile then does not
   * apply: only the team and buyers have access.
   */
  readonly price?: FixedPrice | undefined
}

export interface HostAccessDeps {
  readonly read: Pick<Readers, 'accounts'>
  readonly profiles: Pick<ProfileService, 'get' | 'byDid' | 'roleOf'>
  /** Whether the gate grants a caller access without a payment. */
  readonly isOpenTo: (
    resource: Pick<GatedResource, 'profile' | 'name' | 'role' | 'gate'>,
    caller: Caller | undefined,
  ) => Promise<boolean>
}

/** The paywall for the code of hosts. */
export interface HostAccess {
  /**
   * Returns whether an account may read a resource without a new payment: it is open, the account is of the profile's team,
   * or it holds an entitlement. A payment per request grants no entitlement. The gate decides as for a request with a session
   * of the account. Returns false for a profile that the account may not see; whether a page exists is not checked.
   *
   * @example
   * ```ts
   * if (await app.eep.paywall.hasAccess({ account, profile, resource: 'content.course.lesson_1' })) startVideo()
   * const price = { amount: 5, currency: 'usd', per: 'month' } as const
   * if (await app.eep.paywall.hasAccess({ account, profile, resource: 'api.quotes', price })) sendQuotes()
   * ```
   */
  hasAccess(question: AccessQuestion): Promise<boolean>
}

export const createHostAccess = ({ read, profiles, isOpenTo }: HostAccessDeps): HostAccess => ({
  async hasAccess({ account: id, profile: named, resource, price }) {
    const account = await read.accounts.get(id)
    const isActive = account && account.bannedAt === null && account.deletionScheduledAt === null
    const caller = isActive ? ({ account, via: 'host', scopes: 'all', isAdmin: false } as const) : undefined
    const found = typeof named === 'number' ? profiles.get(named, caller) : profiles.byDid(named, caller)
    const profile = await found.catch((error: unknown) => {
      if (isEepError(error) && error.status === 404) return undefined
      throw error
    })
    if (!profile) return false
    checkPrice(resource, price)
    const gate = price && pricedGate(profile.id, resource, price)
    return isOpenTo({ profile, name: resource, role: await profiles.roleOf(profile, caller), gate }, caller)
  },
})
