// Signs in with passkeys, proves the person with them, adds and deletes them.
import { sendJson } from './send-json.js'
import { Problem, statusAt } from './status.js'

const RENEWAL_MS = 240_000

/** @param {unknown} error */
function textOfDevice(error) {
  if (error instanceof Problem) return error.message
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'InvalidStateError') return 'exists'
  return name === 'NotAllowedError' || name === 'AbortError' ? 'cancelled' : 'failed'
}

/** @param {{ texts: Record<string, string>, url: string }} passkeys */
export function startPasskeys({ texts, url }) {
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
    const { passkey, id, done = '', sends = '' } = form.dataset
    const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'))
    button.disabled = true
    waiting.abort()
    show('waiting')
    try {
      if (passkey === 'login') await sendJson(`${url}/login`, { response: await use() })
      else if (passkey === 'prove') await sendJson(`${url}/prove`, { response: await use() })
      else if (passkey === 'delete') await sendJson(`${url}/${id}`, { response: await use() }, 'DELETE')
      else await add(form)
      if (sends) /** @type {HTMLFormElement} */ (document.getElementById(sends)).submit()
      else location.assign(done)
    } catch (error) {
      show(textOfDevice(error))
      button.disabled = false
      if (document.activeElement === document.body) button.focus()
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
