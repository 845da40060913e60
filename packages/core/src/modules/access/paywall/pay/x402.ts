import { hmac, sameText } from '../../../../kernel/digest.ts'
import { EepError } from '../../../../kernel/errors.ts'
import type { JsonObject } from '../../../../kernel/json.ts'
import type { Keyring, SharedKey } from '../../../../kernel/keyring.ts'
import type { Purchase, PurchaseListing, Settlement } from '../../../../ports/payment-rail.ts'

// The headers of x402 v2: the envelopes of challenges and payments, and the extensions of this service.

/** The x402 v2 envelopes that travel in headers: JSON in base64 of the standard alphabet. */
export const encodeEnvelope = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')

/**
 * Prepares an envelope in which one ASCII text of fixed length varies: the rest is serialized and encoded once.
 *
 * @param value - an object in which `hole` occurs once
 */
export function envelopeTemplate(value: unknown, hole: string) {
  const json = JSON.stringify(value)
  const at = json.indexOf(hole)
  const [head, tail] = [json.slice(0, at), json.slice(at + hole.length)]
  const [before, after] = [Buffer.from(head), Buffer.from(tail)]
  // Base64 writes three bytes at a time, so up to two bytes beside the hole are encoded with it.
  const lead = before.length % 3
  const trail = (3 - ((lead + hole.length) % 3)) % 3
  const start = before.subarray(0, before.length - lead).toString('base64')
  const end = after.subarray(trail).toString('base64')
  const left = before.subarray(before.length - lead).toString('latin1')
  const right = after.subarray(0, trail).toString('latin1')

  return (text: string): { readonly json: string; readonly encoded: string } => ({
    json: head + text + tail,
    encoded: start + btoa(left + text + right) + end,
  })
}

/** `PAYMENT-RESPONSE` (x402 v2, SettleResponse). */
export interface SettleResponse {
  readonly success: boolean
  /** Empty when there is none. */
  readonly transaction: string
  /** CAIP-2. Undefined when the payment did not name one. */
  readonly network: string | undefined
  readonly payer?: string | undefined
  readonly amount?: string | undefined
  readonly errorReason?: string | undefined
  readonly extensions?: JsonObject | undefined
}

/** A chain that does not exist, for payments that name no network. */
const NO_NETWORK = 'eip155:0'

/** Encodes what became of a payment. Its network is never empty, because clients refuse such a response. */
export const encodeResponse = ({ network, ...response }: SettleResponse): string =>
  encodeEnvelope({ ...response, network: network || NO_NETWORK })

/** Returns an error that also states what became of the payment. */
export const withSettleResponse = (error: EepError, response: SettleResponse): EepError =>
  new EepError(error, {
    ...error,
    message: error.message,
    cause: error.cause,
    x402: { ...error.x402, response: encodeResponse(response) },
  })

const MAX_ENVELOPE = 8_192
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A payment as a client sent it, member by member and unchecked; undefined when it cannot be read. */
function payloadIn(payment: string | undefined): { readonly [name: string]: unknown } | undefined {
  if (!payment || payment.length > MAX_ENVELOPE || !BASE64.test(payment)) return undefined
  try {
    const payload: unknown = JSON.parse(Buffer.from(payment, 'base64').toString('utf8'))
    return isObject(payload) ? payload : undefined
  } catch {
    return undefined
  }
}

/** The extensions a client sent back with its payment; an empty object when there are none to be read. */
export function echoedExtensions(payment: string | undefined): Record<string, unknown> {
  const extensions = payloadIn(payment)?.extensions
  return typeof extensions === 'object' && extensions !== null ? (extensions as Record<string, unknown>) : {}
}

/** The URL that a payment names. Undefined when it names none. */
export function paymentResourceUrl(paymentSignature: string): string | undefined {
  const { url } = (payloadIn(paymentSignature)?.resource ?? {}) as { readonly url?: unknown }
  return typeof url === 'string' ? url : undefined
}

