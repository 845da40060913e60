import { railUnavailable } from '@eep/core/ports'
import { Stripe } from 'stripe'

/** How Stripe is reached. */
export interface StripeAccess {
  /** A secret or restricted key: `sk_live_…`, `rk_test_…`. */
  readonly secretKey: string
  /** Another address than Stripe's, for tests. */
  readonly apiBase?: string | undefined
  /** The version that knows shared payment tokens. */
  readonly apiVersion?: string | undefined
  /** How long one call may take. Default: 10,000. */
  readonly timeoutMs?: number | undefined
}

/** What this rail reads of a PaymentIntent. */
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
 * @param owner - the name in error messages about options
 * @param pinned - the version of every call. Default: that of the library
 * @throws Error when the key or the address cannot be one
 */
export function connectStripe(
  { secretKey, apiBase, timeoutMs = 10_000 }: StripeAccess,
  owner = 'card rail',
  pinned?: string,
): Stripe {
  if (!/^(sk|rk)_(test|live)_\w+$/.test(secretKey)) {
    throw new Error(`${owner}: secretKey is a secret or restricted key of Stripe`)
  }
  const base = apiBase === undefined ? undefined : new URL(apiBase)
  return new Stripe(secretKey, {
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
    // The types know one version; Stripe knows them all.
    ...(pinned !== undefined && { apiVersion: pinned as NonNullable<Stripe.StripeConfig['apiVersion']> }),
    ...(base && {
      host: base.hostname,
      port: base.port || (base.protocol === 'http:' ? '80' : '443'),
      protocol: base.protocol === 'http:' ? ('http' as const) : ('https' as const),
    }),
  })
}

export const versionOf = ({ apiVersion = DEFAULT_VERSION }: StripeAccess): string => apiVersion

/** Reads a PaymentIntent out of an answer; throws when it is none: what is not understood says nothing about money. */
export function readIntent(answer: unknown): Intent {
  const { id, object, status, amount, amount_received: received, currency, created } = answer as Stripe.PaymentIntent
  const numbers = [amount, received, created]
  if (object !== 'payment_intent' || typeof id !== 'string' || !numbers.every(Number.isSafeInteger)) {
    throw new Error('Stripe answered with something else than a PaymentIntent')
  }
  return { id, status, amount, received, currency, createdAt: new Date(created * 1000) }
}

/** What an error of Stripe's says about the money of the call that failed. */
export type Failure =
  /** Nothing moved by this call, and nothing will. */
  | { readonly is: 'refused'; readonly reason: string }
  /** Nothing moved, and the fault is ours. */
  | { readonly is: 'unavailable' }
  | { readonly is: 'unknown' }

const { StripeAuthenticationError, StripeCardError, StripeIdempotencyError } = Stripe.errors
const { StripeInvalidRequestError, StripePermissionError } = Stripe.errors

const word = (text: string | undefined): string | undefined =>
  text !== undefined && /^[a-z0-9_]{1,64}$/.test(text) ? text : undefined

/** Determined by the class of the error: which codes shared payment tokens have is not documented. */
export function failureOf(error: unknown): Failure {
  if (error instanceof StripeCardError) {
    const nested = error.payment_intent?.status
    if (nested === 'succeeded' || nested === 'processing') return { is: 'unknown' }
    const isAction = error.code === 'authentication_required' || nested === 'requires_action'
    return { is: 'refused', reason: isAction ? ACTION_REQUIRED : (word(error.decline_code) ?? REFUSED) }
  }
  // The challenge was answered with another token before; that one counts.
  if (error instanceof StripeIdempotencyError) return { is: 'refused', reason: 'invalid_challenge' }
  if (error instanceof StripeAuthenticationError || error instanceof StripePermissionError) return { is: 'unavailable' }
  if (error instanceof StripeInvalidRequestError) {
    return error.code === 'parameter_unknown' ? { is: 'unavailable' } : { is: 'refused', reason: REFUSED }
  }
  return { is: 'unknown' }
}

export const REFUSED = 'verification_failed'
export const ACTION_REQUIRED = 'payment_action_required'

/** For calls that take no money: says to the buyer when it is us who are not set up. */
export function redactError(error: unknown): unknown {
  return failureOf(error).is === 'unavailable' ? railUnavailable({ cause: error }) : error
}
