import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, signUp } from '../../support/accounts.ts'
import { createTestApp, PUBLIC_URL } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import {
  BASIC_SCOPES,
  bearer,
  grantOf,
  oauthErrorOf,
  registerApp,
  sendForm,
  type Tokens,
} from '../../support/oauth-server.ts'

interface DeviceCodes {
  readonly device_code: string
  readonly user_code: string
}

let service: Awaited<ReturnType<typeof createTestApp>>
let ada: Person
let clientId: string
let now = new Date()
beforeAll(async () => {
  service = await createTestApp({ clock: () => now })
  ada = await signUp(service.app)
  clientId = await registerApp(service.app)
})
afterAll(() => service.close())

const ask = (more: Record<string, string> = {}) =>
  sendForm(service.app, '/oauth/device_authorization', { client_id: clientId, ...more })
const poll = (device: string, more: Record<string, string> = {}) =>
  sendForm(service.app, '/oauth/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: device,
    client_id: clientId,
    ...more,
  })
const wait = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1_000)
}
const decide = (userCode: string, isAllowed: boolean) => {
  const hash = createHash('sha256').update(userCode.replace('-', '')).digest('hex')
  const grant = isAllowed ? grantOf(ada, { clientId }) : null
  return service.storage.transaction((tx) => tx.connectedApps.decideDevice(hash, grant, now))
}

describe('the device grant', () => {
  it('shows a code that people can read, and where to enter it', async () => {
    const response = await ask()
    expect(response.statusCode).toBe(200)
    expect(response.headers['cache-control']).toBe('no-store')
    const answer = response.json<DeviceCodes>()
    expect(answer).toEqual({
      device_code: expect.stringMatching(/^eepg_[0-9A-Za-z]{49}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${PUBLIC_URL}/device`,
      verification_uri_complete: `${PUBLIC_URL}/device?user_code=${answer.user_code}`,
      expires_in: 600,
      interval: 5,
    })
  })

  it('gives tokens once a person allowed it, to one of several polls', async () => {
    const { device_code, user_code } = (await ask()).json<DeviceCodes>()
    expect(oauthErrorOf(await poll(device_code))).toBe('authorization_pending')
    expect(await decide(user_code, true)).toBe(true)
    wait(6)
    const responses = await Promise.all([poll(device_code), poll(device_code), poll(device_code)])
    const granted = responses.filter(({ statusCode }) => statusCode === 200)
    expect(granted).toHaveLength(1)
    expect(granted[0]?.json<Tokens>()).toMatchObject({ scope: BASIC_SCOPES.join(' ') })
    const me = await client(service.app).get('/auth/me', bearer(granted[0]?.json<Tokens>().access_token ?? ''))
    expect(me.statusCode).toBe(200)
  })

  it('slows down clients that poll too often', async () => {
    const { device_code } = (await ask()).json<DeviceCodes>()
    expect(oauthErrorOf(await poll(device_code))).toBe('authorization_pending')
    wait(1)
    expect(oauthErrorOf(await poll(device_code))).toBe('slow_down')
    wait(6)
    expect(oauthErrorOf(await poll(device_code))).toBe('slow_down')
    wait(20)
    expect(oauthErrorOf(await poll(device_code))).toBe('authorization_pending')
  })

  it('ends when the person denies it, and when it expires', async () => {
    const denied = (await ask()).json<DeviceCodes>()
    await decide(denied.user_code, false)
    const response = await poll(denied.device_code)
    expect([response.statusCode, oauthErrorOf(response)]).toEqual([400, 'access_denied'])
    const expired = (await ask()).json<DeviceCodes>()
    wait(601)
    expect(oauthErrorOf(await poll(expired.device_code))).toBe('expired_token')
    expect(await decide(expired.user_code, true)).toBe(false)
  })

  it('gives nothing to another app, and nothing for an invented code', async () => {
    const { device_code, user_code } = (await ask()).json<DeviceCodes>()
    const other = await registerApp(service.app, { client_name: 'Other' })
    await decide(user_code, true)
    wait(6)
    expect(oauthErrorOf(await poll(device_code, { client_id: other }))).toBe('invalid_grant')
    expect(oauthErrorOf(await poll('eepg_invented'))).toBe('invalid_grant')
    wait(6)
    expect((await poll(device_code)).statusCode).toBe(200)
  })

  it.each<[string, Record<string, string>, string]>([
    ['an unknown app', { client_id: 'nobody' }, 'invalid_client'],
    ['scopes that cannot be granted', { scope: 'manage:keys' }, 'invalid_scope'],
    ['another resource', { resource: 'https://other.example' }, 'invalid_target'],
  ])('is refused for %s', async (_what, more, error) => {
    expect(oauthErrorOf(await ask(more))).toBe(error)
  })

  it('has few open requests for each address', async () => {
    const strict = await createTestApp({ limits: { rateLimit: { multiplier: 1 } } })
    const id = await registerApp(strict.app)
    const statuses: number[] = []
    for (let index = 0; index < 7; index += 1) {
      const response = await sendForm(strict.app, '/oauth/device_authorization', { client_id: id })
      statuses.push(response.statusCode)
      if (response.statusCode !== 200) {
        expect(oauthErrorOf(response)).toBe('temporarily_unavailable')
        expect(response.headers['retry-after']).toBeDefined()
      }
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 503, 503])
    await strict.close()
  })
})
