import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { type EepError, isEepError } from '../../../kernel/errors.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import { caip2Of } from '../../../kernel/network.ts'
import { normalWallet } from '../../../kernel/wallet.ts'
import type { Account } from '../../../model/account.ts'
import type { Caller } from '../../../model/caller.ts'
import type { PlanTable } from '../../../model/plan.ts'
import { billingFailed } from '../../../ports/billing-processor.ts'
import {
  type Credential,
  type Payer,
  type PaymentRail,
  type Purchase,
  SERVICE_PROFILE_ID,
} from '../../../ports/payment-rail.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import { isLinkedWallet } from '../../people/wallets/index.ts'
import type { Paywall, Sale } from '../paywall/index.ts'
import { alreadySubscribed } from './errors.ts'
import {
  invalidYearChallenge,
  payerMismatch,
  usdcNotConfigured,
  usdcOperatorConfigMissing,
  yearChallengeExpired,
  yearNotForSale,
} from './prepaid-errors.ts'
import { PAID_BEFOREHAND } from './prepaid-processor.ts'
import type { Pricing } from './pricing.ts'
import { readChallenge, signChallenge, type YearChallenge } from './usdc-challenge.ts'

/** How long signing may take. Hardware wallets take minutes. */
const LIFE_MS = 900_000

type PaidTier = YearChallenge['tier']

export interface PrepaidPlanDeps extends Pick<GuardedStorage<'subscriptions'>, 'read'> {
  readonly clock: Clock
  readonly keyring: Keyring
  readonly paywall: Pick<Paywall, 'rails' | 'offers' | 'processPayment' | 'isKnownCredential'>
  readonly pricing: Pick<Pricing, 'of'>
  readonly planLimits: PlanTable
  /** Whether a DID names a profile that the account of the caller owns. */
  readonly ownsDid: (caller: Caller, did: string) => Promise<boolean>
  readonly publicUrl: string
  readonly serviceDid: string
}

/** A payment for a year, as submitted. */
export interface YearPayment {
  /** The tier that the request names; it is compared with the challenge. Default: not compared. */
  readonly tier?: PaidTier
  readonly challenge: string
  /** x402 v2, PaymentPayload, in base64. */
  readonly paymentSignature: string
  /** The payer that the request names; it is compared with the proof. Default: not compared. */
  readonly payer?: Payer
}

/** The state of a challenge: its year was paid, its price has expired, or it can be paid. */
export type AskedYear =
  | { readonly is: 'paid' }
  /** A payment that was begun before is still completed. */
  | { readonly is: 'closed'; readonly tier: PaidTier; readonly refusal: EepError }
  | {
      readonly is: 'open'
      readonly tier: PaidTier
      readonly priceCents: number
      /** The 402 with the offers. */
      readonly refusal: EepError
    }

/** The receiver on each network. Tokens of one network may have different addresses. */
function receiversIn(accepts: readonly JsonObject[]): Readonly<Record<string, string>> {
  const pairs = accepts.map(({ network, payTo }) => [String(network), String(payTo)] as const)
  const agreed = pairs.filter(([network, payTo]) => pairs.every(([other, to]) => other !== network || to === payTo))
  return Object.fromEntries(agreed)
}

const decimalOf = (cents: number) => (cents % 100 === 0 ? `${cents / 100}` : (cents / 100).toFixed(2))

