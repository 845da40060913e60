import { railUnavailable } from '@eep/core/ports'
import { Stripe } from 'stripe'

/** Options of the connection to Stripe. */
export interface StripeAccess {
  /** A secret or restricted key: `sk_live_…`, `rk_test_…`. */
  readonly secretKey: string
  /** Another base URL, for tests. */
  readonly apiBase?: string | undefined
  /** The API version with shared payment tokens. */
  readonly apiVersion?: string | undefined
  /** The timeout of one call in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number | undefined
}

/** The fields of a PaymentIntent that this rail reads. */
export interface Intent {
  readonly id: string
  readonly status: string
  readonly amount: number
  readonly received: number
  readonly currency: string
  readonly createdAt: Date
}

const DEFAULT_VERSION = '2026-07-29.preview'

/**
 * @param owner - the prefix of error messages about options
 * @param pinned - the API version of every call. Default: that of the library
 * @throws Error for a malformed key or address
 */
export function connectStripe(
  { secretKey, apiBase, timeoutMs = 10_000 }: StripeAccess,
  owner = 'card rail',
  pinned?: string,
): Stripe {
  if (!/^(sk|rk)_(test|live)_\w+$/.test(secretKey)) {
    throw new Error(`${owner}: secretKey must be a secret or restricted key of Stripe`)
  }
  const base = apiBase === undefined ? undefined : new URL(apiBase)
  return new Stripe(secretKey, {
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
    // The types allow only the version of the library, but Stripe supports others.
    ...(pinned !== undefined && { apiVersion: pinned as NonNullable<Stripe.StripeConfig['apiVersion']> }),
    ...(base && {
      host: base.hostname,
      port: base.port || (base.protocol === 'http:' ? '80' : '443'),
      protocol: base.protocol === 'http:' ? ('http' as const) : ('https' as const),
    }),
  })
}

export const versionOf = ({ apiVersion = DEFAULT_VERSION }: StripeAccess): string => apiVersion

/** Parses a PaymentIntent. Throws for another response, because it proves nothing about the money. */
export function readIntent(answer: unknown): Intent {
  const { id, object, status, amount, amount_received: received, currency, created } = answer as Stripe.PaymentIntent
  const numbers = [amount, received, created]
  if (object !== 'payment_intent' || typeof id !== 'string' || !numbers.every(Number.isSafeInteger)) {
    throw new Error('Stripe returned an object that is not a PaymentIntent')
  }
  return { id, status, amount, received, currency, createdAt: new Date(created * 1000) }
}

/** What an error of Stripe means for the money of the failed call. */
export type Failure =
  /** No money moved, and none will. */
  | { readonly is: 'refused'; readonly reason: string }
  /** No money moved, because of a configuration error of the host. */
  | { readonly is: 'unavailable' }
  | { readonly is: 'unknown' }

const { StripeAuthenticationError, StripeCardError, StripeIdempotencyError } = Stripe.errors
const { StripeInvalidRequestError, StripePermissionError } = Stripe.errors

const word = (text: string | undefined): string | undefined =>
  text !== undefined && /^[a-z0-9_]{1,64}$/.test(text) ? text : undefined

/** Decides by the class of the error, because the codes for shared payment tokens are not documented. */
export function failureOf(error: unknown): Failure {
  if (error instanceof StripeCardError) {
    const nested = error.payment_intent?.status
    if (nested === 'succeeded' || nested === 'processing') return { is: 'unknown' }
    const isAction = error.code === 'authentication_required' || nested === 'requires_action'
    return { is: 'refused', reason: isAction ? ACTION_REQUIRED : (word(error.decline_code) ?? REFUSED) }
  }
  // The challenge was paid with another token before, whose outcome counts.
  if (error instanceof StripeIdempotencyError) return { is: 'refused', reason: 'invalid_challenge' }
  if (error instanceof StripeAuthenticationError || error instanceof StripePermissionError) return { is: 'unavailable' }
  if (error instanceof StripeInvalidRequestError) {
    return error.code === 'parameter_unknown' ? { is: 'unavailable' } : { is: 'refused', reason: REFUSED }
  }
  return { is: 'unknown' }
}

export const REFUSED = 'verification_failed'
export const ACTION_REQUIRED = 'payment_action_required'

/** Maps errors of calls that charge no money. Configuration errors of the host become `rail_unavailable`. */
export function redactError(error: unknown): unknown {
  return failureOf(error).is === 'unavailable' ? railUnavailable({ cause: error }) : error
}
