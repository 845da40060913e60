// Proves that a wallet of the browser belongs to the person (EIP-4361), to show what it bought.
import { sendJson } from './send-json.js'
import { Problem, statusAt } from './status.js'
import { accountOf, ask, findWallets, hexOf } from './wallets.js'

/** @import { Provider } from './wallets.js' */

/** @param {{ texts: Record<string, string>, url: string, done: string }} proof */
export function startProof({ texts, url, done }) {
  const show = statusAt('[data-wallet-status]', texts)
  const withWallet = findWallets(show)
  const button = /** @type {HTMLButtonElement} */ (document.querySelector('button[data-wallet-proof]'))

  /**
   * Lets a wallet sign a message of this page (EIP-4361), and returns whether it bought anything.
   *
   * @param {Provider} provider
   */
  async function prove(provider) {
    const account = await accountOf(provider)
    const { nonce, domain, uri, chain_ids: chains } = await sendJson(`${url}/nonce`)
    const current = Number(await ask(provider, 'eth_chainId'))
    const message = [
      `${domain} wants you to sign in with your Ethereum account:`,
      account,
      '',
      'Show what this wallet bought.',
      '',
      `URI: ${uri}`,
      'Version: 1',
      `Chain ID: ${chains.includes(current) ? current : chains[0]}`,
      `Nonce: ${nonce}`,
      `Issued At: ${new Date().toISOString()}`,
    ].join('\n')
    const signature = await ask(provider, 'personal_sign', [hexOf(new TextEncoder().encode(message)), account])
    return (await sendJson(url, { message, signature })).recovered
  }

  /** @param {Provider} provider */
  async function run(provider) {
    button.disabled = true
    show('sign')
    try {
      if (await prove(provider)) return location.assign(done)
      show('nothing')
    } catch (error) {
      show(error instanceof Problem ? error.message : 'failed')
    }
    button.disabled = false
    if (document.activeElement === document.body) button.focus()
  }

  button.hidden = false
  button.addEventListener('click', () => withWallet((provider) => void run(provider)))
}
