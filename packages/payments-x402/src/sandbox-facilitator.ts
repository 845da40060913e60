import type { Facilitator } from './facilitator.ts'
import { readRequested } from './requested-payment.ts'
import { createSandboxLedger, type SandboxChainOptions } from './sandbox-ledger.ts'

/**
 * Settles payments with play money, in the storage of the service: a chain that does not exist, for trying a service out. Signatures
 * are those of real wallets and verified without a request; nothing leaves the process.
 *
 * @throws Error without the group `sandbox` in the storage
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/stablecoins.md
 * @example
 * const sandbox = { network: SANDBOX_NETWORK, client: sandboxChain({ storage }), facilitator: sandboxFacilitator({ storage }) }
 * await app.register(eep, { ...options, payments: { rails: [x402Rail({ ...sandbox, payTo })] } })
 */
export function sandboxFacilitator(options: SandboxChainOptions): Facilitator {
  const ledger = createSandboxLedger(options)
  const { network, asset } = ledger

  return {
    async verify(payload, requirements) {
      const payment = readRequested(payload, requirements, network, asset.address)
      if (typeof payment === 'string') return { isValid: false, invalidReason: payment }
      const payer = payment.authorization.from
      const invalidReason = await ledger.refusalOf(payment)
      return invalidReason === undefined ? { isValid: true, payer } : { isValid: false, invalidReason, payer }
    },

    async settle(payload, requirements) {
      const payment = readRequested(payload, requirements, network, asset.address)
      if (typeof payment === 'string') return { success: false, errorReason: payment, transaction: '', network }
      const { from: payer, value: amount } = payment.authorization
      const settled = await ledger.settle(payment)
      if (typeof settled === 'string') return { success: false, errorReason: settled, transaction: '', network, payer }
      return { success: true, transaction: settled.transaction, network, payer, amount }
    },

    async getSupported() {
      return { kinds: [{ x402Version: 2, scheme: 'exact', network }], extensions: [], signers: {} }
    },
  }
}
