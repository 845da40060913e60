import { canonicalJson } from '../kernel/digest.ts'
import type { JsonObject } from '../kernel/json.ts'

// The HTTP authentication scheme `Payment` (draft-httpauth-payment): the wire format of challenges, credentials and
// receipts, for rails that use it.

/** A request for payment. `request` has the parameters of the method, as base64url of canonical JSON. */
export interface PaymentChallenge {
  readonly id: string
  readonly realm: string
  readonly method: string
  readonly intent: string
  readonly request: string
  /** RFC 3339. */
  readonly expires?: string | undefined
  /** The header for the credential, if not `Authorization`. */
  readonly header?: string | undefined
  readonly description?: string | undefined
  readonly digest?: string | undefined
  readonly opaque?: string | undefined
}

/** A parsed, unverified credential: a bare token, or the answer to a challenge. */
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

/** Encodes JSON as base64url without padding. Equal values have equal encodings. */
export const encodePaymentJson = (value: unknown): string => Buffer.from(canonicalJson(value)).toString('base64url')

/** Decodes the result of {@link encodePaymentJson}; undefined when the text is not a JSON object in base64url. */
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

/** Parses the challenges of the scheme in a `WWW-Authenticate` header, including several values joined to one. */
export function parsePaymentChallenges(header: string | readonly string[]): readonly PaymentChallenge[] {
  const text = (typeof header === 'string' ? header : header.join(', ')).slice(0, MAX_CREDENTIAL)
  const found: Record<string, string>[] = []
  let current: Record<string, string> | undefined
  // A name begins where no other one ends, or each of its characters would be tried as the beginning.
  const parts =
    /(?:^|,)\s*([A-Za-z][\w-]*)\s+(?=[\w-]+\s*=)|(?<![\w-])([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g
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
  // The loop copies only these names.
  return REQUIRED.every((name) => challenge[name]) ? (challenge as unknown as PaymentChallenge) : undefined
}

/** Parses `Authorization` or `Payment-Authorization`; undefined when it is absent or has another scheme. */
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

/** Formats the answer to a challenge as a value of `Authorization`. */
export const formatPaymentCredential = (challenge: PaymentChallenge, payload: JsonObject): string =>
  `Payment ${encodePaymentJson({ challenge, payload })}`

/** The content of a `Payment-Receipt`. */
export interface PaymentReceipt {
  readonly method: string
  readonly reference: string
  readonly status: 'success'
  /** RFC 3339. */
  readonly timestamp: string
}

/** Formats a receipt as a value of `Payment-Receipt`. Send it with 2xx responses only. */
export const formatPaymentReceipt = (receipt: PaymentReceipt): string => encodePaymentJson(receipt)
