import { SANDBOX_BALANCE, SANDBOX_NETWORK } from '../../ports/money-kind.ts'
import { dataScript, type Html } from './html.ts'
import { testWalletMessages } from './messages.ts'
import { hrefOn, type Site } from './view.ts'

/** The path of the wallet of a browser. A listener has it in a sandbox only. */
const WALLET_PATH = '/sandbox/wallet'

const KEYS = [
  ...(['name', 'connectTitle', 'connectText', 'connect', 'decline', 'payTitle', 'pay'] as const),
  ...(['amount', 'to', 'balance', 'token', 'testBalance', 'signTitle', 'sign'] as const),
]

/** Whether pages offer the test wallet. */
export const hasTestWallet = (site: Site): boolean => site.has?.(WALLET_PATH) ?? false

/** Lets the script of a page offer the test wallet; false outside of a sandbox. */
export function testWalletHtml(site: Site): Html | false {
  if (!hasTestWallet(site)) return false
  const say = testWalletMessages(site)
  return dataScript('test-wallet', {
    texts: Object.fromEntries(KEYS.map((key) => [key, say(key)])),
    url: hrefOn(site, WALLET_PATH),
    chainId: Number(SANDBOX_NETWORK.slice('eip155:'.length)),
    balanceOf: SANDBOX_BALANCE,
  })
}
