import { Writable } from 'node:stream'
import { eep, loggedUrl, serverOptions } from '@eep/core'
import { everything } from '@eep/core/everything'
import Fastify, { type FastifyRequest } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { openStorage, PUBLIC_URL, SECRET } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { answerOf, authorizePath, redeem, registerApp, sendConsent } from '../../support/consent.ts'
import { browserOf } from '../../support/console.ts'
import { bearer, sendForm } from '../../support/oauth-server.ts'
import { leadsTo } from '../../support/pages.ts'

let database: Awaited<ReturnType<typeof openStorage>>
beforeAll(async () => {
  database = await openStorage()
})
afterAll(() => database.close())

const redirect_uri = 'https://loom.example/back'

/** The serializer that the operations guide shows. */
const serializers = { req: (request: FastifyRequest) => ({ method: request.method, url: loggedUrl(request) }) }

it.each([
  ['the serializer of Fastify, where it belongs', {}, false],
  ['the serializer of the guide, also in the query of any route', { serializers }, true],
])('no code and no token of an app is in a log with %s', async (_which, logging, inQuery) => {
  let log = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      log += chunk
      done()
    },
  })
  const app = Fastify({ ...serverOptions, logger: { level: 'trace', stream, ...logging } })
  await app.register(eep, {
    publicUrl: PUBLIC_URL,
    secret: SECRET,
    storage: database.storage,
    limits: { rateLimit: { multiplier: 1_000 } },
    modules: everything(),
  })
  await app.ready()

  const person = await signUp(app)
  const browser = await browserOf(app, person)
  const client_id = await registerApp(app, 'Loom', [redirect_uri])
  const allowed = await sendConsent(browser, app, await browser.open(authorizePath({ client_id, redirect_uri })))
  const code = answerOf(allowed).code ?? ''
  const first = (await redeem(app, code, { client_id, redirect_uri })).json()
  const renewed = (
    await sendForm(app, '/oauth/token', { grant_type: 'refresh_token', refresh_token: first.refresh_token, client_id })
  ).json()
  const device = (await sendForm(app, '/oauth/device_authorization', { client_id })).json()
  await sendForm(app, '/oauth/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: device.device_code,
    client_id,
  })
  expect((await browser.open(`/device?user_code=${device.user_code}`)).statusCode).toBe(200)
  const signedOut = await client(app).get(`/device?user_code=${device.user_code}`, { accept: 'text/html' })
  expect(leadsTo(signedOut)[0]).toBe(303)
  await browser.open(String(signedOut.headers.location))
  await browser.submit('/device', { user_code: device.user_code })

  const secrets = [code, first.access_token, first.refresh_token, renewed.access_token, renewed.refresh_token]
  secrets.push(device.device_code, device.user_code)
  for (const secret of secrets) {
    expect(secret).toEqual(expect.any(String))
    for (const path of ['/auth/me', '/mcp', '/oauth/revoke']) {
      await client(app).send('POST', path, { token: secret }, bearer(secret))
      await client(app).get(path, bearer(secret))
      for (const name of inQuery
        ? ['access_token', 'refresh_token', 'token', 'code', 'device_code', 'user_code', 'code_verifier']
        : []) {
        await client(app).get(`${path}?${name}=${secret}`)
      }
    }
  }
  await sendForm(app, '/oauth/revoke', { token: renewed.refresh_token, client_id })
  await app.close()
  expect(log).toContain('/oauth/token')
  expect(log).toContain('user_code=[Redacted]')
  for (const secret of secrets) expect(log).not.toContain(secret)
})
