import type { Books } from './fake-books.ts'
import { TOKEN } from './fake-books.ts'
import type { FakeSession } from './fake-records.ts'
import { type Form, objectIn, parseForm, textIn, textsIn } from './form.ts'
import { invalidRequest, stripeFault } from './stripe-error.ts'

/** A received call. */
export interface ApiCall {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly body: string
  readonly version: string | undefined
}

/** A route of the API. The id is the first group of the expression. Undefined passes the call to the next route. */
export type ApiRoute = readonly [RegExp, (call: ApiCall, id: string) => unknown]

const INTENT_PARAMETERS = new Set([
  'amount',
  'currency',
  'confirm',
  'automatic_payment_methods',
  'metadata',
  'payment_method_data',
  'description',
  TOKEN,
])
const SESSION_PARAMETERS = new Set([
  'mode',
  'line_items',
  'allowed_payment_method_types',
  'expires_at',
  'metadata',
  'success_url',
  'cancel_url',
  'customer_email',
])

export function refuseUnknown(form: Form, known: ReadonlySet<string>): void {
  const unknown = Object.keys(form).find((name) => !known.has(name))
  if (unknown !== undefined) {
    throw invalidRequest(`Received unknown parameter: ${unknown}`, { code: 'parameter_unknown', param: unknown })
  }
}

/** The texts of `metadata`, whose values Stripe limits to 500 characters. */
function metadataIn(form: Form) {
  const metadata = textsIn(form, 'metadata')
  const long = Object.entries(metadata).find(([, value]) => value.length > 500)
  if (long) throw invalidRequest('Metadata values can be up to 500 characters', { param: `metadata[${long[0]}]` })
  return metadata
}

export function whole(text: string | undefined, param: string): number {
  if (text === undefined || !/^\d{1,12}$/.test(text)) {
    throw invalidRequest(`Invalid integer: ${text}`, { code: 'parameter_invalid_integer', param })
  }
  return Number(text)
}

