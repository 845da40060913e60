import { mkdir, readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { payChallenge, startFakeStripe } from '@eep/payments-card/testing'
import { encodeHeader, signPayment, walletOf } from '@eep/payments-x402/testing'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHost, until } from '../support/host.ts'
import { migratedDataDirectory } from '../support/migrated-pglite.ts'
import { newUser } from '../support/oauth.ts'
import { startIssuer } from '../support/providers.ts'
import { createReceiver } from '../support/receivers.ts'

// Every secret of the flow is collected here when it is made. Each is long enough that no line contains it by chance.
const secrets = new Map<string, string>()
const secret = (name: string, value: string | null | undefined): string => {
  if (value === undefined || value === null || value.length < 12) throw new Error(`${name} is not a secret: ${value}`)
  secrets.set(name, value)
  return value
}
const invented = (name: string) => secret(name, `the-${name}-that-nobody-logs`)

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

type Host = Awaited<ReturnType<typeof startHost>>
let host: Host
let directory: string
let stripe: Awaited<ReturnType<typeof startFakeStripe>>
let issuer: Awaited<ReturnType<typeof startIssuer>>
let receiver: Awaited<ReturnType<typeof createReceiver>>
/** A server that refuses everything, and repeats what it got, as some processors do. */
let echo: string

beforeAll(async () => {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: `refused: ${request.url} ${body}`, errorMessage: body }))
    })
  }).listen(0, '127.0.0.1')
  closing.push(() => server.close())
  ;[stripe, issuer, receiver, directory] = await Promise.all([
    startFakeStripe(),
    startIssuer(),
    createReceiver(),
    migratedDataDirectory(),
  ])
  closing.push(stripe.stop, issuer.stop, receiver.close)
  echo = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  secret('key of Stripe', stripe.secretKey)
  secret('secret of the webhooks of Stripe', stripe.webhookSecret)
  host = await startHost({
    EEP_DATA_DIR: directory,
    LOG_LEVEL: 'trace',
    EEP_SECRET: invented('secret-of-the-service'),
    METRICS_TOKEN: invented('token-of-the-metrics'),
    EEP_RATE_LIMIT_MULTIPLIER: '1000',
    EEP_DEV_CALLBACK_HOSTS: receiver.host,
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    STRIPE_PROFILE_ID: stripe.profileId,
    STRIPE_API_BASE: stripe.url,
    X402_FACILITATOR_URL: echo,
    X402_RPC_URL: `${echo}/${invented('key-of-the-rpc')}`,
    X402_PAY_TO: `0x${'12'.repeat(20)}`,
    OAUTH_OIDC_ISSUER: issuer.url,
    OAUTH_OIDC_CLIENT_ID: 'the-client',
    OAUTH_OIDC_CLIENT_SECRET: invented('secret-of-the-client'),
    OAUTH_GITHUB_CLIENT_ID: 'the-client',
    OAUTH_GITHUB_CLIENT_SECRET: invented('secret-at-github'),
    EMBEDDINGS_URL: echo,
    EMBEDDINGS_API_KEY: invented('key-of-the-embeddings'),
    EMBEDDINGS_DIMENSIONS: '3',
    TRANSCRIBER_URL: echo,
    TRANSCRIBER_API_KEY: invented('key-of-the-transcriber'),
  })
  closing.push(host.stop)
}, 200_000)

type Headers = Readonly<Record<string, string>>

async function send(method: string, path: string, body?: object, headers: Headers = {}) {
  const response = await fetch(new URL(path, host.url), {
    method,
    redirect: 'manual',
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) }
}

async function ok(method: string, path: string, body?: object, headers?: Headers) {
  const response = await send(method, path, body, headers)
  expect(response.status, `${method} ${path}: ${response.text}`).toBeLessThan(400)
  return response
}

/** Sends a request whatever the answer: the log may not have its secrets either way. */
const tryOut = send

