import { randomBytes } from 'node:crypto'
import { SANDBOX_NETWORK } from '@eep/core/ports'
import { type LocalChain, startLocalChain, walletOf } from '@eep/payments-x402/testing'
import { ExactEvmScheme } from '@x402/evm'
import { x402Client } from '@x402/fetch'

/** A wallet of the demo, and the client that pays with it. */
export interface DemoPayer {
  readonly address: string
  readonly client: x402Client
}

/** What the demo pays with: the play money of the sandbox, or tokens on a local chain. */
export interface DemoMoney {
  /** What it is, for a line of the output. */
  readonly title: string
  /** The variables of the host. */
  readonly variables: Readonly<Record<string, string>>
  /** Makes a wallet with some money. `host` is the URL of the host, and `asset` the token that it asks for. */
  newPayer(host: string, asset: string): Promise<DemoPayer>
  /** The balance of a wallet. Undefined where only the host knows it. */
  balanceOf?(address: string): Promise<bigint>
  close(): Promise<void>
}

/** The play money of the sandbox, which the host makes itself. */
export const sandboxMoney = (): DemoMoney => ({
  title: 'The host is a sandbox: it takes play money, and no money moves.',
  variables: { EEP_SANDBOX: 'on' },
  async newPayer(host, asset) {
    const { address, account } = walletOf(`0x${randomBytes(32).toString('hex')}`)
    const answer = await fetch(`${host}/sandbox/faucet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address }),
    })
    if (!answer.ok) throw new Error(`POST /sandbox/faucet returned ${answer.status}: ${await answer.text()}`)
    const client = new x402Client().register(SANDBOX_NETWORK, new ExactEvmScheme(account))
    // By default, the client spends the tokens of known chains only.
    client.setSpendControls({ allowedAssets: [{ network: SANDBOX_NETWORK, asset }] })
    return { address, client }
  },
  async close() {},
})

/** A token that behaves like USDC, on a chain that runs beside the host. */
export async function chainMoney(): Promise<DemoMoney> {
  const chain: LocalChain = await startLocalChain()
  return {
    title: `A local chain replaces ${chain.network}, with a token that behaves like USDC.`,
    variables: {
      X402_NETWORK: chain.network,
      X402_PAY_TO: chain.wallets.seller.address,
      X402_RPC_URL: chain.rpcUrl,
      X402_FACILITATOR_KEY: chain.wallets.facilitator.privateKey,
    },
    async newPayer() {
      const { address, account } = await chain.newPayer(1_000_000n)
      const client = new x402Client().register(chain.network as `${string}:${string}`, new ExactEvmScheme(account))
      return { address, client }
    },
    balanceOf: (address) => chain.balanceOf(address as `0x${string}`),
    close: () => chain.stop(),
  }
}
