import { hmac } from '../../../../kernel/digest.ts'
import { foldAddress, knownAddress } from '../../../../kernel/email-address.ts'
import type { Keyring } from '../../../../kernel/keyring.ts'

/** How many secrets of the keyring a buyer is looked up by: their hashes fit into one cookie. */
const MAX_KEYS = 5
/** 132 bits of the hash, in base64url. */
const HASH_LENGTH = 22

const PRINTABLE_ASCII = /^[\x21-\x7e]+$/

/**
 * The one spelling of an email address that is hashed, and that a link is sent to. Undefined for an address that cannot be
 * spelled in ASCII: two different mailboxes could become the same text in lower case.
 */
export function canonicalEmail(email: string): string | undefined {
  const text = knownAddress(email)
  return PRINTABLE_ASCII.test(text) ? foldAddress(text) : undefined
}

/**
 * The buyers of an email address, a keyed hash for each secret of the service, newest first. Without the secret, a hash
 * does not reveal its address.
 */
export function buyersOf(email: string, keyring: Keyring): readonly string[] {
  const address = canonicalEmail(email)
  if (address === undefined) return []
  const keys = keyring.shared('buyer-email').slice(0, MAX_KEYS)
  return keys.map(({ key }) => hmac(key, address).slice(0, HASH_LENGTH))
}

/** The buyer of a new payment whose payer entered an email address: its hash under the current secret. */
export const buyerOf = (email: string, keyring: Keyring): string | undefined => buyersOf(email, keyring)[0]
