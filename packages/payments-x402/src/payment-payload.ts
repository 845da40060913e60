import { caip2Of } from '@eep/core/ports'

/** The signed authorization (EIP-3009). Addresses and nonce are in lower case, numbers are decimal without leading zeros. */
export type Authorization = {
  readonly from: string
  readonly to: string
  readonly value: string
  readonly validAfter: string
  readonly validBefore: string
  readonly nonce: string
}

/** The offer that the payer claims to accept, with the CAIP-2 name of its network. It is not signed and only distinguishes offers of one price. */
export type AcceptedOffer = {
  readonly scheme: string
  readonly network: string
  readonly asset: string
  readonly amount: string
  readonly payTo: string
  readonly tier?: string
  readonly per?: string
}

/** An EIP-3009 authorization with its signature. */
export type SignedAuthorization = {
  readonly authorization: Authorization
  readonly signature: string
}

/** A payment of the x402 scheme `exact`: a signed authorization and the offer that it accepts. */
export type ExactPayment = SignedAuthorization & {
  readonly accepted: AcceptedOffer
  /** The version of x402 that the payer used. Default: 2. */
  readonly v?: 1
}

/** The maximum length of `PAYMENT-SIGNATURE`. A payment that echoes the typed data has 2 KB. */
const maxHeaderLength = 8192

const invalid = Symbol('invalid')

const text = (value: unknown, form: RegExp): string => {
  if (typeof value !== 'string' || !form.test(value)) throw invalid
  return value
}

const record = (value: unknown): Record<string, unknown> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid
  return value as Record<string, unknown>
}

const ownMember = (object: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined

const decimal = /^(0|[1-9]\d{0,77})$/
const address = /^0x[0-9a-fA-F]{40}$/
const word = /^.{1,200}$/s

/** Parses the JSON object in a header: UTF-8 in base64 of the standard alphabet. */
function decode(header: string): Record<string, unknown> {
  if (header.length > maxHeaderLength || !/^[A-Za-z0-9+/]+={0,2}$/.test(header)) throw invalid
  return record(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'base64'))))
}

function readAccepted(value: unknown): AcceptedOffer {
  const accepted = record(value)
  const extra = record(ownMember(accepted, 'extra') ?? {})
  const tier = ownMember(extra, 'tier')
  const per = ownMember(extra, 'per')
  return {
    scheme: text(ownMember(accepted, 'scheme'), word),
    network: caip2Of(text(ownMember(accepted, 'network'), word)),
    asset: text(ownMember(accepted, 'asset'), word),
    amount: text(ownMember(accepted, 'amount'), word),
    payTo: text(ownMember(accepted, 'payTo'), word),
    ...(tier === undefined ? {} : { tier: text(tier, word) }),
    ...(per === undefined ? {} : { per: text(per, word) }),
  }
}

function readMembers(value: unknown): Authorization {
  const authorization = record(value)
  const member = (key: string, form: RegExp) => text(ownMember(authorization, key), form).toLowerCase()
  return {
    from: member('from', address),
    to: member('to', address),
    value: member('value', decimal),
    validAfter: member('validAfter', decimal),
    validBefore: member('validBefore', decimal),
    nonce: member('nonce', /^0x[0-9a-fA-F]{64}$/),
  }
}

/** Returns an authorization without its signature, or undefined. */
export function readAuthorization(value: unknown): Authorization | undefined {
  try {
    return readMembers(value)
  } catch {
    return undefined
  }
}

function readSigned(value: unknown): SignedAuthorization {
  const payload = record(value)
  return {
    authorization: readMembers(ownMember(payload, 'authorization')),
    // A compact signature of 64 bytes is well-formed and fails later with the reason of an invalid signature.
    signature: text(ownMember(payload, 'signature'), /^0x(?:[0-9a-fA-F]{2}){64,3000}$/).toLowerCase(),
  }
}

/** Returns the authorization and signature in the `payload` of a payment, or undefined. */
export function readSignedAuthorization(payload: unknown): SignedAuthorization | undefined {
  try {
    return readSigned(payload)
  } catch {
    return undefined
  }
}

/** Reads a payment of version 1, which names no token, tier or term: the network has one token, and the rest is signed. */
function readV1(
  message: Record<string, unknown>,
  v1AssetOf: (network: string) => string | undefined,
): ExactPayment | 'foreign' {
  const scheme = text(ownMember(message, 'scheme'), word)
  const network = caip2Of(text(ownMember(message, 'network'), word))
  const payload = record(ownMember(message, 'payload'))
  const asset = v1AssetOf(network)
  if (scheme !== 'exact' || asset === undefined) return 'foreign'
  const signed = readSigned(payload)
  const { value: amount, to: payTo } = signed.authorization
  return { v: 1, accepted: { scheme, network, asset, amount, payTo }, ...signed }
}

/**
 * Parses a payment of x402 strictly. `foreign` is one of another version, or for an offer that `isOurs` rejects, and `invalid` anything
 * that is not a payment.
 *
 * @param v1AssetOf - the token of a network, CAIP-2, for payments of version 1; undefined when that version is off
 */
export function readPayment(
  header: string,
  isOurs: (accepted: AcceptedOffer) => boolean,
  v1AssetOf?: (network: string) => string | undefined,
): ExactPayment | 'foreign' | 'invalid' {
  try {
    const message = decode(header)
    const version = ownMember(message, 'x402Version')
    if (version === undefined) return 'invalid'
    if (version === 1 && v1AssetOf) return readV1(message, v1AssetOf)
    if (version !== 2) return 'foreign'
    const accepted = readAccepted(ownMember(message, 'accepted'))
    const payload = record(ownMember(message, 'payload'))
    if (!isOurs(accepted)) return 'foreign'
    text(accepted.amount, decimal)
    text(accepted.payTo, address)
    return { accepted, ...readSigned(payload) }
  } catch {
    return 'invalid'
  }
}
