import { Problem } from './status.js'

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
export async function sendJson(url, body, method = 'POST') {
  const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) }
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const json = await answer.json().catch(() => ({}))
  if (answer.ok) return json
  throw new Problem(answer.status === 429 ? 'later' : (REFUSALS.get(json.error?.code) ?? 'failed'))
}