/** The version of a payment, and the scheme and network of the offer that it accepts; unchecked, and undefined where absent. */
export function offeredTerms(payment: string):
  | {
      readonly version: unknown
      readonly scheme: string | undefined
      readonly network: string | undefined
      readonly hasPayload: boolean
    }
  | undefined {
  const envelope = payloadIn(payment)
  if (!envelope) return undefined
  const { x402Version: version, accepted, payload } = envelope
  // Version 1 names them beside the payload.
  const { scheme, network } = version === 1 ? envelope : isObject(accepted) ? accepted : {}
  const text = (value: unknown) => (typeof value === 'string' && value.length <= 200 ? value : undefined)
  return { version, scheme: text(scheme), network: text(network), hasPayload: isObject(payload) }
}

/**
 * The time of a 402, which the client sends back with the payment, so that a receipt can contain it without a row for each 402. It travels as an x402 extension, which official clients echo.
 */
export const TIMELINE_EXTENSION = 'eep-timeline'

const mac = (key: Uint8Array, url: string, seconds: number) => hmac(key, `${url}|${seconds}`)

/** The extension of a challenge for `url`, issued at `at`. */
export function challengeTimestamp(url: string, at: Date, [{ key }]: readonly [SharedKey, ...SharedKey[]]): JsonObject {
  const seconds = Math.floor(at.getTime() / 1000)
  return {
    [TIMELINE_EXTENSION]: {
      info: { issued_at: seconds, mac: mac(key, url, seconds) },
      schema: { type: 'object', properties: { issued_at: { type: 'integer' }, mac: { type: 'string' } } },
    },
  }
}

/** When the challenge that a client answers was issued; null when it does not say so provably. */
export function readTimestamp(
  extensions: Record<string, unknown>,
  url: string,
  keys: readonly SharedKey[],
): Date | null {
  const { info } = (extensions[TIMELINE_EXTENSION] ?? {}) as { info?: { issued_at?: unknown; mac?: unknown } }
  const { issued_at: seconds, mac: given } = info ?? {}
  if (typeof seconds !== 'number' || !Number.isSafeInteger(seconds) || typeof given !== 'string') return null
  return keys.some(({ key }) => sameText(given, mac(key, url, seconds))) ? new Date(seconds * 1000) : null
}

/** The x402 extension with which a service signs its offers and receipts. */
export const OFFER_RECEIPT = 'offer-receipt'

const VERSION = 1

export interface Signatory {
  readonly keyring: Pick<Keyring, 'sign'>
  /** The DID of the service, whose document has the keys. */
  readonly did: string
}

/** A signed offer of a 402. Undefined for an entry without the members of an x402 offer. */
export async function signOffer(
  accept: JsonObject,
  { resourceUrl, validUntil }: { readonly resourceUrl: string; readonly validUntil: number },
  { keyring, did }: Signatory,
): Promise<string | undefined> {
  const { scheme, network, asset, payTo, amount } = accept
  const terms = { scheme, network, asset, payTo, amount }
  if (Object.values(terms).some((one) => typeof one !== 'string')) return undefined
  return keyring.sign({ version: VERSION, resourceUrl, ...terms, validUntil }, 'JWS', did)
}

/** The extension of signed offers in a 402. */
const signedOffersExtension = (offers: readonly JsonObject[]): JsonObject => ({
  info: { offers },
  schema: { type: 'object', required: ['offers'] },
})

/** The signed payment in `PAYMENT-RESPONSE`. The same payment gives the same text. */
export async function signedReceiptExtension(
  { shown }: Pick<Purchase, 'shown'>,
  { network, payer, transaction, reference, settledAt }: Settlement,
  { keyring, did }: Signatory,
): Promise<JsonObject> {
  const claims = {
    version: VERSION,
    network,
    resourceUrl: shown.url,
    payer: payer.wallet,
    issuedAt: Math.floor(settledAt.getTime() / 1000),
    transaction: transaction ?? reference,
  }
  const receipt = { format: 'jws', signature: await keyring.sign(claims, 'JWS', did) }
  return { info: { receipt }, schema: { type: 'object', required: ['receipt'] } }
}

