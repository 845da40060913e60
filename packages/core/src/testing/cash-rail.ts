import { canonicalJson, sha256 } from '../kernel/digest.ts'
import {
  type Credential,
  definePaymentRail,
  type PaymentRail,
  type Purchase,
  paymentRefused,
  paymentUnknown,
  type Settlement,
  x402PaymentIn,
} from '../ports/payment-rail.ts'
import { type CashFault, type CashWallets, createCashWallets } from './cash/cash-wallets.ts'
import { CASH_NETWORK, CASH_SCHEME, type CashProof, decodeCash, signCash } from './cash/payload.ts'

/** Options of {@link cashRail}. */
export interface CashRailOptions {
  /** Holds the money and simulates failures. Default: new {@link createCashWallets}. */
  readonly cashWallets?: CashWallets | undefined
  /** Two rails of a service need different names and networks. */
  readonly id?: string | undefined
  readonly network?: string | undefined
  /** A purchase in another currency gets no offer. */
  readonly currencies?: readonly string[] | undefined
}

const DECIMALS = 6

/** `0.01` is `10000`. */
const toCash = (decimal: string): string => {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.slice(0, DECIMALS).padEnd(DECIMALS, '0')).toString()
}

/**
 * A payment rail in memory, for tests. It implements x402 with the scheme `cash`, takes no real money, and fails when its {@link CashWallets} say so.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/adapters/payment-rail.md
 * @example
 * const cashWallets = createCashWallets()
 * await app.register(eep, { ...options, payments: { rails: [cashRail({ cashWallets })] } })
 * const headers = cashWallets.answer(refusal.headers['payment-required'])
 */
