import { randomBytes } from 'node:crypto'
import type {
  FakeDispute,
  FakeIntent,
  FakeRefund,
  FakeSession,
  GrantedToken,
  IntentRequest,
  SessionRequest,
  TokenRequest,
} from './fake-records.ts'
import { declined, invalidRequest, missing } from './stripe-error.ts'

export const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`

/** The state of the fake Stripe: tokens, payments and checkout sessions. */
export function createBooks(now: () => Date) {
  const tokens = new Map<string, GrantedToken>()
  const intents = new Map<string, FakeIntent>()
  const sessions = new Map<string, FakeSession>()
  const refunds: FakeRefund[] = []
  const disputes = new Map<string, FakeDispute>()
  let refundsToFail = 0
  const seconds = () => Math.floor(now().getTime() / 1000)

  const get = <Thing>(kind: string, things: Map<string, Thing>, id: string): Thing => {
    const thing = things.get(id)
    if (!thing) throw missing(kind, id)
    return thing
  }

  function insertIntent({ amount, currency, metadata }: IntentRequest, status: string): FakeIntent {
    const intent: FakeIntent = {
      id: newId('pi'),
      object: 'payment_intent',
      amount,
      amount_received: status === 'succeeded' ? amount : 0,
      currency,
      status,
      created: seconds(),
      livemode: false,
      metadata,
    }
    intents.set(intent.id, intent)
    return intent
  }

  /** Checks a token for a payment as Stripe does: errors are not stored for an idempotency key. */
  function usable(id: string, { amount, currency }: IntentRequest): GrantedToken {
    const token = tokens.get(id)
    const because = (code: string, message: string) => invalidRequest(message, { code, param: TOKEN })
    if (!token) throw because('resource_missing', `No such shared payment granted token: '${id}'`)
    if (token.revoked) throw because('shared_payment_token_revoked', 'The token was revoked')
    if (token.expiresAt <= seconds()) throw because('shared_payment_token_expired', 'The token has expired')
    if (token.currency !== currency) throw because('shared_payment_token_currency', 'The token is of another currency')
    if (token.captured + amount > token.maxAmount) {
      throw because('shared_payment_token_limit', 'The token does not allow this amount')
    }
    return token
  }

  return {
    tokens,
    intents,
    sessions,
    refunds,
    disputes,
    insertIntent,
    getIntent: (id: string) => get('payment_intent', intents, id),
    getSession: (id: string) => get('checkout.session', sessions, id),
    getToken: (id: string) => get('shared payment granted token', tokens, id),

    grant({ paymentMethod = 'pm_card_visa', currency = 'usd', maxAmount, expiresAt, seller }: TokenRequest = {}) {
      const token: GrantedToken = {
        id: newId('spt'),
        paymentMethod,
        currency,
        maxAmount: maxAmount ?? 99_999_999,
        expiresAt: expiresAt ?? seconds() + 3_600,
        seller,
        captured: 0,
        revoked: false,
      }
      tokens.set(token.id, token)
      return token
    },

    createIntent(request: IntentRequest): FakeIntent {
      if (request.token === undefined) return insertIntent(request, 'requires_payment_method')
      const token = usable(request.token, request)
      if (token.paymentMethod === 'pm_card_chargeDeclined') {
        throw declined('card_declined', insertIntent(request, 'requires_payment_method'), 'generic_decline')
      }
      if (token.paymentMethod === 'pm_card_chargeDeclinedInsufficientFunds') {
        throw declined('card_declined', insertIntent(request, 'requires_payment_method'), 'insufficient_funds')
      }
      if (token.paymentMethod === 'pm_card_authenticationRequired') return insertIntent(request, 'requires_action')
      if (token.paymentMethod === 'pm_card_processing') return insertIntent(request, 'processing')
      token.captured += request.amount
      return insertIntent(request, 'succeeded')
    },

    cancelIntent(id: string): FakeIntent {
      const intent = get('payment_intent', intents, id)
      if (intent.status === 'succeeded' || intent.status === 'canceled') {
        throw invalidRequest('This PaymentIntent cannot be canceled', { code: 'payment_intent_unexpected_state' })
      }
      intent.status = 'canceled'
      return intent
    },

    /** Makes the next refunds fail after their creation. */
    failRefunds(count: number) {
      refundsToFail = count
    },

    refundIntent(id: string, part?: number): FakeRefund {
      const { amount: taken, currency, status: paid } = get('payment_intent', intents, id)
      if (paid !== 'succeeded') throw invalidRequest('This PaymentIntent has no charge that succeeded')
      if ([...disputes.values()].some((one) => one.payment_intent === id && one.is_charge_refundable === false)) {
        throw invalidRequest('This charge has been charged back', { code: 'charge_disputed' })
      }
      const made = refunds.filter((one) => one.payment_intent === id && one.status === 'succeeded')
      const before = made.reduce((sum, { amount }) => sum + amount, 0)
      const amount = part ?? taken - before
      if (amount === 0 || before + amount > taken) {
        throw invalidRequest('It has already been refunded', { code: 'charge_already_refunded' })
      }
      const status = refundsToFail > 0 ? 'failed' : 'succeeded'
      refundsToFail = Math.max(0, refundsToFail - 1)
      const refund: FakeRefund = { id: newId('re'), object: 'refund', amount, currency, payment_intent: id, status }
      refunds.push(refund)
      return refund
    },

    /** Makes a refund fail after it had succeeded. */
    returnRefund(id: string): FakeRefund {
      const found = refunds.find((one) => one.id === id)
      if (!found) throw invalidRequest(`No such refund: ${id}`)
      return Object.assign(found, { status: 'failed' })
    },

    openSession(session: SessionRequest, pages: string) {
      const id = newId('cs_test')
      const made: FakeSession = {
        ...session,
        id,
        object: 'checkout.session',
        url: `${pages}/c/pay/${id}`,
        created: seconds(),
        status: 'open',
        payment_status: 'unpaid',
        payment_intent: null,
        customer_details: null,
        client_reference_id: session.client_reference_id ?? null,
        customer: session.customer ?? null,
        subscription: null,
      }
      sessions.set(id, made)
      return made
    },

    /** Acts as the customer, who enters an email address. */
    completeSession(id: string, email?: string): FakeSession {
      const session = get('checkout.session', sessions, id)
      if (session.status !== 'open') throw invalidRequest('This Checkout Session is not open')
      const intent = insertIntent(
        { amount: session.amount_total, currency: session.currency, confirm: true, metadata: {} },
        'succeeded',
      )
      return Object.assign(session, {
        status: 'complete',
        payment_status: 'paid',
        payment_intent: intent.id,
        customer_details: email === undefined ? null : { email },
      })
    },

    expireSession(id: string): FakeSession {
      const session = get('checkout.session', sessions, id)
      if (session.status !== 'open') throw invalidRequest('This Checkout Session is not open')
      return Object.assign(session, { status: 'expired' as const })
    },
  }
}

export const TOKEN = 'shared_payment_granted_token'
export type Books = ReturnType<typeof createBooks>
