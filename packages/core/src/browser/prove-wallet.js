// Proves that a wallet of the browser belongs to the person (EIP-4361): to show what it bought, or in a form that is sent with the proof.
import { sendJson } from './send-json.js'
import { Problem, statusAt } from './status.js'
import { accountOf, ask, findWallets, hexOf } from './wallets.js'

/** @import { Provider } from './wallets.js' */

/**
 * With `form`, the id of a form, its inputs `message` and `signature` are filled in and it is sent. `chains` are used when the service
 * names none.
 *
 * @param {{ texts: Record<string, string>, url: string, done?: string, form?: string, statement?: string, chains?: number[] }} proof
 */
export function startProof({ texts, url, done = '', form, statement = 'Show what this wallet bought.', chains: own }) {
  const show = statusAt('[data-wallet-status]', texts)
  const withWallet = findWallets(show)
  const button = /** @type {HTMLButtonElement} */ (document.querySelector('button[data-wallet-proof]'))

  /**
   * Lets a wallet sign a message of this page (EIP-4361).
   *
   * @param {Provider} provider
   */
  async function sign(provider) {
    const account = await accountOf(provider)
    const { nonce, domain, uri, chain_ids: chains = own } = await sendJson(`${url}/nonce`)
    const current = Number(await ask(provider, 'eth_chainId'))
    const message = [
      `${domain} wants you to sign in with your Ethereum account:`,
      account,
      '',
      statement,
      '',
      `URI: ${uri}`,
      'Version: 1',
      `Chain ID: ${chains.includes(current) ? current : chains[0]}`,
      `Nonce: ${nonce}`,
      `Issued At: ${new Date().toISOString()}`,
    ].join('\n')
    return {
      message,
      signature: await ask(provider, 'personal_sign', [hexOf(new TextEncoder().encode(message)), account]),
    }
  }

  /** @param {Record<string, unknown>} signed */
  function send(signed) {
    const sent = /** @type {HTMLFormElement} */ (document.getElementById(form ?? ''))
    for (const name of ['message', 'signature']) {
      const input = /** @type {HTMLInputElement} */ (sent.elements.namedItem(name))
      input.value = String(signed[name])
    }
    sent.requestSubmit(/** @type {HTMLButtonElement} */ (sent.querySelector('button[name=do]')))
  }

  /** @param {Provider} provider */
  async function run(provider) {
    button.disabled = true
    show('sign')
    try {
      const signed = await sign(provider)
      if (form) return send(signed)
      if ((await sendJson(url, signed)).recovered) return location.assign(done)
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
