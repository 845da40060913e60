// The test wallet of the sandbox. It announces itself as wallets of the browser do (EIP-1193, EIP-6963) and asks in a dialog; the service
// has its key and signs. Pages load it before their script, which asks for wallets when it starts.
import { dataOf } from './page-data.js'
import { TEST_WALLET_NAME } from './test-wallet-name.js'

/**
 * @typedef {{ texts: Record<string, string>, url: string, chainId: number, balanceOf: string }} TestWallet - `balanceOf`: the address
 *   that is named as the test balance of the service
 * @typedef {{ address: string, balance: string, balance_atomic: string }} OpenedWallet
 */

const USER_REJECTED = 4001
const UNKNOWN_METHOD = 4200
const NOT_THIS_CHAIN = 4902
const DIALOG_IS_OPEN = -32002
const FAILED = -32603
const TOKEN_DIGITS = 6

/** @param {number} code */
const refusalOf = (code) => Object.assign(new Error(`test wallet: ${code}`), { code })

/**
 * Writes an amount of the play token in the language of the page.
 *
 * @param {string} atomic
 */
function tokenText(atomic) {
  const digits = atomic.padStart(TOKEN_DIGITS + 1, '0')
  const decimal = `${digits.slice(0, -TOKEN_DIGITS)}.${digits.slice(-TOKEN_DIGITS)}`
  const format = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: TOKEN_DIGITS })
  return format.format(/** @type {any} */ (decimal))
}

/** @param {Uint8Array} bytes */
const textIn = (bytes) => new TextDecoder('utf-8', { fatal: true }).decode(bytes)

/** @param {string} hex */
const bytesOf = (hex) => Uint8Array.from(hex.slice(2).match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))

/**
 * @param {string} name
 * @param {string} text
 * @param {string} [className]
 */
function elementOf(name, text, className = '') {
  const element = document.createElement(name)
  element.textContent = text
  if (className) element.className = className
  return element
}

/**
 * Asks in a dialog, and returns whether the person agreed. Browsers give the focus back when it closes.
 *
 * @param {{ title: string, lines: HTMLElement[], agree: string, decline: string }} question
 * @returns {Promise<boolean>}
 */
function askPerson({ title, lines, agree, decline }) {
  const dialog = document.createElement('dialog')
  const heading = elementOf('h2', title)
  heading.id = 'test-wallet-title'
  dialog.setAttribute('aria-labelledby', heading.id)
  const buttons = elementOf('div', '', 'acts')
  const yes = /** @type {HTMLButtonElement} */ (elementOf('button', agree))
  const no = /** @type {HTMLButtonElement} */ (elementOf('button', decline, 'second'))
  for (const button of [yes, no]) button.type = 'button'
  buttons.append(yes, no)
  dialog.append(heading, ...lines, buttons)
  document.body.append(dialog)
  return new Promise((resolve) => {
    let agreed = false
    yes.addEventListener('click', () => {
      agreed = true
      dialog.close()
    })
    no.addEventListener('click', () => dialog.close())
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(agreed)
    })
    dialog.showModal()
    yes.focus()
  })
}

/** @param {TestWallet} wallet */
function startTestWallet({ texts, url, chainId, balanceOf }) {
  let isAsking = false
  const chainHex = `0x${chainId.toString(16)}`
  /** @param {string} name */
  const say = (name) => texts[name] ?? ''

  /**
   * @param {string} path
   * @param {object | undefined} [body]
   * @param {string} [method]
   */
  async function send(path, body, method = 'POST') {
    const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) }
    const options = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const answer = await fetch(url + path, options).catch(() => undefined)
    if (!answer?.ok) throw refusalOf(FAILED)
    return answer.json()
  }

  /** @returns {Promise<OpenedWallet | null>} */
  const opened = async () => (await send('', undefined, 'GET')).wallet

  /**
   * @param {string} title
   * @param {HTMLElement[]} lines
   * @param {string} agree
   */
  async function confirm(title, lines, agree) {
    if (isAsking) throw refusalOf(DIALOG_IS_OPEN)
    isAsking = true
    const agreed = await askPerson({ title: say(title), lines, agree: say(agree), decline: say('decline') }).finally(
      () => {
        isAsking = false
      },
    )
    if (!agreed) throw refusalOf(USER_REJECTED)
  }

  /** A browser that has the wallet lets this site use it. */
  async function connect() {
    const known = await opened()
    if (known) return [known.address]
    await confirm('connectTitle', [elementOf('p', say('connectText'))], 'connect')
    const { address } = await send('')
    return [address]
  }

  /** @param {string} text */
  async function signTransfer(text) {
    const { message = {}, primaryType, domain = {} } = JSON.parse(text)
    const { to, value } = message
    if (primaryType !== 'TransferWithAuthorization' || domain.chainId !== chainId || !/^\d+$/.test(value)) {
      throw refusalOf(UNKNOWN_METHOD)
    }
    const has = (await opened())?.balance_atomic ?? '0'
    const receiver = String(to).toLowerCase() === balanceOf ? say('testBalance') : String(to)
    const facts = elementOf('dl', '', 'facts')
    for (const [name, fact] of [
      ['amount', `${tokenText(value)} ${say('token')}`],
      ['to', receiver],
      ['balance', `${tokenText(has)} ${say('token')}`],
    ]) {
      const definition = elementOf('dd', '')
      definition.append(elementOf('bdi', String(fact)))
      facts.append(elementOf('dt', say(String(name))), definition)
    }
    await confirm('payTitle', [facts], 'pay')
    return (await send('/transfer', { typed_data: text })).signature
  }

  /** @param {string} hex */
  async function signMessage(hex) {
    const message = textIn(bytesOf(hex))
    await confirm('signTitle', [elementOf('pre', message, 'said')], 'sign')
    return (await send('/message', { message })).signature
  }

  /** @type {Record<string, (params: any[]) => unknown>} */
  const methods = {
    eth_requestAccounts: connect,
    eth_accounts: async () => [(await opened())?.address].filter(Boolean),
    eth_chainId: () => chainHex,
    // The page asks for the balance of the wallet only.
    eth_call: async () => `0x${BigInt((await opened())?.balance_atomic ?? 0).toString(16)}`,
    wallet_switchEthereumChain: ([wanted]) => {
      if (Number(wanted?.chainId) !== chainId) throw refusalOf(NOT_THIS_CHAIN)
      return null
    },
    eth_signTypedData_v4: ([, text]) => signTransfer(String(text)),
    personal_sign: ([hex]) => signMessage(String(hex)),
  }

  const provider = {
    /** @param {{ method: string, params?: any[] }} call */
    async request({ method, params = [] }) {
      const answer = methods[method]
      if (!answer) throw refusalOf(UNKNOWN_METHOD)
      return answer(params)
    },
  }
  const info = { uuid: crypto.randomUUID?.() ?? TEST_WALLET_NAME, name: say('name'), icon: '', rdns: TEST_WALLET_NAME }
  const detail = Object.freeze({ info, provider })
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  addEventListener('eip6963:requestProvider', announce)
}

const testWallet = dataOf('test-wallet')
if (testWallet) startTestWallet(testWallet)
