import { PUBLIC_URL } from '@eep/test/support/app'
import { botModule } from '@eep/test/support/bot-module'
import { client } from '@eep/test/support/client'
import { openInstances } from '@eep/test/support/instances'
import { newSigningKey, openDirectory } from '@eep/test/support/signers'
import { Client } from 'mppx/attestation'
import { Client as Tap } from 'mppx/attestation/tap'
import { Client as WebBotAuth } from 'mppx/attestation/web-bot-auth'
import { afterAll, describe, expect, it } from 'vitest'

// Request attestations as mppx makes them.

const key = await newSigningKey()
const directory = await openDirectory([key])
afterAll(directory.close)
const { instance } = await openInstances({
  http: { allowPrivateHosts: [directory.host] },
  webBotAuth: { tap: { jwksUrl: `${directory.origin}/tap.json` } },
  modules: [botModule()],
})
const app = await instance()
const privateKey = await crypto.subtle.importKey(
  'pkcs8',
  key.privateKey.export({ format: 'der', type: 'pkcs8' }),
  'Ed25519',
  false,
  ['sign'],
)
const PATH = '/shown-bots/settled'

async function send(request: Request) {
  const headers = { ...Object.fromEntries(request.headers), host: new URL(PUBLIC_URL).host }
  return (await client(app).get(new URL(request.url).pathname, headers)).json().bot
}
const newRequest = (path = PATH) => new Request(`${PUBLIC_URL}${path}`)

describe('an attestation of mppx', () => {
  const bot = WebBotAuth.signer({ key: privateKey, keyId: key.keyId, signatureAgent: directory.origin })
  const tap = (intent: 'browse' | 'payment') => Tap.signer({ key: privateKey, keyId: key.keyId, intent })

  it('proves the origin of an agent', async () => {
    expect(await send(await bot.sign(newRequest()))).toMatchObject({ state: 'verified', origin: directory.origin })
  })

  it('proves it beside an attestation of another protocol', async () => {
    const both = Client.composeSigners(bot, tap('browse'))
    expect(await send(await both.sign(newRequest()))).toMatchObject({ state: 'verified', origin: directory.origin })
  })

  it.each(['browse', 'payment'] as const)(
    'of the Trusted Agent Protocol proves its key for one request to %s',
    async (intent) => {
      const signed = await tap(intent).sign(newRequest())
      expect(await send(signed)).toEqual({ state: 'verified', identifier: `tap:${key.keyId}`, keyId: key.keyId })
      expect(await send(signed)).toEqual({ state: 'invalid', reason: 'replayed' })
    },
  )

  it('of the Trusted Agent Protocol is not used up by a HEAD request, which sends no bytes', async () => {
    const signed = await tap('browse').sign(newRequest())
    const headers = { ...Object.fromEntries(signed.headers), host: new URL(PUBLIC_URL).host }
    expect((await client(app).send('HEAD', PATH, undefined, headers)).statusCode).toBe(200)
    expect(await send(signed)).toMatchObject({ state: 'verified', identifier: `tap:${key.keyId}` })
    expect(await send(signed)).toEqual({ state: 'invalid', reason: 'replayed' })
  })

  it('of the Trusted Agent Protocol is for one path', async () => {
    const signed = await tap('browse').sign(newRequest('/shown-bots'))
    const elsewhere = new Request(`${PUBLIC_URL}${PATH}`, { headers: signed.headers })
    expect(await send(elsewhere)).toEqual({ state: 'invalid', reason: 'bad_signature' })
  })
})

it('ignores the Trusted Agent Protocol unless its keys are configured', async () => {
  const plain = await (await openInstances({ modules: [botModule()] })).instance()
  const signed = await Tap.signer({ key: privateKey, keyId: key.keyId, intent: 'browse' }).sign(newRequest())
  const response = await client(plain).get(PATH, Object.fromEntries(signed.headers))
  expect(response.json().bot).toEqual({ state: 'absent' })
})
