// The script of pages: it lets people pay with wallets of the browser, prove what wallets bought, and use passkeys. Each page
// provides its texts in its language.

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
const RENEWAL_MS = 240_000
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

/** A problem of which nothing was charged, by the name of its text. */
class Problem extends Error {}

/** @param {unknown} error */
const codeOf = (error) => (typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined)

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

/** @param {Uint8Array} bytes */
const hexOf = (bytes) => `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`

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
 * Returns the account that the person lets the page use.
 *
 * @param {Provider} provider
 */
async function accountOf(provider) {
  const accounts = await ask(provider, 'eth_requestAccounts')
  const account = Array.isArray(accounts) ? accounts[0] : undefined
  if (typeof account !== 'string') throw new Problem('rejected')
  return account
}

/**
 * Returns what says what happens, in the texts of the page.
 *
 * @param {string} selector
 * @param {Record<string, string>} texts
 */
function statusAt(selector, texts) {
  const status = /** @type {HTMLElement} */ (document.querySelector(selector))
  /** @param {string} name */
  return (name) => {
    status.textContent = texts[name] ?? ''
    status.dataset.state = name
    status.hidden = false
  }
}

/**
 * Finds the wallets of the browser. Returns a function that calls another one with the wallet that the person chooses.
 *
 * @param {(name: string) => void} show
 */
