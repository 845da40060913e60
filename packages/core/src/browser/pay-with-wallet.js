// Pays for a page with a wallet of the browser: signs an offer of x402 and requests the page with it.
import { keepAnswer, offerFile } from './paid-content.js'
import { Problem, statusAt } from './status.js'
import { accountOf, ask, codeOf, findWallets, hexOf } from './wallets.js'

/**
 * @import { Provider } from './wallets.js'
 * @typedef {{ domain: object, types: object, primaryType: string, message: Record<string, string> }} TypedData
 * @typedef {{ network: string, asset: string, amount: string, maxTimeoutSeconds: number,
 *   extra: { eip3009: TypedData, tier: string } }} Offer
 * @typedef {{ texts: Record<string, string>, resource: unknown, extensions: unknown, accepts: Offer[],
 *   single: string[], isFile: boolean }} Sale - `single`: the tiers that pay for one request, whose answer is the only one with the content
 * @typedef {{ header: string, isSingle: boolean }} SignedPayment
 */

const UNKNOWN_CHAIN = 4902
const BALANCE_OF = '0x70a08231'
const DEFAULT_WAIT_SECONDS = 5
const TIMELINE = 'eep-timeline'
const NOTICE_KEY = 'eep-notice'

/** Values that a reload needs. A browser that blocks its storage keeps them until then. */
const kept = new Map()
const storage = {
  /**
   * @param {string} key
   * @returns {string | null | undefined}
   */
  get(key) {
    try {
      return sessionStorage.getItem(key)
    } catch {
      return kept.get(key)
    }
  },
  /**
   * @param {string} key
   * @param {string} value
   */
  set(key, value) {
    try {
      sessionStorage.setItem(key, value)
    } catch {
      kept.set(key, value)
    }
  },
  /** @param {string} key */
  remove(key) {
    kept.delete(key)
    try {
      sessionStorage.removeItem(key)
    } catch {
      // There is nothing to remove.
    }
  },
}

/** @param {string} text */
const base64 = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

/**
 * Returns what a header of x402 contains.
 *
 * @param {string | null} header
 */
function decoded(header) {
  try {
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(header ?? ''), (byte) => byte.charCodeAt(0))))
  } catch {
    return undefined
  }
}

/**
 * Returns the current offers in an answer that wallets can sign.
 *
 * @param {Response | undefined} answer
 * @returns {Pick<Sale, 'resource' | 'extensions' | 'accepts'> | undefined}
 */
function offersIn(answer) {
  const required = answer?.status === 402 ? decoded(answer.headers.get('payment-required')) : undefined
  if (!Array.isArray(required?.accepts)) return undefined
  const { resource, extensions } = required
  const accepts = required.accepts.filter((/** @type {Offer} */ { extra }) => extra?.eip3009 && extra.tier)
  return { resource, extensions: { [TIMELINE]: extensions?.[TIMELINE] }, accepts }
}

/**
 * What a person pays for each tier.
 *
 * @param {Offer[]} offers
 */
const pricesOf = (offers) =>
  offers
    .map(({ extra, network, asset, amount }) => `${extra.tier} ${network} ${asset} ${amount}`)
    .sort()
    .join()

/** @param {number} ms */
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

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
 * @param {number} now - the time of the service in milliseconds
 * @returns {Promise<SignedPayment>}
 */
async function sign(provider, { resource, extensions, single }, offers, now) {
  const account = await accountOf(provider)
  const offer = await chooseOffer(provider, offers)
  if (await hasTooLittle(provider, account, offer)) throw new Problem('insufficient')
  const { eip3009 } = offer.extra
  const authorization = {
    ...eip3009.message,
    from: account,
    validBefore: String(Math.floor(now / 1000) + offer.maxTimeoutSeconds),
    nonce: hexOf(crypto.getRandomValues(new Uint8Array(32))),
  }
  const typedData = JSON.stringify({ ...eip3009, message: authorization })
  const signature = await ask(provider, 'eth_signTypedData_v4', [account, typedData])
  const payment = { x402Version: 2, resource, accepted: offer, payload: { signature, authorization }, extensions }
  return { header: base64(JSON.stringify(payment)), isSingle: single.includes(offer.extra.tier) }
}

/** @param {string} reason */
function textOfRefusal(reason) {
  if (reason.includes('insufficient')) return 'insufficient'
  // The second ones are of an offer that has changed.
  if (/valid_before|expired|requirements|mismatch/.test(reason)) return 'expired'
  return reason.includes('already_used') ? 'used' : 'refused'
}

