// Wallets of the browser (EIP-1193, EIP-6963).
import { Problem } from './status.js'
import { TEST_WALLET_NAME } from './test-wallet-name.js'

/**
 * @typedef {{ request: (call: { method: string, params?: unknown[] }) => Promise<unknown> }} Provider
 * @typedef {{ info: { uuid: string, name: string, rdns?: string }, provider: Provider }} Wallet
 */

const REJECTED = 4001
const REQUEST_WAITS = -32002

/** Whether a page offers a wallet. Those of the browser cannot sign for the network of a sandbox, so there the test wallet is alone. */
const isOffered = (/** @type {{ rdns?: string }} */ { rdns }) =>
  !document.getElementById('test-wallet') || rdns === TEST_WALLET_NAME

/** @param {unknown} error */
export const codeOf = (error) =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined

/** @param {Uint8Array} bytes */
export const hexOf = (bytes) => `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`

/**
 * Asks a wallet, and names its refusals.
 *
 * @param {Provider} provider
 * @param {string} method
 * @param {unknown[]} [params]
 */
export async function ask(provider, method, params) {
  try {
    return await provider.request(params ? { method, params } : { method })
  } catch (error) {
    const code = codeOf(error)
    if (code === REJECTED) throw new Problem('rejected')
    if (code === REQUEST_WAITS) throw new Problem('busy')
    throw error
  }
}

/**
 * Returns the account that the person lets the page use.
 *
 * @param {Provider} provider
 */
export async function accountOf(provider) {
  const accounts = await ask(provider, 'eth_requestAccounts')
  const account = Array.isArray(accounts) ? accounts[0] : undefined
  if (typeof account !== 'string') throw new Problem('rejected')
  return account
}

/**
 * Finds the wallets of the browser. Returns a function that calls another one with the wallet that the person chooses.
 *
 * @param {(name: string) => void} show
 */
export function findWallets(show) {
  /** @type {Wallet[]} */
  const wallets = []
  addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = /** @type {CustomEvent<Wallet>} */ (event).detail
    if (isOffered(info) && !wallets.some((known) => known.info.uuid === info.uuid)) wallets.push({ info, provider })
  })
  dispatchEvent(new Event('eip6963:requestProvider'))
  const choice = /** @type {HTMLElement} */ (document.querySelector('[data-wallet-choice]'))

  /** @param {(provider: Provider) => void} use */
  return (use) => {
    // Wallets from before EIP-6963 do not announce themselves.
    const { ethereum: single } = /** @type {{ ethereum?: Provider }} */ (/** @type {unknown} */ (globalThis))
    const [first] = wallets
    if (wallets.length > 1) {
      show('choose')
      const buttons = wallets.map(({ info, provider }) => {
        const button = document.createElement('button')
        button.type = 'button'
        button.className = 'second'
        button.textContent = info.name
        button.addEventListener('click', () => {
          choice.replaceChildren()
          use(provider)
        })
        return button
      })
      choice.replaceChildren(...buttons)
      buttons[0]?.focus()
    } else if (first) use(first.provider)
    else if (single) use(single)
    else show('noWallet')
  }
}
