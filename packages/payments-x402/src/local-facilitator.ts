import type { Hex } from 'viem'
import { createChain } from './chain.ts'
import type { ChainAccess } from './chain-client.ts'
import { lazyClient, revertSentence } from './chain-client.ts'
import { type ContractPayerLimits, createContractPayers } from './contract-payers.ts'
import type { Facilitator, SettleResponse } from './facilitator.ts'
import { createGasWallet } from './gas-wallet.ts'
import { resolveNetwork } from './network.ts'
import type { SignedAuthorization } from './payment-payload.ts'
import { reasonOfRevert, reasons } from './reasons.ts'
import { readRequested } from './requested-payment.ts'
import { transferCall } from './token.ts'

/** Options of {@link localFacilitator}. */
export interface LocalFacilitatorOptions extends ChainAccess {
  /** A CAIP-2 name, `base` or `base-sepolia`. */
  readonly network: string
  /** The key that pays for gas, with 0x. It never receives payments. Use it in one process and for nothing else. */
  readonly privateKey: string
  /** The time in milliseconds that `settle` waits for its transaction. Default: 15,000. */
  readonly receiptTimeoutMs?: number | undefined
  /** The limits of payments by contract wallets, whose code the gas key pays for. */
  readonly contractPayers?: ContractPayerLimits | undefined
}

/**
 * Settles payments in this process: signs transactions with a gas key and sends them to a chain.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/stablecoins.md
 * @example
 * const facilitator = localFacilitator({ network: 'base', rpcUrl, privateKey })
 * const rail = x402Rail({ network: 'base', payTo, facilitator })
 */
export function localFacilitator(options: LocalFacilitatorOptions): Facilitator {
  const network = resolveNetwork(options.network)
  const { privateKey, receiptTimeoutMs = 15_000 } = options
  if (options.rpcUrl === undefined && !options.client) throw new Error('x402: localFacilitator needs rpcUrl or client')
  if (!isPrivateKey(privateKey)) throw new Error('x402: privateKey must be 0x followed by 64 hexadecimal digits')

  const client = lazyClient(network, options)
  const wallet = createGasWallet(client, privateKey)
  const contractPayers = createContractPayers({ client, wallet, network, limits: options.contractPayers ?? {} })
  const running = new Map<string, Promise<SettleResponse>>()
  const chainOf = (asset: Hex) => createChain(network, { address: asset, name: '', version: '', decimals: 0 }, client)

  const settle = async (asset: Hex, payment: SignedAuthorization): Promise<SettleResponse> => {
    const { authorization } = payment
    const { from, nonce, value, validBefore } = authorization
    const failed = (errorReason: string, transaction = '') => ({
      success: false,
      errorReason,
      transaction,
      network,
      payer: from,
    })
    const purpose = `${asset}|${from}|${nonce}`
    try {
      const chain = chainOf(asset)
      const call = { purpose, to: asset, data: await transferCall(payment), until: Number(validBefore) }
      const receiptOf = (sent: Hex) => chain.awaitReceipt(sent, authorization, receiptTimeoutMs)
      const submitByKey = async () => {
        const sent = await wallet.send(call)
        return { transaction: sent, receipt: await receiptOf(sent) }
      }
      const submitted = (await chain.hasCode(from))
        ? await contractPayers.submit(chain, payment, call, receiptOf)
        : await submitByKey()
      if (typeof submitted === 'string') return failed(submitted)
      const { transaction, receipt } = submitted
      if (receipt === 'absent') return failed(reasons.pending, transaction)
      wallet.forget(purpose)
      if (receipt === 'other') return failed(reasons.transaction, transaction)
      return { success: true, transaction, network, payer: from, amount: value }
    } catch (error) {
      const sentence = revertSentence(error)
      if (sentence === undefined) throw error
      return failed(reasonOfRevert(sentence))
    }
  }

  return {
    async verify(payload, requirements) {
      const payment = readRequested(payload, requirements, network)
      if (typeof payment === 'string') return { isValid: false, invalidReason: payment }
      const payer = payment.authorization.from
      const chain = chainOf(requirements.asset as Hex)
      const invalidReason = (await chain.hasCode(payer))
        ? await contractPayers.refusalOf(chain, payment)
        : await chain.simulate(payment)
      return invalidReason === undefined ? { isValid: true, payer } : { isValid: false, invalidReason, payer }
    },

    /** Concurrent calls with the same payment share its transaction. */
    async settle(payload, requirements) {
      const payment = readRequested(payload, requirements, network)
      if (typeof payment === 'string') return { success: false, errorReason: payment, transaction: '', network }
      const key = JSON.stringify([requirements.asset, payment])
      const settling = running.get(key) ?? settle(requirements.asset as Hex, payment).finally(() => running.delete(key))
      running.set(key, settling)
      return settling
    },

    async getSupported() {
      const kinds = [{ x402Version: 2, scheme: 'exact', network }]
      return { kinds, extensions: [], signers: { 'eip155:*': [await wallet.address()] } }
    },
  }
}

const isPrivateKey = (text: string): text is Hex => /^0x[0-9a-fA-F]{64}$/.test(text)
