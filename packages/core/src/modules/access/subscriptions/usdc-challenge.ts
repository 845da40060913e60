import { z } from 'zod'
import type { Keyring } from '../../../kernel/keyring.ts'
import type { Plan } from '../../../model/plan.ts'
import { invalidYearChallenge } from './prepaid-errors.ts'

/** The terms of payment for a year of a plan: account, amount, receiver and expiry. */
export interface YearChallenge {
  /** Unique: one challenge is paid once. */
  readonly id: string
  readonly accountId: string
  readonly tier: Exclude<Plan, 'community'>
  readonly priceCents: number
  /** The receiver by CAIP-2 network. */
  readonly payTo: Readonly<Record<string, string>>
  readonly issuedAt: Date
  readonly expiresAt: Date
}

const TYPE = 'eep-subscription-challenge+jws'
const TERM = 'P1Y'

const headerSchema = z.looseObject({ typ: z.literal(TYPE) })
const claimsSchema = z.object({
  iss: z.string(),
  jti: z.uuid(),
  sub: z.string(),
  tier: z.enum(['pro', 'team']),
  term: z.literal(TERM),
  price_cents: z.int().min(1),
  pay_to: z.record(z.string(), z.string()),
  iat: z.int(),
  exp: z.int(),
})

const seconds = (at: Date) => Math.floor(at.getTime() / 1000)

/** Signs a challenge (compact JWS), so that nothing is stored before it is paid. */
export const signChallenge = (challenge: YearChallenge, keyring: Pick<Keyring, 'sign'>, issuer: string) =>
  keyring.sign(
    {
      iss: issuer,
      jti: challenge.id,
      sub: challenge.accountId,
      tier: challenge.tier,
      term: TERM,
      price_cents: challenge.priceCents,
      pay_to: challenge.payTo,
      iat: seconds(challenge.issuedAt),
      exp: seconds(challenge.expiresAt),
    } satisfies z.input<typeof claimsSchema>,
    TYPE,
  )

const part = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

/**
 * Reads a challenge that this service signed, which may have expired. The issuer is checked, because a copy of the service has the
 * same keys and other prices.
 *
 * @throws `invalid_year_challenge`
 */
export function readChallenge(text: string, keyring: Pick<Keyring, 'isOwnSignature'>, issuer: string): YearChallenge {
  const [header = '', payload = '', signature = '', ...rest] = text.split('.')
  const claims = claimsSchema.safeParse(part(payload))
  const isOurs =
    rest.length === 0 &&
    headerSchema.safeParse(part(header)).success &&
    claims.success &&
    claims.data.iss === issuer &&
    keyring.isOwnSignature(`${header}.${payload}`, signature)
  if (!isOurs) throw invalidYearChallenge()
  const { jti, sub, tier, price_cents: priceCents, pay_to: payTo, iat, exp } = claims.data
  return {
    id: jti,
    accountId: sub,
    tier,
    priceCents,
    payTo,
    issuedAt: new Date(iat * 1000),
    expiresAt: new Date(exp * 1000),
  }
}