/** Years of a plan, prepaid in stablecoins. */
export function createPrepaidPlans(deps: PrepaidPlanDeps) {
  const { read, clock, keyring, paywall, pricing, planLimits, ownsDid, publicUrl, serviceDid } = deps
  const rails: readonly PaymentRail[] = paywall.rails.filter(
    ({ info }) =>
      info?.protocol === 'x402' && info.accepts.some(({ currencies }) => currencies.includes(PAID_BEFOREHAND)),
  )
  const resourceUrl = `${publicUrl}/checkout/usdc-receipt`

  const purchaseOf = ({ id, tier, priceCents, payTo }: YearChallenge): Purchase => ({
    profileId: SERVICE_PROFILE_ID,
    sellerDid: serviceDid,
    resource: `subscriptions.${tier}.${id}`,
    pattern: `subscriptions.${tier}`,
    tier,
    access: [],
    rails: rails.map((rail) => rail.id),
    per: 'year',
    price: { amount: decimalOf(priceCents), currency: PAID_BEFOREHAND },
    shown: { url: resourceUrl, description: `${planLimits(tier).name}, one year`, mimeType: 'application/json' },
    payTo,
  })

  const saleOf = (challenge: YearChallenge, account: Account, payerDid: string | null = null): Sale => ({
    purchases: [purchaseOf(challenge)],
    terms: () => ({}),
    preview: null,
    preference: [],
    isEntitled: async (_payer, tx) =>
      (await (tx ? requireGroup(tx, 'subscriptions') : read).prepaidPlans.get(challenge.id)) !== undefined,
    isBuyerWallet: async ({ wallet }) => wallet !== undefined && (await isLinkedWallet(read, account.id, wallet)),
    payerAccountId: account.id,
    payerDid,
  })

  /** A year extends only prepaid years of the same tier. */
  async function refuseOthers(accountId: string, tier: PaidTier): Promise<void> {
    const live = await read.subscriptions.getLive(accountId)
    if (live && (live.processor !== PAID_BEFOREHAND || live.tier !== tier)) {
      throw alreadySubscribed({ details: { tier: live.tier, processor: live.processor } })
    }
  }

  /** The credential in a payment. Undefined when the rail cannot read it, which is reported when the payment is processed. */
  function credentialIn(
    paymentSignature: string,
  ): { readonly rail: string; readonly credential: Credential } | undefined {
    for (const rail of rails) {
      try {
        const credential = rail.read({ paymentSignature })
        if (credential) return { rail: rail.id, credential }
      } catch {
        return undefined
      }
    }
    return undefined
  }

  function comparePayer({ payer }: Credential, said: Payer): void {
    const differs =
      (said.wallet !== undefined && normalWallet(said.wallet) !== normalWallet(payer.wallet ?? '')) ||
      (said.network !== undefined && caip2Of(said.network) !== payer.network)
    if (differs) throw payerMismatch()
  }

  /** Whether a DID is that of the wallet that signed (did:pkh). Addresses match in any case. */
  function isWalletDid(did: string, credential: Credential | undefined): boolean {
    const { wallet, network } = credential?.payer ?? {}
    return (
      wallet !== undefined &&
      network !== undefined &&
      did.toLowerCase() === `did:pkh:${network}:${wallet}`.toLowerCase()
    )
  }

  /** Reads the challenge of an account. */
  function ownChallenge(text: string, account: Account): YearChallenge {
    const challenge = readChallenge(text, keyring, serviceDid)
    if (challenge.accountId !== account.id) throw invalidYearChallenge()
    return challenge
  }

  return {
    /** Whether years can be paid here. */
    isSold: rails.length > 0,

    /**
     * The offer of a challenge, as its page shows it.
     *
     * @throws `invalid_year_challenge`
     */
    async ask(text: string, { account }: Caller): Promise<AskedYear> {
      const challenge = ownChallenge(text, account)
      if (await read.prepaidPlans.get(challenge.id)) return { is: 'paid' }
      const { tier, priceCents, expiresAt } = challenge
      if (expiresAt <= clock()) return { is: 'closed', tier, refusal: yearChallengeExpired() }
      try {
        await refuseOthers(account.id, tier)
      } catch (error) {
        if (!isEepError(error)) throw error
        return { is: 'closed', tier, refusal: error }
      }
      const result = await paywall.processPayment(saleOf(challenge, account), {})
      return result.is === 'accepted' ? { is: 'paid' } : { is: 'open', tier, priceCents, refusal: result.refusal }
    },

    /**
     * The price of a year of a plan, signed for this account.
     *
     * @throws `usdc_not_configured`, `usdc_operator_config_missing`, `year_not_for_sale`, `already_subscribed`
     */
    async start(tier: PaidTier, { account }: Caller) {
      if (rails.length === 0) throw usdcNotConfigured()
      const { priceUsdcYearlyCents: priceCents } = await pricing.of(tier)
      if (priceCents === 0) throw yearNotForSale()
      await refuseOthers(account.id, tier)
      const issuedAt = clock()
      const draft = { id: randomUUID(), accountId: account.id, tier, priceCents, payTo: {}, issuedAt }
      const open: YearChallenge = { ...draft, expiresAt: new Date(issuedAt.getTime() + LIFE_MS) }
      const { decoded, encoded } = await paywall.offers(saleOf(open, account)).catch((cause: unknown) => {
        throw billingFailed({ cause })
      })
      const [first] = decoded.accepts
      if (!first) throw usdcOperatorConfigMissing()
      const challenge: YearChallenge = { ...open, payTo: receiversIn(decoded.accepts) }
      return {
        challenge: await signChallenge(challenge, keyring, serviceDid),
        expiresAt: challenge.expiresAt,
        price: purchaseOf(challenge).price,
        resourceUrl,
        offer: { payTo: String(first.payTo), network: String(first.network), asset: String(first.asset) },
        required: { decoded, encoded },
      }
    },

    /**
     * Processes the payment for a year, once per challenge, and returns the result.
     *
     * @throws `invalid_year_challenge`, `year_challenge_expired`, `payer_mismatch`, `already_subscribed`, `payment_required`,
     * `settlement_pending`
     */
    async redeem({ tier, challenge: text, paymentSignature, payer = {} }: YearPayment, caller: Caller) {
      const { account } = caller
      if (rails.length === 0) throw usdcNotConfigured()
      const challenge = ownChallenge(text, account)
      if (tier !== undefined && challenge.tier !== tier) throw invalidYearChallenge()
      const before = await read.prepaidPlans.get(challenge.id)
      if (before) return { year: before, payment: undefined }

      const presented = credentialIn(paymentSignature)
      if (presented) comparePayer(presented.credential, payer)
      const { did } = payer
      const isOwn = did === undefined || isWalletDid(did, presented?.credential) || (await ownsDid(caller, did))
      if (!isOwn) throw payerMismatch()
      // A payment that began in time is completed, however late its result is requested.
      if (!(await paywall.isKnownCredential({ paymentSignature }))) {
        if (challenge.expiresAt <= clock()) throw yearChallengeExpired()
        await refuseOthers(account.id, challenge.tier)
      }
      const result = await paywall.processPayment(saleOf(challenge, account, payer.did), { paymentSignature })
      // Another request with the same payment may have recorded the year meanwhile.
      const year = await read.prepaidPlans.get(challenge.id)
      if (result.is !== 'accepted') {
        if (year) return { year, payment: undefined }
        throw result.refusal
      }
      result.payment.delivered('delivered')
      if (!year) throw invalidYearChallenge()
      return { year, payment: result.payment }
    },
  }
}

export type PrepaidPlans = ReturnType<typeof createPrepaidPlans>
