import type { Clock } from '../../../../kernel/clock.ts'
import { DAY_MS } from '../../../../kernel/durations.ts'
import { isEepError } from '../../../../kernel/errors.ts'
import type { Caller } from '../../../../model/caller.ts'
import { type GateConfig, isCombined, isPayment } from '../../../../model/gate-config.ts'
import { may } from '../../../../model/permission.ts'
import type { SalesSum } from '../../../../ports/storage/payments.ts'
import type { GateService } from '../../../access/gates/index.ts'
import type { Sale, SalesService } from '../../../access/receipts/index.ts'
import type { AccountService } from '../../../people/accounts/index.ts'
import type { PayoutService } from '../../../people/wallets/index.ts'
import type { ContentService } from '../../../publishing/content/index.ts'

/** The services of the overview on the dashboard. Those of features that are off are undefined, and their parts are left out. */
export interface OverviewServices {
  readonly accounts: Pick<AccountService, 'me'>
  readonly content: Pick<ContentService, 'pages'>
  readonly gates: Pick<GateService, 'gateOf'>
  readonly sales: Pick<SalesService, 'list' | 'sum'> | undefined
  readonly payouts: Pick<PayoutService, 'list'> | undefined
  readonly clock: Clock
}

/** The days of the columns of revenue. */
export const REVENUE_DAYS = [7, 28, 90] as const

/** The steps until a profile sells. */
export const STEPS = ['verify', 'picture', 'bio', 'page', 'price', 'payout'] as const
export type Step = (typeof STEPS)[number]

/** A draft and its profile. */
export type DraftPage = Pick<Awaited<ReturnType<ContentService['pages']['list']>>['items'][number], 'page' | 'profile'>

/** What the dashboard shows of an account beside its profiles. */
export interface Overview {
  /** The profile of the steps, and those that are left. Undefined for an account without a profile. */
  readonly setup: { readonly profileId: number; readonly left: readonly Step[] } | undefined
  /** The drafts that were changed last. */
  readonly drafts: readonly DraftPage[]
  /** Undefined while nothing can be sold, or for an account that may not read payments. */
  readonly sales: { readonly last: readonly Sale[]; readonly sums: readonly (readonly SalesSum[])[] } | undefined
}

type Requirement = GateConfig['tiers'][string]['requirements'][number]

const asksPayment = (one: Requirement): boolean =>
  isPayment(one) || (isCombined(one) && one.requirements.some(asksPayment))

const LISTED = 5
/** Profiles whose drafts are shown. */
const MAX_PROFILES = 10

/** Reads what the dashboard shows of an account beside its profiles. */
export function createOverview({ accounts, content, gates, sales, payouts, clock }: OverviewServices) {
  type Described = Awaited<ReturnType<AccountService['me']>>

  async function draftsOf(profileId: number, caller: Caller): Promise<readonly DraftPage[]> {
    try {
      return (await content.pages.list({ profileId, status: 'draft', limit: LISTED }, caller)).items
    } catch (error) {
      // The role was lost meanwhile.
      if (isEepError(error) && error.status < 500) return []
      throw error
    }
  }

  async function setupOf({ account, profiles }: Described, caller: Caller): Promise<Overview['setup']> {
    const own = profiles.filter(({ role }) => role === 'owner')
    const { profile } = own.find(({ profile }) => profile.visibility === 'public') ?? own[0] ?? {}
    if (!profile) return undefined
    const { id: profileId, avatarUrl, bio } = profile
    const [pages, gate, paidOut] = await Promise.all([
      content.pages.list({ profileId, limit: 1 }, caller),
      gates.gateOf(profileId),
      payouts?.list(caller),
    ])
    const done: Readonly<Record<Step, boolean>> = {
      verify: account.emailOwned,
      picture: avatarUrl !== null,
      bio: Boolean(bio),
      page: pages.total > 0,
      price:
        gate !== undefined &&
        Object.values(gate.config.tiers).some(({ requirements }) => requirements.some(asksPayment)),
      payout: paidOut === undefined || paidOut.some(({ enabled }) => enabled),
    }
    return { profileId, left: STEPS.filter((step) => !done[step]) }
  }

  async function salesOf({ profiles }: Described, caller: Caller): Promise<Overview['sales']> {
    if (!sales || !profiles.some(({ role }) => may(role, 'payments.read'))) return undefined
    const now = clock().getTime()
    const since = (days: number) => sales.sum({ from: new Date(now - days * DAY_MS) }, caller)
    const [last, ...sums] = await Promise.all([sales.list({}, { limit: LISTED }, caller), ...REVENUE_DAYS.map(since)])
    return { last: last.items, sums }
  }

  return async (caller: Caller): Promise<Overview> => {
    const described = await accounts.me(caller)
    const teams = described.profiles.filter(({ role }) => may(role, 'content.read_drafts')).slice(0, MAX_PROFILES)
    const [setup, sold, ...drafts] = await Promise.all([
      setupOf(described, caller),
      salesOf(described, caller),
      ...teams.map(({ profile }) => draftsOf(profile.id, caller)),
    ])
    const latest = drafts
      .flat()
      .toSorted((left, right) => right.page.updatedAt.getTime() - left.page.updatedAt.getTime())
    return { setup, sales: sold, drafts: latest.slice(0, LISTED) }
  }
}