/** The resource of a 402 (x402 v2, ResourceInfo). */
export interface ResourceInfo extends Omit<PurchaseListing, 'bazaar'> {
  readonly url: string
  readonly description: string
  readonly mimeType: string
}

/** The resource of a purchase. */
export function resourceInfoOf({ shown, listing = {} }: Pick<Purchase, 'shown' | 'listing'>): ResourceInfo {
  const { serviceName, tags, iconUrl } = listing
  return {
    ...shown,
    ...(serviceName !== undefined && { serviceName }),
    ...(tags !== undefined && { tags }),
    ...(iconUrl !== undefined && { iconUrl }),
  }
}

/** The header of a 402 (x402 v2, PaymentRequired). */
export interface PaymentRequired {
  readonly x402Version: 2
  readonly error: string
  readonly resource: ResourceInfo
  readonly accepts: readonly JsonObject[]
  readonly extensions: JsonObject
}

/** An entry of `accepts[]` and the rail it is paid by. */
export interface OfferedEntry {
  readonly rail: string
  readonly accept: JsonObject
  /** The offer as signed by the service, if it signs offers. */
  readonly signed?: string | undefined
}

/**
 * An offer with its typed data takes more than 1 KB of base64, so this is three of them. What proxies pass on, and what
 * clients read, ends at 8 KB or 16 KB of headers altogether.
 */
const MAX_HEADER = 6_000

/** The last entry whose rail has another one, so that each rail stays listed as long as there is room. */
function leastMissed(entries: readonly OfferedEntry[]): number {
  const counts = new Map<string, number>()
  for (const { rail } of entries) counts.set(rail, (counts.get(rail) ?? 0) + 1)
  const at = entries.findLastIndex(({ rail }) => (counts.get(rail) ?? 0) > 1)
  return at < 0 ? entries.length - 1 : at
}

/** The x402 extension that describes for catalogues how a resource is requested. */
const BAZAAR = 'bazaar'

/** An extension `bazaar` without the example of the response. */
function withoutExample(bazaar: JsonObject): JsonObject {
  const { output: _, ...info } = bazaar.info as JsonObject
  return { ...bazaar, info }
}

/**
 * The offers of a 402 in the given order. What its header cannot hold is left out, in this order: the example of the resource, the
 * extension `bazaar`, the signed offers, and the last offers. At least one of the given offers is kept.
 *
 * @param bazaar - the extension `bazaar`. Default: none
 */
export function paymentRequiredOf(
  offered: readonly OfferedEntry[],
  { error, resource, extensions }: Pick<PaymentRequired, 'error' | 'resource' | 'extensions'>,
  bazaar?: JsonObject | undefined,
): PaymentRequired {
  const made = (entries: readonly OfferedEntry[], described: JsonObject | undefined): PaymentRequired => {
    const offers = entries.flatMap(({ signed }, acceptIndex) =>
      signed === undefined ? [] : [{ format: 'jws', acceptIndex, signature: signed }],
    )
    return {
      x402Version: 2,
      error,
      resource,
      accepts: entries.map(({ accept }) => accept),
      extensions: {
        ...extensions,
        ...(described && { [BAZAAR]: described }),
        ...(offers.length > 0 && { [OFFER_RECEIPT]: signedOffersExtension(offers) }),
      },
    }
  }
  const fits = (required: PaymentRequired) => encodeEnvelope(required).length <= MAX_HEADER
  const descriptions = bazaar && offered.length > 0 ? [bazaar, withoutExample(bazaar), undefined] : [undefined]
  for (const described of descriptions) {
    const required = made(offered, described)
    if (fits(required)) return required
  }
  let entries: readonly OfferedEntry[] = offered.map(({ rail, accept }) => ({ rail, accept }))
  while (entries.length > 1 && !fits(made(entries, undefined))) {
    entries = entries.toSpliced(leastMissed(entries), 1)
  }
  return made(entries, undefined)
}
