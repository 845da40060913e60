// #region sign
import { createHash, type KeyObject, randomUUID, sign } from 'node:crypto'

/** Returns the headers of a signed request: the agent's DID, a nonce that starts with the time, and the signature. */
export function signRequest(agent: { did: string; key: KeyObject }, method: string, url: URL, body = '') {
  const nonce = `${Math.floor(Date.now() / 1000)}-${randomUUID()}`
  const digest = createHash('sha256').update(body).digest('hex')
  const input = [method, url.pathname + url.search, agent.did, nonce, digest].join('\n')
  return {
    'EEP-Agent-DID': agent.did,
    'EEP-Nonce': nonce,
    'EEP-Signature': sign(null, Buffer.from(input), agent.key).toString('base64url'),
  }
}
// #endregion