/** Waits for an email with this subject, and returns its link with a token. */
async function linkIn(to: string, subject: RegExp): Promise<URL> {
  const mails = join(directory, 'mail')
  await mkdir(mails, { recursive: true })
  return until(
    async () => {
      for (const name of (await readdir(mails)).filter((each) => each.endsWith('.eml'))) {
        const mail = await PostalMime.parse(await readFile(join(mails, name)))
        const isIt = mail.to?.some(({ address }) => address === to) && subject.test(mail.subject ?? '')
        const link = isIt ? /http:\/\/\S+token=\S+/.exec(mail.text ?? '')?.[0] : undefined
        if (link !== undefined) return new URL(link)
      }
      return undefined
    },
    () => `an email to ${to} about ${subject}`,
  )
}

const tokenOf = (name: string, link: URL) => secret(name, link.searchParams.get('token'))

async function register(username: string) {
  const email = `${username}@example.com`
  const password = secret(`password of ${username}`, `Not 1 line has this of ${username}`)
  const { headers, json } = await ok('POST', '/auth/register', { username, email, password })
  const token = secret(`token of ${username}`, json().token)
  secret(`cookie of ${username}`, /eep_session=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1])
  return { email, password, token, user: json().user, as: { authorization: `Bearer ${token}` } }
}

async function proveAddress({ email, as }: { readonly email: string; readonly as: Headers }) {
  const link = await linkIn(email, /^Confirm your email address/)
  await ok('GET', link.pathname + link.search)
  await ok('POST', '/auth/verify', { token: tokenOf(`verification of ${email}`, link) }, as)
}

/** Each line of the log, and what is outside of them. */
async function requireNoSecrets() {
  const last = `/health/live?after=${secrets.size}-secrets`
  await ok('GET', last)
  await expect.poll(() => host.said.stderr, { timeout: 60_000 }).toContain(last)
  const output = host.said.stdout + host.said.stderr
  for (const [name, value] of secrets) {
    for (const text of new Set([value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)])) {
      const line = output.split('\n').find((each) => each.includes(text))
      expect(line, `the log has the ${name}`).toBeUndefined()
    }
  }
  return output
}

it('logs no password, token, cookie or code of accounts', async () => {
  const ada = await register('ada')
  await proveAddress(ada)
  const wrong = invented('wrong-password')
  await tryOut('POST', '/auth/login', { email: ada.email, password: wrong })
  await tryOut('POST', `/auth/login?password=${wrong}`, { email: wrong, password: wrong, more: wrong })
  await fetch(`${host.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"password":"${wrong}"`,
  })
  const form = new URLSearchParams({ email: ada.email, password: wrong })
  await fetch(`${host.url}/login`, { method: 'POST', body: form, headers: { origin: host.url }, redirect: 'manual' })
  const next = secret('new password', 'Another 1 that no line has')
  const change = { current_password: ada.password, new_password: next }
  await ok('PUT', '/auth/change-password', change, ada.as)

  await ok('POST', '/auth/forgot-password', { email: ada.email })
  const link = await linkIn(ada.email, /^A new password/)
  const token = tokenOf('reset token', link)
  await ok('GET', link.pathname + link.search)
  await ok('POST', '/auth/reset-password', { token, password: secret('reset password', 'The 3rd that no line has') })
  expect((await tryOut('POST', '/auth/reset-password', { token, password: next })).status).toBe(400)
  for (const path of ['/reset-password', '/verify', '/nowhere', '/u/%c0']) await tryOut('GET', `${path}?token=${token}`)

  for (const authorization of [`Bearer ${token}`, `bearer  ${token}`, `Basic ${token}`, token]) {
    await tryOut('GET', '/auth/me', undefined, {
      authorization,
      cookie: `eep_session=${token}; eep_payer_sig=${token}`,
    })
  }
  await requireNoSecrets()
})

