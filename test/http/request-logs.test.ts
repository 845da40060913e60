import { Writable } from 'node:stream'
import { eep, loggedUrl, serverOptions } from '@eep/core'
import { everything } from '@eep/core/everything'
import { githubProvider } from '@eep/core/oauth'
import { type FakeStripe, startFakeStripe } from '@eep/payments-card/testing'
import Fastify, { type FastifyInstance, type FastifyRequest, type FastifyServerOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { openStorage, PUBLIC_URL, SECRET } from '../support/app.ts'
import { cardRailOn } from '../support/cards.ts'
import { client } from '../support/client.ts'
import { addressOf, openSocket } from '../support/sockets.ts'
import { openStream } from '../support/streams.ts'

let database: Awaited<ReturnType<typeof openStorage>>
let stripe: FakeStripe
beforeAll(async () => {
  ;[database, stripe] = await Promise.all([openStorage(), startFakeStripe()])
})
afterAll(() => Promise.all([database.close(), stripe.stop()]))

const CREDENTIAL = 'a-credential-that-is-not-logged-00000'

/** Everything a host logs about requests whose URLs hold credentials. */
async function logOf(
  requests: readonly (readonly ['GET' | 'POST' | 'HEAD', string])[],
  options: FastifyServerOptions,
  serializers?: Record<string, (value: FastifyRequest) => unknown>,
  /** Does more with the server, and returns further credentials that the log may not have. */
  work: (app: FastifyInstance) => Promise<readonly string[]> = async () => [],
) {
  let log = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      log += chunk
      done()
    },
  })
  const app = Fastify({ ...options, logger: { level: 'trace', stream, ...(serializers ? { serializers } : {}) } })
  await app.register(eep, {
    publicUrl: PUBLIC_URL,
    secret: SECRET,
    storage: database.storage,
    limits: { rateLimit: { multiplier: 1_000 } },
    payments: { rails: [cardRailOn(stripe)] },
    modules: everything({ oauth: { providers: [githubProvider({ clientId: 'id', clientSecret: 'secret' })] } }),
  })
  await app.ready()
  for (const [method, url] of requests) await client(app).send(method, url)
  const secrets = await work(app)
  await app.close()
  for (const secret of secrets) expect(log).not.toContain(secret)
  expect(log).not.toContain(CREDENTIAL)
  return log
}

const DECLARED = [
  ['POST', `/team/invites/${CREDENTIAL}/accept`],
  ['POST', `/team/invites/${CREDENTIAL}/reject`],
  ['GET', `/eep/payment/stripe/checkout-human/${CREDENTIAL}`],
  ['HEAD', `/eep/payment/stripe/checkout-human/${CREDENTIAL}`],
  ['GET', `/account/subscription?checkout_id=${CREDENTIAL}`],
  ['GET', `/export/1/${CREDENTIAL}?expires=1&signature=${CREDENTIAL}`],
  ['GET', `/auth/oauth/github/callback?code=${CREDENTIAL}&state=${CREDENTIAL}`],
  ['GET', `/eep/stream?api_key=${CREDENTIAL}`],
  ['GET', `/stream/signals/following?types=content.*&api_key=${CREDENTIAL}`],
  // Neither takes a key there, but clients send one.
  ['GET', `/eep/events?api_key=${CREDENTIAL}`],
  ['GET', `/eep/pulse?api_key=${CREDENTIAL}&token=${CREDENTIAL}`],
] as const

describe('request logs', () => {
  it('redacts the credentials of declared routes, with any host', async () => {
    for (const options of [{}, serverOptions]) {
      const log = await logOf(DECLARED, options)
      expect(log).toContain('/team/invites/[Redacted]/accept')
      expect(log).toContain('/eep/payment/stripe/checkout-human/[Redacted]')
      expect(log).toContain('/account/subscription?checkout_id=[Redacted]')
      expect(log).toContain('/eep/stream?api_key=[Redacted]')
      expect(log).toContain('/stream/signals/following?types=content.*&api_key=[Redacted]')
      expect(log).not.toContain(CREDENTIAL)
    }
  })

  it('redacts the credentials of streams and sockets that are open, rejected or closed', async () => {
    const log = await logOf([], {}, undefined, async (app) => {
      const { token, headers } = await signUp(app)
      const { key } = await newKey(app, headers)
      const base = `http://${await addressOf(app)}`
      const stream = await openStream(base, `/eep/stream?api_key=${key}`)
      expect(stream.status).toBe(200)
      const socket = await openSocket(app, '/eep/pulse', { protocols: ['eep', `bearer.${token}`] })
      socket.send('system', 'auth_refresh', { token: CREDENTIAL })
      await socket.next('error')
      await socket.close()
      const refused = openSocket(app, `/eep/pulse?api_key=${CREDENTIAL}`, { protocols: [`bearer.${CREDENTIAL}`] })
      await expect(refused).rejects.toThrow('401')
      stream.close()
      return [token, key]
    })
    expect(log).toContain('/eep/stream?api_key=[Redacted]')
    expect(log).toContain('/eep/pulse')
  })

  it('keep the fields of the request serializer of the host', async () => {
    const log = await logOf(
      DECLARED,
      {},
      {
        req: ({ method, url, raw }: FastifyRequest) => ({
          own: `${method} ${url} ${raw.url}`,
          agent: raw.headers['user-agent'],
        }),
      },
    )
    expect(log).toContain(`POST /team/invites/[Redacted]/accept /team/invites/[Redacted]/accept`)
    expect(log).toContain('"agent":"lightMyRequest"')
    expect(log).not.toContain(CREDENTIAL)
  })

  it('redacts the credentials of misspelt paths when the host logs `loggedUrl`', async () => {
    const misspelt = [
      ['GET', `/team/invites/${CREDENTIAL}/acceptt`],
      ['GET', `/team/invites/${CREDENTIAL}`],
      ['GET', `/team/invites/${CREDENTIAL}/%c0`],
      ['GET', `/verify?token=${CREDENTIAL}`],
    ] as const
    const log = await logOf([...DECLARED, ...misspelt], serverOptions, {
      req: (request: FastifyRequest) => ({ method: request.method, url: loggedUrl(request) }),
    })
    expect(log).toContain('/team/invites/[Redacted]/acceptt')
    expect(log).not.toContain(CREDENTIAL)
  })
})
