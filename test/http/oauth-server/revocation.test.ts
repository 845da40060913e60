import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, signUp } from '../../support/accounts.ts'
import { createTestApp, PUBLIC_URL } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import {
  BASIC_SCOPES,
  bearer,
  connect,
  oauthErrorOf,
  refresh,
  registerApp,
  sendForm,
} from '../../support/oauth-server.ts'

const SECRET_OF_SERVER = 'a secret of the resource server'

let service: Awaited<ReturnType<typeof createTestApp>>
let ada: Person
beforeAll(async () => {
  const secretHash = createHash('sha256').update(SECRET_OF_SERVER).digest('hex')
  service = await createTestApp({ oauthServer: { resourceServers: [{ id: 'files', secretHash }] } })
  ada = await signUp(service.app)
})
afterAll(() => service.close())

const revoke = (token: string, clientId: string, more: Record<string, string> = {}) =>
  sendForm(service.app, '/oauth/revoke', { token, client_id: clientId, ...more })
const statusOf = async (token: string) => (await client(service.app).get('/auth/me', bearer(token))).statusCode

describe('revocation', () => {
  it('of a refresh token ends the connection', async () => {
    const { clientId, access_token, refresh_token } = await connect(service, ada)
    expect((await revoke(refresh_token, clientId)).statusCode).toBe(200)
    expect(await statusOf(access_token)).toBe(401)
    expect(oauthErrorOf(await refresh(service.app, refresh_token, { client_id: clientId }))).toBe('invalid_grant')
  })

  it('of an access token ends that token alone, whatever the hint is', async () => {
    const { clientId, access_token, refresh_token } = await connect(service, ada)
    expect((await revoke(access_token, clientId, { token_type_hint: 'refresh_token' })).statusCode).toBe(200)
    expect(await statusOf(access_token)).toBe(401)
    expect((await refresh(service.app, refresh_token, { client_id: clientId })).statusCode).toBe(200)
  })

  it('of an unknown token is not an error', async () => {
    const clientId = await registerApp(service.app)
    for (const token of ['unknown', 'eepa_unknown', `eepr_x.1.${'A'.repeat(43)}`])
      expect((await revoke(token, clientId)).statusCode).toBe(200)
  })

  it('of a token of another app ends nothing', async () => {
    const { access_token, refresh_token } = await connect(service, ada)
    const other = await registerApp(service.app, { client_name: 'Other' })
    for (const token of [access_token, refresh_token])
      expect(oauthErrorOf(await revoke(token, other))).toBe('invalid_grant')
    expect(await statusOf(access_token)).toBe(200)
  })

  it('needs an app', async () => {
    const response = await sendForm(service.app, '/oauth/revoke', { token: 'x' })
    expect([response.statusCode, oauthErrorOf(response)]).toEqual([401, 'invalid_client'])
  })
})

describe('introspection', () => {
  const ask = (token: string, more: Record<string, string> = {}) =>
    sendForm(service.app, '/oauth/introspect', {
      token,
      client_id: 'files',
      client_secret: SECRET_OF_SERVER,
      ...more,
    })

  it('reports to a configured resource server what an access token proves', async () => {
    const { clientId, access_token } = await connect(service, ada)
    const response = await ask(access_token)
    expect(response.json()).toEqual({
      active: true,
      scope: BASIC_SCOPES.join(' '),
      client_id: clientId,
      token_type: 'Bearer',
      exp: expect.any(Number),
      iat: expect.any(Number),
      sub: ada.account.id,
      aud: [PUBLIC_URL],
      iss: PUBLIC_URL,
    })
  })

  it('reports nothing of other tokens', async () => {
    const { clientId, refresh_token, access_token } = await connect(service, ada)
    await revoke(access_token, clientId)
    for (const token of ['unknown', refresh_token, access_token, ada.token])
      expect((await ask(token)).json()).toEqual({ active: false })
  })

  it('refuses everybody else', async () => {
    const { access_token, clientId } = await connect(service, ada)
    expect(oauthErrorOf(await ask(access_token, { client_secret: 'wrong' }))).toBe('invalid_client')
    const asApp = await sendForm(service.app, '/oauth/introspect', { token: access_token, client_id: clientId })
    expect(oauthErrorOf(asApp)).toBe('invalid_client')
  })

  it('does not exist without a resource server', async () => {
    const other = await createTestApp()
    expect((await sendForm(other.app, '/oauth/introspect', { token: 'x' })).statusCode).toBe(404)
    await other.close()
  })
})