function findWallets(show) {
  /** @type {Wallet[]} */
  const wallets = []
  addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = /** @type {CustomEvent<Wallet>} */ (event).detail
    if (!wallets.some((known) => known.info.uuid === info.uuid)) wallets.push({ info, provider })
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
        button.className = 'plain'
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

/**
 * Lets a wallet sign the payment of an offer.
 *
 * @param {Provider} provider
 * @param {Sale} sale
 * @param {Offer[]} offers
 * @param {number} now - the time of the service in milliseconds
 * @returns {Promise<SignedPayment>}
 */
async function sign(provider, { resource, extensions }, offers, now) {
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
  return { header: base64(JSON.stringify(payment)) }
}

/** @param {string} reason */
function textOfRefusal(reason) {
  if (reason.includes('insufficient')) return 'insufficient'
  // The second ones are of an offer that has changed.
  if (/valid_before|expired|requirements|mismatch/.test(reason)) return 'expired'
  return reason.includes('already_used') ? 'used' : 'refused'
}

/** @param {Sale} sale */
function startWallets({ texts, ...offered }) {
  const sale = { texts, ...offered }
  let offeredAt = Date.now()
  /** How far the clock of the service is ahead of this one, in milliseconds, known from an answer. */
  let aheadMs = 0
  const show = statusAt('[data-wallet-status]', texts)
  const withWallet = findWallets(show)
  /** @type {NodeListOf<HTMLButtonElement>} */
  const walletButtons = document.querySelectorAll('button[data-wallet-tier]')
  /** @type {NodeListOf<HTMLButtonElement>} */
  const payButtons = document.querySelectorAll('.tiers button')
  const storageKey = `eep-payment ${location.pathname}${location.search}`

  /** @param {boolean} isBusy */
  const setBusy = (isBusy) => {
    for (const button of payButtons) button.disabled = isBusy
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
  async function send({ header }) {
    setBusy(true)
    for (;;) {
      const answer = await fetch(location.href, {
        headers: { 'payment-signature': header, accept: 'text/html' },
        cache: 'no-store',
      }).catch(() => undefined)
      if (answer?.ok) {
        storage.remove(storageKey)
        show('paid')
        // Only this answer certainly has the page: a repeated payment sets no proof of the payer for another request.
        const page = await answer.text()
        document.open()
        document.write(page)
        return document.close()
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
    button.addEventListener('click', () =>
      withWallet((provider) => void pay(button.dataset.walletTier ?? '', provider)),
    )
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

const sale = document.getElementById('wallet-sale')?.textContent
if (sale) startWallets(JSON.parse(sale))

const REFUSALS = new Map([
  ['wallet_proof_refused', 'refused'],
  ['passkey_refused', 'refused'],
  ['passkey_challenge_refused', 'refused'],
  ['passkey_registration_refused', 'refused'],
  ['passkey_exists', 'exists'],
  ['passkey_limit_reached', 'full'],
  ['account_banned', 'banned'],
  ['wrong_password', 'wrongPassword'],
  ['passkey_confirmation_required', 'unconfirmed'],
])

/**
 * Sends JSON to the service.
 *
 * @param {string} url
 * @param {object} [body]
 * @param {string} [method]
 */
async function sendJson(url, body, method = 'POST') {
  const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) }
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const json = await answer.json().catch(() => ({}))
  if (answer.ok) return json
  throw new Problem(answer.status === 429 ? 'later' : (REFUSALS.get(json.error?.code) ?? 'failed'))
}

/** @param {unknown} error */
function textOfDevice(error) {
  if (error instanceof Problem) return error.message
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'InvalidStateError') return 'exists'
  return name === 'NotAllowedError' || name === 'AbortError' ? 'cancelled' : 'failed'
}

/** @param {{ texts: Record<string, string>, url: string }} passkeys */
function startPasskeys({ texts, url }) {
  const show = statusAt('[data-passkey-status]', texts)
  /** @type {NodeListOf<HTMLFormElement>} */
  const forms = document.querySelectorAll('form[data-passkey]')

  /** Ends the request that waits for the autofill of an input. A browser has one request at a time. */
  let waiting = new AbortController()

  /**
   * Lets the person use any passkey that the device has for the service.
   *
   * @param {Pick<CredentialRequestOptions, 'mediation' | 'signal'>} [how]
   */
  async function use(how) {
    const options = await sendJson(`${url}/options`)
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
    return navigator.credentials.get({ publicKey, ...how })
  }

  /**
   * Offers passkeys in the autofill of the inputs, where the browser has it. Each challenge is valid for five minutes.
   *
   * @param {string} done
   */
  async function offer(done) {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
    waiting = new AbortController()
    const { signal } = waiting
    const renewal = setTimeout(() => {
      waiting.abort()
      void offer(done)
    }, RENEWAL_MS)
    signal.addEventListener('abort', () => clearTimeout(renewal))
    try {
      const response = await use({ mediation: 'conditional', signal })
      if (!response || signal.aborted) return
      await sendJson(`${url}/login`, { response })
      location.assign(done)
    } catch (error) {
      // The person asked for nothing yet, so only the refusal of a chosen passkey is shown.
      if (error instanceof Problem && !signal.aborted && error.message !== 'later') show(error.message)
    }
  }

  /** @param {HTMLFormElement} form */
  async function add(form) {
    const entered = new FormData(form)
    const name = String(entered.get('name') ?? '').trim()
    const password = String(entered.get('password') ?? '')
    const proof = password ? { password } : 'confirms' in form.dataset ? { response: await use() } : undefined
    const options = await sendJson(`${url}/registration/options`, proof)
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const response = await navigator.credentials.create({ publicKey })
    await sendJson(url, { response, ...(name && { name }) })
  }

  /** @param {HTMLFormElement} form */
  async function run(form) {
    const { passkey, id, done = '' } = form.dataset
    const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'))
    button.disabled = true
    waiting.abort()
    show('waiting')
    try {
      if (passkey === 'login') await sendJson(`${url}/login`, { response: await use() })
      else if (passkey === 'delete') await sendJson(`${url}/${id}`, { response: await use() }, 'DELETE')
      else await add(form)
      location.assign(done)
    } catch (error) {
      show(textOfDevice(error))
      button.disabled = false
      if (passkey === 'login') void offer(done)
    }
  }

  for (const form of forms) {
    form.hidden = false
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void run(form)
    })
    const { passkey, done = '' } = form.dataset
    if (passkey === 'login') void offer(done)
  }
}

const passkeys = document.getElementById('passkeys')?.textContent
// Older browsers lack the conversions from JSON.
if (passkeys && 'parseRequestOptionsFromJSON' in (globalThis.PublicKeyCredential ?? {})) {
  startPasskeys(JSON.parse(passkeys))
}

/** @param {{ texts: Record<string, string>, url: string, done: string }} proof */
function startProof({ texts, url, done }) {
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
  }

  button.hidden = false
  button.addEventListener('click', () => withWallet((provider) => void run(provider)))
}

const proof = document.getElementById('wallet-proof')?.textContent
if (proof) startProof(JSON.parse(proof))