/** The part of the Stripe API for payments by token and by checkout page. */
export function createApi(books: Books, pages: () => string, more: readonly ApiRoute[] = []) {
  function createIntent({ body, version = '' }: ApiCall) {
    const form = parseForm(body)
    const isPreview = version.endsWith('.preview')
    const token = textIn(form, TOKEN) ?? textIn(form.payment_method_data, TOKEN)
    if (token !== undefined && !isPreview) {
      throw invalidRequest(`Received unknown parameter: ${TOKEN}`, { code: 'parameter_unknown', param: TOKEN })
    }
    refuseUnknown(form, INTENT_PARAMETERS)
    return books.createIntent({
      amount: whole(textIn(form, 'amount'), 'amount'),
      currency: textIn(form, 'currency') ?? '',
      confirm: textIn(form, 'confirm') === 'true',
      metadata: metadataIn(form),
      token,
    })
  }

  function createSession({ body }: ApiCall) {
    const form = parseForm(body)
    refuseUnknown(form, SESSION_PARAMETERS)
    const price = objectIn(objectIn(objectIn(form, 'line_items'), '0'), 'price_data')
    return books.openSession(
      {
        mode: textIn(form, 'mode') ?? '',
        amount_total: whole(textIn(price, 'unit_amount'), 'line_items[0][price_data][unit_amount]'),
        currency: textIn(price, 'currency') ?? '',
        expires_at: whole(textIn(form, 'expires_at'), 'expires_at'),
        metadata: metadataIn(form),
        success_url: textIn(form, 'success_url') ?? '',
        cancel_url: textIn(form, 'cancel_url') ?? null,
      },
      pages(),
    )
  }

  function showSession(id: string, { query }: ApiCall) {
    const session = books.getSession(id)
    const isExpanded = [...new URLSearchParams(query)].some(([, value]) => value === 'payment_intent')
    return isExpanded ? withIntent(session) : session
  }

  const withIntent = (session: FakeSession) =>
    session.payment_intent === null ? session : { ...session, payment_intent: books.getIntent(session.payment_intent) }

  const isSince = (asked: URLSearchParams) => {
    const since = Number(asked.get('created[gte]') ?? 0)
    return ({ created }: { readonly created: number }) => created >= since
  }

  function listSessions({ query }: ApiCall) {
    const asked = new URLSearchParams(query)
    const intent = asked.get('payment_intent')
    const found = [...books.sessions.values()].filter((session) => intent === null || session.payment_intent === intent)
    const isExpanded = [...asked].some(([, value]) => value === 'data.payment_intent')
    const data = found.filter(isSince(asked)).map((session) => (isExpanded ? withIntent(session) : session))
    return { object: 'list', data, has_more: false, url: '/v1/checkout/sessions' }
  }

  function grant({ body }: ApiCall) {
    const form = parseForm(body)
    const limits = objectIn(form, 'usage_limits')
    const seller = objectIn(form, 'seller_details')
    const token = books.grant({
      paymentMethod: textIn(form, 'payment_method'),
      currency: textIn(limits, 'currency'),
      maxAmount: whole(textIn(limits, 'max_amount'), 'usage_limits[max_amount]'),
      expiresAt: whole(textIn(limits, 'expires_at'), 'usage_limits[expires_at]'),
      seller: textIn(seller, 'network_id') ?? textIn(seller, 'network_business_profile'),
    })
    return showToken(token.id)
  }

  function showToken(id: string) {
    const { currency, maxAmount, expiresAt, captured, revoked } = books.getToken(id)
    const reason = revoked ? 'revoked' : captured >= maxAmount ? 'consumed' : null
    return {
      id,
      object: 'shared_payment.granted_token',
      usage_limits: { currency, max_amount: maxAmount, expires_at: expiresAt },
      usage_details: { amount_captured: { currency, value: captured } },
      deactivated_reason: reason,
    }
  }

  function search({ query }: ApiCall) {
    const [, name = '', value = ''] =
      /^metadata\['([^']+)'\]:'([^']*)'$/.exec(new URLSearchParams(query).get('query') ?? '') ?? []
    const data = [...books.intents.values()].filter(({ metadata }) => metadata[name] === value)
    return { object: 'search_result', data, has_more: false, next_page: null, url: '/v1/payment_intents/search' }
  }

  function listRefunds({ query }: ApiCall) {
    const intent = new URLSearchParams(query).get('payment_intent')
    const data = books.refunds.filter((refund) => intent === null || refund.payment_intent === intent)
    return { object: 'list', data: data.toReversed(), has_more: false, url: '/v1/refunds' }
  }

  function listDisputes({ query }: ApiCall) {
    const intent = new URLSearchParams(query).get('payment_intent')
    const data = [...books.disputes.values()].filter((dispute) => dispute.payment_intent === intent)
    return { object: 'list', data, has_more: false, url: '/v1/disputes' }
  }

  function list({ query }: ApiCall) {
    const asked = new URLSearchParams(query)
    const limit = Number(asked.get('limit') ?? 10)
    const newest = [...books.intents.values()].filter(isSince(asked)).toReversed()
    const last = newest.findIndex(({ id }) => id === asked.get('starting_after'))
    const data = newest.slice(last + 1, last + 1 + limit)
    return { object: 'list', data, has_more: newest.length > last + 1 + limit, url: '/v1/payment_intents' }
  }

  const routes: readonly ApiRoute[] = [
    ...more,
    [/^POST \/v1\/payment_intents$/, createIntent],
    [/^GET \/v1\/payment_intents$/, list],
    [/^GET \/v1\/payment_intents\/search$/, search],
    [/^GET \/v1\/payment_intents\/(\w+)$/, (_call, id) => books.getIntent(id)],
    [/^POST \/v1\/payment_intents\/(\w+)\/cancel$/, (_call, id) => books.cancelIntent(id)],
    [/^POST \/v1\/test_helpers\/shared_payment\/granted_tokens$/, grant],
    [/^GET \/v1\/shared_payment\/granted_tokens\/(\w+)$/, (_call, id) => showToken(id)],
    [/^POST \/v1\/refunds$/, ({ body }) => books.refundIntent(textIn(parseForm(body), 'payment_intent') ?? '')],
    [/^GET \/v1\/refunds$/, listRefunds],
    [/^GET \/v1\/disputes$/, listDisputes],
    [/^POST \/v1\/checkout\/sessions$/, createSession],
    [/^GET \/v1\/checkout\/sessions$/, listSessions],
    [/^GET \/v1\/checkout\/sessions\/(\w+)$/, (call, id) => showSession(id, call)],
    [/^POST \/v1\/checkout\/sessions\/(\w+)\/expire$/, (_call, id) => books.expireSession(id)],
  ]

  /** Carries out a call. Throws the error of Stripe for a refused one. */
  return (call: ApiCall): unknown => {
    for (const [route, handle] of routes) {
      const [found, id = ''] = route.exec(`${call.method} ${call.path}`) ?? []
      const answer = found === undefined ? undefined : handle(call, id)
      if (answer !== undefined) return structuredClone(answer)
    }
    throw stripeFault(404, {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${call.method}: ${call.path})`,
    })
  }
}
