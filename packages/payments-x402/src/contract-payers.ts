import type { Hex, PublicClient } from 'viem'
import type { Chain, Receipt } from './chain.ts'
import type { Call, GasWallet } from './gas-wallet.ts'
import { createMutex } from './mutex.ts'
import type { SignedAuthorization } from './payment-payload.ts'
import { reasons } from './reasons.ts'

/**
 * The limits of payments by contract wallets. The token runs the code of such a wallet (EIP-1271, EIP-7702) in the
 * transaction that the gas key pays for, so a wallet can burn up to this much for each payment.
 */
export interface ContractPayerLimits {
  /** The gas of a transaction. Default: 300,000. Raise it on chains that charge for data in gas, such as Arbitrum. */
  readonly maxGas?: number | undefined
  /**
   * The fee of a transaction in wei: `maxGas` at the current price. Default: 10^15 (0.001 ether), and 10^17 on the known
   * networks with a cheaper coin.
   */
  readonly maxFeeWei?: bigint | undefined
}

const DEFAULT_MAX_GAS = 300_000
const DEFAULT_MAX_FEE_WEI = 10n ** 15n
/** Polygon, Avalanche, Monad, Celo: a unit of their coin is worth far less than an ether. */
const CHEAP_COINS = new Set(['eip155:137', 'eip155:43114', 'eip155:143', 'eip155:42220'])

/** Payers kept after a revert, in this process. The service stores them too. */
const MAX_REVERTED = 10_000

interface ContractPayersDeps {
  readonly client: () => Promise<PublicClient>
  readonly wallet: GasWallet
  readonly network: string
  readonly limits: ContractPayerLimits
}

/**
 * Sends the payments of contract wallets within limits, one after the other, so that they do not delay payments by keys.
 *
 * @throws Error that names an invalid limit
 */
export function createContractPayers({ client, wallet, network, limits }: ContractPayersDeps) {
  const feeLimit = CHEAP_COINS.has(network) ? DEFAULT_MAX_FEE_WEI * 100n : DEFAULT_MAX_FEE_WEI
  const { maxGas = DEFAULT_MAX_GAS, maxFeeWei = feeLimit } = limits
  if (!Number.isSafeInteger(maxGas) || maxGas < 50_000)
    throw new Error('x402: maxGas must be a whole number from 50000')
  if (typeof maxFeeWei !== 'bigint' || maxFeeWei <= 0n) throw new Error('x402: maxFeeWei must be a positive bigint')
  const gas = BigInt(maxGas)
  const exclusive = createMutex()
  const reverted = new Set<string>()
  /** The last payment of each payer whose outcome was not known after waiting for it. */
  const open = new Map<string, { readonly transaction: Hex; readonly purpose: string }>()

  const markReverted = (payer: string) => {
    const [oldest] = reverted
    if (reverted.size >= MAX_REVERTED && oldest !== undefined) reverted.delete(oldest)
    reverted.add(payer)
  }

  /**
   * Returns the reason code of a payment that must not be sent. It is simulated as it would be sent: by the gas key, at the
   * current price, with the gas that it would get.
   */
  async function refusalOf(chain: Chain, payment: SignedAuthorization): Promise<string | undefined> {
    if (reverted.has(payment.authorization.from)) return reasons.payerReverted
    const { maxFeePerGas, maxPriorityFeePerGas } = await (await client()).estimateFeesPerGas()
    if (gas * maxFeePerGas > maxFeeWei) return reasons.payerFee
    const sender = { account: await wallet.address(), maxFeePerGas, maxPriorityFeePerGas }
    const refusal = await chain.simulate(payment, { ...sender, gas })
    if (refusal === undefined || refusal === reasons.payerGas) return refusal
    // A contract that runs out of gas inside looks like one that rejects the signature.
    const withMore = await chain.simulate(payment, { ...sender, gas: gas * 10n }).catch(() => refusal)
    return withMore === undefined ? reasons.payerGas : refusal
  }

  /** Returns the reason code of a payer with an earlier payment that reverted, or whose outcome is not known. */
  async function earlierRefusal(chain: Chain, { authorization }: SignedAuthorization, purpose: string) {
    const earlier = open.get(authorization.from)
    if (!earlier || earlier.purpose === purpose) return undefined
    const outcome = await chain.outcome(earlier.transaction)
    if (outcome === 'absent') return reasons.pending
    open.delete(authorization.from)
    if (outcome === 'failed') markReverted(authorization.from)
    return outcome === 'failed' ? reasons.payerReverted : undefined
  }

  return {
    refusalOf,

    /** Sends a payment at most once, and returns its receipt, or the reason code of a payment that was not sent. */
    submit: (
      chain: Chain,
      payment: SignedAuthorization,
      call: Call,
      receiptOf: (transaction: Hex) => Promise<Receipt>,
    ): Promise<string | { readonly transaction: Hex; readonly receipt: Receipt }> =>
      exclusive(async () => {
        const payer = payment.authorization.from
        const refusal = (await earlierRefusal(chain, payment, call.purpose)) ?? (await refusalOf(chain, payment))
        if (refusal !== undefined && !wallet.hasSent(call.purpose)) return refusal
        const transaction = await wallet.send({ ...call, gas, isOnce: true })
        const receipt = await receiptOf(transaction)
        if (receipt === 'absent') open.set(payer, { transaction, purpose: call.purpose })
        else open.delete(payer)
        if (receipt === 'other') markReverted(payer)
        return { transaction, receipt }
      }),
  }
}
