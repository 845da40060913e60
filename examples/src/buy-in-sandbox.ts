// An agent buys a page of a sandbox with play money. Run it beside `npm start`: node examples/src/buy-in-sandbox.ts
import { ExactEvmScheme } from '@x402/evm'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

const shop = process.env.SHOP ?? 'http://localhost:3000'
const [network, asset] = ['eip155:1402402402', '0x7e57000000000000000000000000000000000001'] as const

// #region buy
const account = privateKeyToAccount(generatePrivateKey())
const body = JSON.stringify({ address: account.address })
await fetch(`${shop}/sandbox/faucet`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
const agent = new x402Client().register(network, new ExactEvmScheme(account))
agent.setSpendControls({ allowedAssets: [{ network, asset }] })
const page = await wrapFetchWithPayment(fetch, agent)(`${shop}/o/demo/content/bulletins/storm-outlook`)
// #endregion

console.log(page.status, await page.text())
