import { oauthError } from '../oauth-error.ts'

/** The prefix of the ids of registered apps. */
export const REGISTERED_PREFIX = 'eepd_'

/** The longest id of an app. */
export const MAX_CLIENT_ID = 1_200

const REGISTERED = /^eepd_[A-Za-z0-9_-]{30,1195}$/
const CONFIGURED = /^[A-Za-z0-9._~-]{1,200}$/

/**
 * Whether an id is the address of a document (draft-ietf-oauth-client-id-metadata-document, section 3).
 */
export function isDocumentAddress(text: string): boolean {
  if (text.length > MAX_CLIENT_ID || !/^https:\/\/[\x21-\x7e]+$/.test(text) || /[#\\]/.test(text)) return false
  if (!URL.canParse(text)) return false
  const { href, pathname, username, password, hostname } = new URL(text)
  // The parser resolves dot segments, in every spelling, and drops default ports and empty user information: the text then differs.
  return href === text && pathname !== '/' && username === '' && password === '' && !hostname.endsWith('.')
}

/**
 * Checks the form of a `client_id` and returns the kind of app that it can name. Nothing is fetched or looked up.
 *
 * @throws `invalid_client` for any other text
 */
export function checkClientId(text: string): 'cimd' | 'registered' | 'configured' {
  if (isDocumentAddress(text)) return 'cimd'
  if (REGISTERED.test(text)) return 'registered'
  if (CONFIGURED.test(text) && !text.startsWith(REGISTERED_PREFIX)) return 'configured'
  throw oauthError('invalid_client', 'The client_id is not one that this service issued, nor an https address')
}
