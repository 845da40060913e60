// The script of pages: it lets wallets in the browser pay. Each page provides its texts in its language.

/**
 * @typedef {{ request: (call: { method: string, params?: unknown[] }) => Promise<unknown> }} Provider
 * @typedef {{ info: { uuid: string, name: string }, provider: Provider }} Wallet
 * @typedef {{ domain: object, types: object, primaryType: string, message: Record<string, string> }} TypedData
 * @typedef {{ network: string, asset: string, amount: string, maxTimeoutSeconds: number,
 *   extra: { eip3009: TypedData, tier: string } }} Offer
 * @typedef {{ texts: Record<string, string>, resource: unknown, extensions: unknown, accepts: Offer[] }} Sale
 * @typedef {{ header: string }} SignedPayment
 */

const REJECTED = 4001
const UNKNOWN_CHAIN = 4902
const REQUEST_WAITS = -32002
const BALANCE_OF = '0x70a08231'
const DEFAULT_WAIT_SECONDS = 5

/** A problem of which nothing was charged, by the name of its text. */
class Problem extends Error {}

/** @param {unknown} error */
const codeOf = (error) => (typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined)

/** @param {string} text */
const base64 = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

/** @param {string | null} header */
function reasonIn(header) {
  try {
    return String(JSON.parse(atob(header ?? '')).errorReason ?? '')
  } catch {
    return ''
  }
}

