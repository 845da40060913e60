import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PASSWORD, type Person, signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { connect, LOOM } from '../../support/consent.ts'
import { browserOf } from '../../support/console.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
/** Signed in by one session; the app is connected in that of a browser. */
let person: Person
let token: string

beforeAll(async () => {
  test = await createTestApp({ oauthServer: { clients: [LOOM] } })
})
afterAll(() => test.close())
beforeEach(async () => {
  person = await signUp(test.app)
  token = (await connect(test.app, await browserOf(test.app, person))).access_token
})

const isConnected = async () =>
  (await client(test.app).get('/auth/me', { authorization: `Bearer ${token}` })).statusCode === 200
const changePassword = (more: object) =>
  person.put('/auth/change-password', { current_password: PASSWORD, new_password: `${PASSWORD} 2`, ...more })
/** The id of the session that this person does not use. */
async function otherSession(): Promise<string> {
  const { data } = (await person.get('/auth/sessions')).json()
  return data.find(({ current }: { readonly current: boolean }) => !current).id
}

describe('a connected app', () => {
  it('outlives the session in which it was connected', async () => {
    expect((await person.delete(`/auth/sessions/${await otherSession()}`)).statusCode).toBe(200)
    expect((await person.delete('/auth/sessions')).statusCode).toBe(200)
    expect((await changePassword({})).statusCode).toBe(200)
    expect(await isConnected()).toBe(true)
  })

  it.each([
    ['that session', async () => person.delete(`/auth/sessions/${await otherSession()}?disconnect_apps=true`)],
    ['all other sessions', () => person.delete('/auth/sessions?disconnect_apps=true')],
    ['all sessions by another password', () => changePassword({ disconnect_apps: true })],
  ])('is disconnected with %s when the request asks for it', async (_which, end) => {
    expect(await isConnected()).toBe(true)
    expect((await end()).statusCode).toBe(200)
    expect(await isConnected()).toBe(false)
  })

  it('stays when another session ends, whatever the request asks for', async () => {
    const third = await test.app.inject({
      method: 'POST',
      url: '/auth/login',
      payload: { email: person.account.email, password: PASSWORD },
    })
    const authorization = `Bearer ${third.json().token}`
    const { data } = (await client(test.app).get('/auth/sessions', { authorization })).json()
    const { id } = data.find(({ current }: { readonly current: boolean }) => current)
    expect((await person.delete(`/auth/sessions/${id}?disconnect_apps=true`)).statusCode).toBe(200)
    expect(await isConnected()).toBe(true)
  })

  it('is disconnected by a repeated request, whose first one ended the session alone', async () => {
    const url = `/auth/sessions/${await otherSession()}`
    expect((await person.delete(url)).statusCode).toBe(200)
    expect(await isConnected()).toBe(true)
    expect((await person.delete(`${url}?disconnect_apps=true`)).statusCode).toBe(404)
    expect(await isConnected()).toBe(false)
  })

  it('stays when the session does not exist or is of another account, or the value is not a boolean', async () => {
    const other = await signUp(test.app)
    const id = await otherSession()
    expect((await other.delete(`/auth/sessions/${id}?disconnect_apps=true`)).statusCode).toBe(404)
    expect((await person.delete(`/auth/sessions/${id}?disconnect_apps=perhaps`)).statusCode).toBe(400)
    expect(await isConnected()).toBe(true)
  })
})
