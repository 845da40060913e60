import { SANDBOX_BALANCE, SANDBOX_NETWORK } from '@eep/core/ports'
import { sandbox, sandboxBilling } from '@eep/core/sandbox'
import { serviceProbe } from '@eep/core/testing'
import { evmWallets, sandboxChain, sandboxFacilitator, sandboxWallet, x402Rail } from '@eep/payments-x402'
import { createTestApp, openStorage, type TestAppOptions } from './app.ts'
import { createTime } from './billing.ts'
import { mergeOptions } from './options.ts'

/** The EIP-155 id of the network of the sandbox. */
export const PLAY_CHAIN = Number(SANDBOX_NETWORK.split(':')[1])

/** The service with play money: plans, payments on the play chain, and test wallets. */
export async function createPlayApp(options: TestAppOptions = {}) {
  const database = await openStorage()
  const { storage } = database
  const time = createTime()
  const probe = serviceProbe()
  const chain = { network: SANDBOX_NETWORK, client: sandboxChain({ storage }) }
  const rail = x402Rail({ ...chain, facilitator: sandboxFacilitator({ storage }), payTo: SANDBOX_BALANCE })
  const defaults = {
    storage,
    clock: time.clock,
    payments: { rails: [rail], payerProof: 'signed' as const },
    auth: { walletVerifier: evmWallets({ chains: [{ chainId: PLAY_CHAIN }] }) },
    subscriptions: { billing: sandboxBilling({ storage, now: time.clock }) },
    modules: [sandbox({ wallet: sandboxWallet() }), probe.module],
  }
  const test = await createTestApp(mergeOptions(defaults, options))
  return {
    ...test,
    storage,
    time,
    /** Another service on the same database, with the same secret. */
    again: () => createTestApp(mergeOptions({ ...defaults, modules: [sandbox({ wallet: sandboxWallet() })] }, options)),
    /** The books of the play processor, which only the service uses. */
    get books() {
      const { planBooks } = probe.services
      if (!planBooks) throw new Error('the sandbox is off')
      return planBooks
    },
    balanceOf: async (address: string) => (await storage.read.sandboxWallets.get(address.toLowerCase()))?.atomic ?? 0n,
    async close() {
      await test.close()
      await database.close()
    },
  }
}

export type PlayApp = Awaited<ReturnType<typeof createPlayApp>>
