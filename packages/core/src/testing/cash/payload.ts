import { z } from 'zod'
import { canonicalJson, sha256 } from '../../kernel/digest.ts'
import type { JsonObject } from '../../kernel/json.ts'

/** The x402 scheme of the offers of {@link cashRail}. */
export const CASH_SCHEME = 'cash'
/** The default network of {@link cashRail}. */
export const CASH_NETWORK = 'cash:test'

const atomic = z.string().regex(/^[1-9]\d{0,30}$/)

const acceptSchema = z.object({
  scheme: z.string().min(1),
  network: z.string().min(3),
  asset: z.string(),
  amount: z.string(),
  payTo: z.string(),
  extra: z.object({ tier: z.string().optional(), per: z.string().optional() }).optional(),
})

const authorizationSchema = z.strictObject({
  from: z.string().min(1).max(200),
  to: z.string().min(1).max(500),
  value: atomic,
  /** Seconds since 1970. */
  validBefore: z.int().positive(),
  nonce: z.string().min(1).max(100),
})

const versionSchema = z.looseObject({ x402Version: z.union([z.number(), z.string()]) })
const envelopeSchema = z.object({ accepted: acceptSchema, payload: z.unknown() })
const payloadSchema = z.strictObject({ authorization: authorizationSchema, signature: z.string().min(1).max(500) })

/** The signed part of a payment: payer, recipient, amount, expiry and nonce. */
export type CashAuthorization = z.infer<typeof authorizationSchema>

/** A payment as it is sent and stored. */
export interface CashProof extends JsonObject {
  readonly accepted: {
    readonly network: string
    readonly amount: string
    readonly payTo: string
    readonly tier: string | null
    readonly per: string | null
  }
  readonly authorization: CashAuthorization
  readonly signature: string
}

/** A signature without a secret, which is enough to test forged ones. */
export const signCash = (authorization: CashAuthorization): string => sha256(canonicalJson(authorization))

const toBase64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')

const fromBase64 = (header: string): unknown => {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(header)) throw new SyntaxError('not base64')
  return JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
}

/** Writes a payment as a `PAYMENT-SIGNATURE`. */
export const encodeCash = (accepted: JsonObject, authorization: CashAuthorization, signature: string): string =>
  toBase64({ x402Version: 2, accepted, payload: { authorization, signature } })

/** Reads a payment of x402: `foreign` when it has another version, scheme or network, `broken` when it is malformed. */
export function decodeCash(header: string, network: string): CashProof | 'foreign' | 'broken' {
  try {
    const envelope = versionSchema.parse(fromBase64(header))
    if (envelope.x402Version !== 2) return 'foreign'
    const { accepted, payload } = envelopeSchema.parse(envelope)
    if (accepted.scheme !== CASH_SCHEME || accepted.network !== network) return 'foreign'
    const { amount, payTo, extra } = accepted
    return {
      accepted: { network, amount, payTo, tier: extra?.tier ?? null, per: extra?.per ?? null },
      ...payloadSchema.parse(payload),
    }
  } catch {
    return 'broken'
  }
}

const paymentRequiredSchema = z.object({ accepts: z.array(z.record(z.string(), z.json())) })

/** The offer of this network in a `PAYMENT-REQUIRED` header. Throws when there is none. */
export function cashOfferIn(paymentRequired: string, network: string): JsonObject {
  const { accepts } = paymentRequiredSchema.parse(fromBase64(paymentRequired))
  const accept = accepts.find((one) => one.scheme === CASH_SCHEME && one.network === network)
  if (!accept) throw new Error(`The 402 has no offer for ${CASH_SCHEME} on ${network}`)
  return accept
}