export function cashRail(options: CashRailOptions = {}): PaymentRail<CashProof> {
  const {
    cashWallets = createCashWallets(),
    id = 'cash',
    network = CASH_NETWORK,
    currencies = ['usd', 'eur', 'usdc'],
  } = options

  const payTo = (purchase: Purchase) => purchase.payTo[network] ?? purchase.sellerDid
  const paidBy = ({ authorization }: CashProof) => BigInt(authorization.value)
  const keyOf = ({ authorization }: CashProof) => `${authorization.from}:${authorization.nonce}`
  const expired = ({ authorization }: CashProof) => authorization.validBefore * 1000 <= cashWallets.clock().getTime()
  const refused = (reason: string, { payer }: Credential) => paymentRefused(reason, payer)

  function take(credential: Credential<CashProof>, { price }: Purchase): Settlement {
    const { authorization } = credential.proof
    const key = keyOf(credential.proof)
    if (!cashWallets.ledger.find(key) && expired(credential.proof)) throw refused('authorization_expired', credential)
    const { from, to, value } = authorization
    if (!cashWallets.ledger.find(key) && BigInt(value) > cashWallets.fundsOf(from))
      throw refused('insufficient_funds', credential)
    const transfer = cashWallets.ledger.take(key, { from, to, value: BigInt(value), at: cashWallets.clock() })
    return {
      reference: transfer.reference,
      transaction: transfer.reference,
      network,
      amount: { atomic: value, decimal: price.amount, asset: 'cash', currency: price.currency },
      payer: { wallet: from, network },
      settledAt: transfer.at,
      headers: { 'Payment-Receipt': transfer.reference },
    }
  }

  async function withFault<Result>(fault: CashFault, credential: Credential, work: () => Result): Promise<Result> {
    const lost = () => ('as' in fault ? fault.as : paymentUnknown())
    await fault.hold
    if (fault.refuse !== undefined) throw refused(fault.refuse, credential)
    if (fault.lose === 'request') throw lost()
    const result = work()
    await fault.late
    if (fault.lose === 'answer') throw lost()
    return result
  }

  return definePaymentRail<CashProof>({
    id,
    info: { protocol: 'x402', accepts: [{ network, asset: 'cash', scheme: CASH_SCHEME, currencies }] },
    moneyKind: 'test',

    async offer(purchase) {
      await cashWallets.enter('offer').hold
      if (!currencies.includes(purchase.price.currency)) return undefined
      return {
        accept: {
          scheme: CASH_SCHEME,
          network,
          asset: 'cash',
          amount: toCash(purchase.price.amount),
          payTo: payTo(purchase),
          maxTimeoutSeconds: purchase.charge === 'after' ? 300 : 120,
          extra: {
            tier: purchase.tier,
            per: purchase.per,
            ...(purchase.charge === 'before' && { paymentFlow: 'upfront' }),
          },
        },
      }
    },

    read(headers) {
      const payment = x402PaymentIn(headers)
      if (payment === undefined) return undefined
      const proof = decodeCash(payment, network)
      if (proof === 'foreign') return undefined
      if (proof === 'broken') throw paymentRefused('invalid_payload')
      return {
        id: keyOf(proof),
        fingerprint: sha256(canonicalJson(proof)),
        expiresAt: new Date(proof.authorization.validBefore * 1000),
        payer: { wallet: proof.authorization.from, network },
        proof,
      }
    },

    matches: ({ proof: { accepted } }, purchase) =>
      accepted.amount === toCash(purchase.price.amount) &&
      accepted.payTo === payTo(purchase) &&
      (accepted.tier ?? purchase.tier) === purchase.tier &&
      (accepted.per ?? purchase.per) === purchase.per,

    settleBy: ({ expiresAt }) => expiresAt,

    verify: (credential, purchase, { reserved } = { reserved: [] }) =>
      withFault(cashWallets.enter('verify'), credential, () => {
        const { authorization, signature } = credential.proof
        if (signature !== signCash(authorization)) throw refused('invalid_signature', credential)
        if (authorization.to !== payTo(purchase)) throw refused('recipient_mismatch', credential)
        if (authorization.value !== toCash(purchase.price.amount)) throw refused('amount_mismatch', credential)
        if (expired(credential.proof)) throw refused('authorization_expired', credential)
        const needed = reserved.reduce((sum, one) => sum + paidBy(one.credential.proof), paidBy(credential.proof))
        if (needed > cashWallets.fundsOf(authorization.from)) throw refused('insufficient_funds', credential)
        return { verifiedAt: cashWallets.clock().toISOString() }
      }),

    settle: (credential, purchase) =>
      withFault(cashWallets.enter('settle'), credential, () => take(credential, purchase)),

    recover: (credential, purchase) =>
      withFault(cashWallets.enter('recover'), credential, () => take(credential, purchase)),

    async inspect({ credential, settlement }) {
      const fault = cashWallets.enter('inspect')
      await fault.hold
      if (fault.lose) throw new Error('The cash rail did not answer')
      const proof = credential.proof
      const found = settlement
        ? cashWallets.ledger.list().find((transfer) => transfer.reference === settlement.reference)
        : proof && cashWallets.ledger.find(keyOf(proof))
      if (found) return { is: 'taken', reference: found.reference, asset: 'cash', atomic: `${found.value}` }
      if (settlement) return { is: 'none', reason: 'transaction_not_found' }
      return proof && expired(proof) ? { is: 'none', reason: 'authorization_expired' } : { is: 'open' }
    },

    async verifyRefund({ reference, settlement }) {
      const fault = cashWallets.enter('verifyRefund')
      await fault.hold
      if (fault.lose) throw new Error('The cash rail did not answer')
      const paid = cashWallets.ledger.list().find((transfer) => transfer.reference === settlement.reference)
      const back = cashWallets.findReturn(reference)
      if (!paid || !back) return { is: 'pending', reason: 'transaction_not_found' }
      const matches =
        back.from === paid.to &&
        back.to === paid.from &&
        back.value === paid.value &&
        back.asset === settlement.asset &&
        back.at >= paid.at
      if (!matches) return { is: 'refuted', reason: 'no_such_transfer' }
      return { is: 'proven', key: `${network}|${reference}`, refundedAt: back.at }
    },
  })
}