/** @param {number} length */
const randomHex = (length) =>
  `0x${Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** @param {number} ms */
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Asks a wallet, and names its refusals.
 *
 * @param {Provider} provider
 * @param {string} method
 * @param {unknown[]} [params]
 */
async function ask(provider, method, params) {
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
 * Lets the wallet use the chain of an offer: the current one if it is offered.
 *
 * @param {Provider} provider
 * @param {Offer[]} offers
 */
async function chooseOffer(provider, offers) {
  const chainOf = (/** @type {Offer} */ { network }) => Number(network.split(':')[1])
  const current = Number(await ask(provider, 'eth_chainId'))
  const offer = offers.find((each) => chainOf(each) === current) ?? offers[0]
  if (!offer) throw new Problem('expired')
  if (chainOf(offer) !== current) {
    try {
      await ask(provider, 'wallet_switchEthereumChain', [{ chainId: `0x${chainOf(offer).toString(16)}` }])
    } catch (error) {
      throw error instanceof Problem
        ? error
        : new Problem(codeOf(error) === UNKNOWN_CHAIN ? 'unknownChain' : 'wrongChain')
    }
  }
  return offer
}

/**
 * Whether an account certainly has too little of the asset of an offer. When the wallet does not know, the service decides.
 *
 * @param {Provider} provider
 * @param {string} account
 * @param {Offer} offer
 */
async function hasTooLittle(provider, account, { asset, amount }) {
  try {
    const data = BALANCE_OF + account.slice(2).toLowerCase().padStart(64, '0')
    const balance = await provider.request({ method: 'eth_call', params: [{ to: asset, data }, 'latest'] })
    return BigInt(String(balance)) < BigInt(amount)
  } catch {
    return false
  }
}

/**
 * Lets a wallet sign the payment of an offer.
 *
 * @param {Provider} provider
 * @param {Sale} sale
 * @param {Offer[]} offers
 * @returns {Promise<SignedPayment>}
 */
async function sign(provider, { resource, extensions }, offers) {
  const accounts = await ask(provider, 'eth_requestAccounts')
  const account = Array.isArray(accounts) ? accounts[0] : undefined
  if (typeof account !== 'string') throw new Problem('rejected')
  const offer = await chooseOffer(provider, offers)
  if (await hasTooLittle(provider, account, offer)) throw new Problem('insufficient')
  const { eip3009 } = offer.extra
  const authorization = {
    ...eip3009.message,
    from: account,
    validBefore: String(Math.floor(Date.now() / 1000) + offer.maxTimeoutSeconds),
    nonce: randomHex(32),
  }
  const typedData = JSON.stringify({ ...eip3009, message: authorization })
  const signature = await ask(provider, 'eth_signTypedData_v4', [account, typedData])
  const payment = { x402Version: 2, resource, accepted: offer, payload: { signature, authorization }, extensions }
  return { header: base64(JSON.stringify(payment)) }
}

/** @param {string} reason */
function textOfRefusal(reason) {
  if (reason.includes('insufficient')) return 'insufficient'
  if (reason.includes('valid_before') || reason.includes('expired')) return 'expired'
  return reason.includes('already_used') ? 'used' : 'refused'
}

/** @param {Sale} sale */
function startWallets({ texts, ...offered }) {
  const sale = { texts, ...offered }
  /** @param {string} selector */
  const element = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector))
  const status = element('[data-wallet-status]')
  const choice = element('[data-wallet-choice]')
  /** @type {Wallet[]} */
  const wallets = []
  /** @type {NodeListOf<HTMLButtonElement>} */
  const walletButtons = document.querySelectorAll('button[data-wallet-tier]')
  /** @type {NodeListOf<HTMLButtonElement>} */
  const payButtons = document.querySelectorAll('.tiers button')
  const storageKey = `eep-payment ${location.pathname}${location.search}`

  /** @param {string} name */
  const show = (name) => {
    status.textContent = texts[name] ?? ''
    status.dataset.state = name
    status.hidden = false
  }
  /** @param {boolean} isBusy */
  const setBusy = (isBusy) => {
    for (const button of payButtons) button.disabled = isBusy
  }

  /**
   * Sends a signed payment until its outcome is known. Only this payment is sent, however often.
   *
   * @param {SignedPayment} payment
   */
  async function send({ header }) {
    setBusy(true)
    for (;;) {
      const answer = await fetch(location.href, {
        headers: { 'payment-signature': header, accept: 'text/html' },
        cache: 'no-store',
      }).catch(() => undefined)
      if (answer?.ok) {
        sessionStorage.removeItem(storageKey)
        show('paid')
        // Only this answer certainly has the page: a repeated payment sets no proof of the payer for another request.
        const page = await answer.text()
        document.open()
        document.write(page)
        return document.close()
      }
      if (answer?.status === 402) {
        sessionStorage.removeItem(storageKey)
        const text = textOfRefusal(reasonIn(answer.headers.get('payment-response')))
        show(text)
        return text === 'used' ? undefined : setBusy(false)
      }
      if (answer && answer.status < 500 && answer.status !== 429) return show('failed')
      show('pending')
      await wait(1_000 * (Number(answer?.headers.get('retry-after')) || DEFAULT_WAIT_SECONDS))
    }
  }

  /**
   * @param {string} tier
   * @param {Provider} provider
   */
  async function pay(tier, provider) {
    setBusy(true)
    choice.replaceChildren()
    show('confirm')
    const offers = sale.accepts.filter(({ extra }) => extra.tier === tier)
    try {
      const payment = await sign(provider, sale, offers)
      // After a reload the same payment is sent again.
      sessionStorage.setItem(storageKey, JSON.stringify(payment))
      show('sending')
      start(payment)
    } catch (error) {
      show(error instanceof Problem ? error.message : 'walletError')
      setBusy(false)
    }
  }

  /**
   * From here on the payment may be settled, so no error lets anyone pay again.
   *
   * @param {SignedPayment} payment
   */
  const start = (payment) => void send(payment).catch(() => show('failed'))

  /** @param {string} tier */
  function choose(tier) {
    // Wallets from before EIP-6963 do not announce themselves.
    const { ethereum: single } = /** @type {{ ethereum?: Provider }} */ (/** @type {unknown} */ (globalThis))
    const [first] = wallets
    if (wallets.length > 1) {
      show('choose')
      const buttons = wallets.map(({ info, provider }) => {
        const button = document.createElement('button')
        button.type = 'button'
        button.className = 'plain'
        button.textContent = info.name
        button.addEventListener('click', () => void pay(tier, provider))
        return button
      })
      choice.replaceChildren(...buttons)
      buttons[0]?.focus()
    } else if (first) void pay(tier, first.provider)
    else if (single) void pay(tier, single)
    else show('noWallet')
  }

  addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = /** @type {CustomEvent<Wallet>} */ (event).detail
    if (!wallets.some((known) => known.info.uuid === info.uuid)) wallets.push({ info, provider })
  })
  dispatchEvent(new Event('eip6963:requestProvider'))
  for (const button of walletButtons) {
    button.hidden = false
    button.addEventListener('click', () => choose(button.dataset.walletTier ?? ''))
  }
  const unfinished = sessionStorage.getItem(storageKey)
  if (unfinished) {
    show('pending')
    start(JSON.parse(unfinished))
  }
}

const sale = document.getElementById('wallet-sale')?.textContent
if (sale) startWallets(JSON.parse(sale))
