import { canonicalJson } from '../kernel/digest.ts'
import type { JsonObject } from '../kernel/json.ts'

// The HTTP authentication scheme `Payment` (draft-httpauth-payment): what challenges, credentials and receipts look like
// on the wire, for every rail that speaks it.

/** What a server asks to be paid. `request` is what the method wants to know, as base64url of canonical JSON. */
export interface PaymentChallenge {
  readonly id: string
  readonly realm: string
  readonly method: string
  readonly intent: string
  readonly request: string
  /** RFC 3339. */
  readonly expires?: string | undefined
  /** The field the credential comes in, when it is not `Authorization`. */
  readonly header?: string | undefined
  readonly description?: string | undefined
  readonly digest?: string | undefined
  readonly opaque?: string | undefined
}

/** A credential as it came: a bare token, or a challenge that is answered. Nothing of it is checked. */
export type PaymentAuthorization =
  | { readonly is: 'token'; readonly token: string }
  | { readonly is: 'credential'; readonly challenge: PaymentChallenge; readonly payload: JsonObject }
  | { readonly is: 'malformed' }

const MAX_CREDENTIAL = 16_384
const TOKEN = /^[A-Za-z0-9_.:-]{1,512}$/
const BASE64URL = /^[A-Za-z0-9_-]+$/

const REQUIRED = ['id', 'realm', 'method', 'intent', 'request'] as const
const OPTIONAL = ['expires', 'header', 'description', 'digest', 'opaque'] as const

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** JSON as base64url without padding; equal values have equal texts. */
export const encodePaymentJson = (value: unknown): string => Buffer.from(canonicalJson(value)).toString('base64url')

/** What {@link encodePaymentJson} wrote; undefined when the text is not a JSON object in base64url. */
export function decodePaymentJson(text: string): JsonObject | undefined {
  if (text.length > MAX_CREDENTIAL || !BASE64URL.test(text)) return undefined
  try {
    const json = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'base64url'))
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const quoted = (value: string): string => `"${value.replaceAll(/["\\]/g, '\\$&')}"`

/**
 * Writes a challenge as a value of `WWW-Authenticate`; undefined members are omitted.
 *
 * @throws TypeError when a parameter is not printable ASCII
 */
export function formatPaymentChallenge(parameters: Readonly<Record<string, string | undefined>> | PaymentChallenge) {
  const entries = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  for (const [name, value] of entries) {
    if (!/^[\x20-\x7e]*$/.test(value))
      throw new TypeError(`The parameter ${name} of a challenge is not printable ASCII`)
  }
  return `Payment ${entries.map(([name, value]) => `${name}=${quoted(value)}`).join(', ')}`
}

/** The challenges of the scheme in a `WWW-Authenticate` header, also when several values were joined to one. */
export function parsePaymentChallenges(header: string | readonly string[]): readonly PaymentChallenge[] {
  const text = typeof header === 'string' ? header : header.join(', ')
  const found: Record<string, string>[] = []
  let current: Record<string, string> | undefined
  const parts = /(?:^|,)\s*([A-Za-z][\w-]*)\s+(?=[\w-]+\s*=)|([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g
  for (const [, scheme, name, string, bare] of text.matchAll(parts)) {
    if (scheme !== undefined) {
      current = scheme.toLowerCase() === 'payment' ? {} : undefined
      if (current) found.push(current)
    } else if (current && name !== undefined) current[name] = string?.replaceAll(/\\(.)/g, '$1') ?? bare ?? ''
  }
  return found.flatMap((one) => challengeOf(one) ?? [])
}

function challengeOf(value: Readonly<Record<string, unknown>>): PaymentChallenge | undefined {
  const challenge: Record<string, string> = {}
  for (const name of [...REQUIRED, ...OPTIONAL]) {
    const member = value[name]
    if (typeof member === 'string') challenge[name] = member
    else if (member !== undefined) return undefined
  }
  // The loop has copied no other names.
  return REQUIRED.every((name) => challenge[name]) ? (challenge as unknown as PaymentChallenge) : undefined
}

/** Reads `Authorization` or `Payment-Authorization`; undefined when it is of another scheme or absent. */
export function parsePaymentAuthorization(value: string | undefined): PaymentAuthorization | undefined {
  const [found, text = ''] = /^payment(?: +(.*))?$/is.exec(value ?? '') ?? []
  if (found === undefined) return undefined
  const token = text.trim()
  const json = decodePaymentJson(token)
  if (json) {
    const { challenge, payload } = json
    const read = isObject(challenge) ? challengeOf(challenge) : undefined
    return read && isObject(payload) ? { is: 'credential', challenge: read, payload } : { is: 'malformed' }
  }
  return TOKEN.test(token) ? { is: 'token', token } : { is: 'malformed' }
}

/** Writes the answer to a challenge as a value of `Authorization`. */
export const formatPaymentCredential = (challenge: PaymentChallenge, payload: JsonObject): string =>
  `Payment ${encodePaymentJson({ challenge, payload })}`

/** What a `Payment-Receipt` says. */
export interface PaymentReceipt {
  readonly method: string
  readonly reference: string
  readonly status: 'success'
  /** RFC 3339. */
  readonly timestamp: string
}

/** Writes a receipt as a value of `Payment-Receipt`. It goes with answers of the classes 2xx only. */
export const formatPaymentReceipt = (receipt: PaymentReceipt): string => encodePaymentJson(receipt)