/** @param {Sale} sale */
export function startWallets({ texts, ...offered }) {
  const sale = { texts, ...offered }
  let offeredAt = Date.now()
  /** How far the clock of the service is ahead of this one, in milliseconds, known from an answer. */
  let aheadMs = 0
  const show = statusAt('[data-wallet-status]', texts)
  const withWallet = findWallets(show)
  /** @type {NodeListOf<HTMLButtonElement>} */
  const walletButtons = document.querySelectorAll('button[data-wallet-tier]')
  /** @type {NodeListOf<HTMLButtonElement>} */
  const payButtons = document.querySelectorAll('[data-offers] button')
  const storageKey = `eep-payment ${location.pathname}${location.search}`

  /** @type {HTMLButtonElement | undefined} */
  let pressed

  /** @param {boolean} isBusy */
  const setBusy = (isBusy) => {
    for (const button of payButtons) button.disabled = isBusy
    // A button loses the focus when it is disabled.
    if (!isBusy && document.activeElement === document.body) pressed?.focus()
  }

  /**
   * Shows what happens next to the button that was pressed.
   *
   * @param {HTMLButtonElement} button
   */
  const press = (button) => {
    pressed = button
    const places = ['[data-wallet-status]', '[data-wallet-choice]'].map((place) => document.querySelector(place))
    const row = button.closest('.acts') ?? button
    row.after(...places.filter((place) => place !== null))
  }

  /**
   * Replaces the offers by those of an answer, if they cost the same. Otherwise loads the page again, which shows what they cost
   * now, and returns false.
   *
   * @param {Response | undefined} answer
   */
  function renew(answer) {
    const current = offersIn(answer)
    if (!current) {
      show('expired')
      return false
    }
    if (pricesOf(current.accepts) !== pricesOf(sale.accepts)) {
      storage.set(NOTICE_KEY, 'repriced')
      location.reload()
      return false
    }
    Object.assign(sale, current)
    offeredAt = Date.now()
    aheadMs = Date.parse(answer?.headers.get('date') ?? '') - offeredAt || 0
    return true
  }

  /** Fetches current offers when those of the page have expired. False when there is nothing to sign. */
  async function refresh() {
    const seconds = Math.min(...sale.accepts.map(({ maxTimeoutSeconds }) => maxTimeoutSeconds))
    if (Date.now() - offeredAt < 1_000 * seconds) return true
    const answer = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' }).catch(() => {
      throw new Problem('offline')
    })
    if (answer.ok) location.reload()
    else if (renew(answer)) {
      show('fresh')
      return true
    }
    return false
  }

  /**
   * Sends a signed payment until its outcome is known. Only this payment is sent, however often.
   *
   * @param {SignedPayment} payment
   */
  async function send({ header, isSingle }) {
    setBusy(true)
    for (;;) {
      const answer = await fetch(location.href, {
        headers: {
          'payment-signature': header,
          accept: 'text/html',
          // The navigation below gets the content, by a cookie of this answer.
          ...(!isSingle && { prefer: 'return=minimal' }),
        },
        cache: 'no-store',
      }).catch(() => undefined)
      if (answer?.ok) {
        if (isSingle) {
          show('receiving')
          await keepAnswer(answer, sale.texts)
          storage.remove(storageKey)
          return show('kept')
        }
        storage.remove(storageKey)
        show(sale.isFile ? 'delivered' : 'paid')
        // A browser that saves a file stays on this page.
        if (sale.isFile) offerFile(sale.texts)
        return location.reload()
      }
      const response = decoded(answer?.headers.get('payment-response') ?? null)
      if (answer?.status === 402) {
        storage.remove(storageKey)
        const text = textOfRefusal(String(response?.errorReason ?? ''))
        if (text === 'expired') {
          if (renew(answer)) show('renewed')
          return setBusy(false)
        }
        show(text)
        return text === 'used' ? undefined : setBusy(false)
      }
      if (answer && answer.status < 500 && answer.status !== 429) {
        // Without this response the refusal may be of a proxy or of the page, after an attempt that was settled.
        if (response?.success !== false) return show('failed')
        storage.remove(storageKey)
        show('forbidden')
        return setBusy(false)
      }
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
    show('confirm')
    try {
      if (!(await refresh())) return setBusy(false)
      const offers = sale.accepts.filter(({ extra }) => extra.tier === tier)
      const payment = await sign(provider, sale, offers, Date.now() + aheadMs)
      // After a reload the same payment is sent again.
      storage.set(storageKey, JSON.stringify(payment))
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

  for (const button of walletButtons) {
    button.hidden = false
    button.addEventListener('click', () => {
      press(button)
      // In a form of several tiers, it pays for the chosen one.
      const chosen = button.form && new FormData(button.form).get('tier')
      withWallet((provider) => void pay(button.dataset.walletTier || String(chosen), provider))
    })
  }
  const notice = storage.get(NOTICE_KEY)
  if (notice) {
    storage.remove(NOTICE_KEY)
    show(notice)
  }
  const unfinished = storage.get(storageKey)
  if (unfinished) {
    show('pending')
    start(JSON.parse(unfinished))
  }
}