it('logs no API key, wherever it is sent', async () => {
  const owner = await register('grace')
  const { key } = (await ok('POST', '/api-keys', { name: 'mine' }, owner.as)).json()
  secret('API key', key)
  for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }]) {
    await ok('GET', '/auth/me', undefined, headers)
  }
  for (const path of ['/eep/events', '/auth/me', '/nowhere', '/u/grace', '/eep/subscriptions', '/u/%c0']) {
    await tryOut('GET', `${path}?api_key=${key}`)
    await tryOut('GET', `${path}?x=1&API_KEY=${key}`)
  }
  const stream = new AbortController()
  const opened = await fetch(`${host.url}/eep/stream?api_key=${key}`, { signal: stream.signal })
  expect(opened.status).toBe(200)
  stream.abort()
  await requireNoSecrets()
})

it('logs no secret of a sign-in with a provider, which fails or succeeds', async () => {
  const code = invented('code')
  async function signIn() {
    const start = await ok('GET', '/auth/oauth/oidc')
    const authorize = new URL(start.headers.get('location') ?? '')
    const state = secret('state', authorize.searchParams.get('state'))
    secret('nonce', authorize.searchParams.get('nonce'))
    const cookie = `oauth_state=${state}`
    const { headers } = await fetch(authorize, { redirect: 'manual' })
    return { callback: new URL(headers.get('location') ?? ''), cookie, state }
  }
  issuer.user(newUser())
  const good = await signIn()
  secret('good code', good.callback.searchParams.get('code'))
  await ok('GET', good.callback.pathname + good.callback.search, undefined, { cookie: good.cookie })
  for (const body of [{ error: 'invalid_grant', error_description: `no ${code}` }, `not json ${code}`]) {
    const bad = await signIn()
    issuer.service.once('beforeResponse', (answer: { body: unknown; statusCode: number }) => {
      answer.body = body
      answer.statusCode = 400
    })
    const query = `code=${code}&state=${bad.state}`
    await ok('GET', `/auth/oauth/oidc/callback?${query}`, undefined, { cookie: bad.cookie })
  }
  await tryOut('GET', `/auth/oauth/oidc/callback?error=access_denied&code=${code}&state=${code}`)
  const output = await requireNoSecrets()
  expect(output).toContain('a sign-in failed')
})

it('logs no secret of payments by card or stablecoin, and of subscriptions', async () => {
  const seller = await register('seller')
  const profile_id = seller.user.active_profile_id
  const category = await ok('POST', '/manage/categories', { profile_id, name: 'Notes' }, seller.as)
  const page = { profile_id, category_id: category.json().id, title: 'Engines', body: 'Paid.', status: 'published' }
  await ok('POST', '/manage/pages', page, seller.as)
  const did = `did:web:${encodeURIComponent(new URL(host.url).host)}:u:seller`.replaceAll('%', '%25')
  const requirements = [{ type: 'payment', amount: 2, currency: 'usd', per: 'request' }]
  const tiers = {
    public: { requirements: [], access: ['profile.*'] },
    reader: { label: 'Reader', requirements, access: ['content.notes.*'] },
  }
  await ok('PUT', `/eep/gates/${did}`, { default_tier: 'public', tiers }, seller.as)
  const paid = '/u/seller/content/notes/engines'

  const pay = async () => {
    const refusal = await tryOut('GET', paid)
    expect(refusal.status).toBe(402)
    const headers = payChallenge(stripe, refusal.headers.get('www-authenticate')?.split(/, (?=Payment )/))
    for (const [name, value] of Object.entries(headers)) secret(`${name} ${secrets.size}`, value.replace(/^\w+ /, ''))
    return { refusal, headers }
  }
  const first = await pay()
  await ok('GET', paid, undefined, first.headers)
  for (const fault of ['refused', 'down', 'lost'] as const) {
    stripe.failNext(/payment_intents/, fault as Parameters<typeof stripe.failNext>[1])
    await tryOut('GET', paid, undefined, (await pay()).headers)
  }

  const required = first.refusal.headers.get('payment-required') ?? ''
  const [accept] = JSON.parse(Buffer.from(required, 'base64').toString()).accepts
  const privateKey = `0x${'ab'.repeat(32)}` as const
  const signed = await signPayment(accept, walletOf(privateKey))
  secret('signature of a payment', signed.payload.signature)
  const header = secret('PAYMENT-SIGNATURE', encodeHeader(signed))
  await tryOut('GET', paid, undefined, { 'payment-signature': header })
  const junk = invented('junk')
  for (const name of [
    'payment-signature',
    'x-payment',
    'payment-authorization',
    'sign-in-with-x',
    'eep-signature',
    'x-eep-proofs',
  ]) {
    await tryOut('GET', paid, undefined, { [name]: junk, 'eep-agent-did': 'did:web:a.example', 'eep-nonce': junk })
  }
  await tryOut('GET', paid, undefined, { authorization: `Payment ${junk}` })

  await ok('POST', '/checkout/start-trial?tier=pro&currency=usd', undefined, seller.as)
  const checkout = stripe.billing.pages().at(-1) ?? ''
  await tryOut('GET', `/account/subscription?checkout_id=${secret('checkout', checkout)}`, undefined, seller.as)
  await tryOut('GET', `/eep/payment/stripe/checkout-human/${checkout}`)
  for (const event of stripe.billing.buy(checkout)) {
    const { body, headers } = stripe.message(event)
    secret(`signature of Stripe ${secrets.size}`, /v1=([0-9a-f]+)/.exec(String(headers['stripe-signature']))?.[1])
    const sent = await fetch(`${host.url}/stripe/subscription/webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(headers as Headers) },
      body,
    })
    expect(sent.status).toBe(200)
    await fetch(`${host.url}/stripe/subscription/webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': `t=1,v1=${junk}` },
      body,
    })
  }
  await tryOut('GET', '/health/ready')
  const output = await requireNoSecrets()
  expect(output).toContain('request could not be served')
  expect(output).toContain('"part":"x402"')
})

it('logs no secret of webhooks and invitations', async () => {
  const owner = await register('landlord-1')
  const guest = await register('visitor-1')
  await proveAddress(owner)
  const did = `did:web:${encodeURIComponent(new URL(host.url).host)}:u:landlord-1`
  const subscribe = (delivery_url: string) =>
    tryOut(
      'POST',
      '/eep/subscribe',
      { source_did: did, event_types: ['entity.updated'], delivery_method: 'webhook', delivery_url },
      owner.as,
    )
  const capability = invented('capability-in-the-address-of-a-webhook')
  const made = await subscribe(`${receiver.url}?token=${capability}`)
  expect(made.status, made.text).toBe(201)
  secret('secret of a webhook', made.json().delivery_secret)
  receiver.answerWith((_received, response) => response.writeHead(500).end())
  await ok('PUT', '/manage/profile', { full_name: 'Another name' }, owner.as)
  await until(
    () => receiver.received.at(0),
    () => 'a delivery',
  )
  secret('signature of a delivery', String(receiver.received[0]?.headers['webhook-signature']).replace('v1,', ''))
  await subscribe(`https://user:${capability}@127.0.0.1:1/hook?token=${capability}`)

  const invitation = { email: guest.email, role: 'editor' }
  await ok('POST', `/profiles/${owner.user.active_profile_id}/team/invites`, invitation, owner.as)
  const link = await linkIn(guest.email, /^Join the team of/)
  const token = tokenOf('invitation', link)
  await tryOut('GET', link.pathname + link.search)
  await tryOut('POST', `/team/invites/${token}/acceptt`, undefined, guest.as)
  await tryOut('POST', `/team/invites/${token}/accept`, undefined, guest.as)
  await requireNoSecrets()
})

it('logs every level in JSON, with the id of the request that the client has', async () => {
  const id = 'an-id-of-the-client'
  await ok('GET', '/discover', undefined, { 'x-request-id': id })
  await expect.poll(() => host.said.stderr, { timeout: 60_000 }).toContain(`"reqId":"${id}"`)
  const lines = host.said.stderr.split('\n').filter((line) => line.startsWith('{'))
  const levels = new Set(lines.slice(0, -1).map((line) => JSON.parse(line).level as number))
  expect([...levels]).toEqual(expect.arrayContaining([30, 40]))
})
