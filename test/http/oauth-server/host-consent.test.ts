import type { HostAuth } from '@eep/core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { answerOf, authorizePath, LOOM, redeem, sendConsent } from '../../support/consent.ts'
import { registerApp, sendForm } from '../../support/oauth-server.ts'
import { hiddenFieldsOf, openBrowser } from '../../support/pages.ts'

const MINUTE_MS = 60_000
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

/** The sessions of the host: a header contains the user. */
const hostAuth: HostAuth = {
  authenticate: async ({ headers }) => {
    const user = headers['x-host-user']
    if (typeof user !== 'string') return undefined
    const { provedAt, ...known } = JSON.parse(user)
    return { ...known, ...(provedAt !== undefined && { provedAt: new Date(provedAt) }) }
  },
}

let now = new Date()
let test: Awaited<ReturnType<typeof createTestApp>>
beforeAll(async () => {
  test = await createTestApp({
    clock: () => now,
    auth: { hostAuth },
    oauthServer: {
      clients: [LOOM],
      signInUrl: (returnTo, { reauthenticate }) =>
        `https://host.example/login?${new URLSearchParams({ returnTo, again: String(reauthenticate) })}`,
    },
  })
})
afterAll(() => test.close())

const userHeaders = (name: string, provedAt?: Date) => ({
  'x-host-user': JSON.stringify({ externalId: name, email: `${name}@example.com`, emailVerified: true, provedAt }),
})

const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS)

/** Where the host leads back to, after it proved its user. */
function returnOf(response: { readonly headers: { readonly location?: unknown } }): string {
  const at = new URL(String(response.headers.location))
  expect([at.origin, at.searchParams.get('again')]).toEqual(['https://host.example', 'true'])
  const back = new URL(at.searchParams.get('returnTo') ?? '')
  return back.pathname + back.search
}

/** Opens the consent page after the host proved its user. */
async function proved(name: string) {
  const tab = openBrowser(test.app, userHeaders(name))
  const back = returnOf(await tab.open(authorizePath()))
  return { tab, back, page: await tab.open(back) }
}

const allow = (name: string, { tab, page }: Awaited<ReturnType<typeof proved>>, fields = {}) =>
  sendConsent(tab, test.app, page, { headers: userHeaders(name), ...fields })

describe('a user of a host who connects an app', () => {
  it('proves it at the host before the page is shown, and then allows', async () => {
    const made = await proved('ada')
    expect(made.page.statusCode).toBe(200)
    expect(answerOf(await allow('ada', made))).toHaveProperty('code')
  })

  it('is sent to the host again without the mark of this way, after ten minutes, and for another request', async () => {
    const { tab, back } = await proved('bob')
    const other = returnOf(await tab.open(authorizePath({ state: 'other' })))
    const mixed = `${back.replace(/&proof=.*/, '')}&${other.replace(/^.*&proof=/, 'proof=')}`
    for (const path of [back.replace(/&proof=.*/, ''), mixed]) expect((await tab.open(path)).statusCode).toBe(302)
    expect((await tab.open(back)).statusCode).toBe(200)
    now = new Date(now.getTime() + 10 * MINUTE_MS)
    returnOf(await tab.open(back))
  })

  it('brings no mark of another account', async () => {
    const { tab, back } = await proved('cid')
    expect((await tab.open(back, userHeaders('dan'))).statusCode).toBe(302)
  })

  it('allows nothing once the proof is over, and can deny', async () => {
    const made = await proved('eve')
    now = new Date(now.getTime() + 9 * MINUTE_MS)
    const page = await made.tab.open(made.back)
    now = new Date(now.getTime() + 2 * MINUTE_MS)
    expect((await allow('eve', { ...made, page })).statusCode).toBe(400)
    expect(answerOf(await allow('eve', { ...made, page }, { decision: 'deny' }))).toMatchObject({
      error: 'access_denied',
    })
  })
})

describe('a user of a host that reports when it proved its users', () => {
  it('is not proved by opening the address that the host would lead back to', async () => {
    const old = userHeaders('finn', minutesAgo(60))
    const tab = openBrowser(test.app, old)
    const back = returnOf(await tab.open(authorizePath()))
    returnOf(await tab.open(back))
    const page = await tab.open(back, userHeaders('finn', now))
    expect(page.statusCode).toBe(200)
    expect((await sendConsent(tab, test.app, page, { headers: old })).statusCode).toBe(400)
    expect(answerOf(await sendConsent(tab, test.app, page, { headers: userHeaders('finn', now) }))).toHaveProperty(
      'code',
    )
  })

  it('is proved for ten minutes, and needs no mark meanwhile', async () => {
    const tab = openBrowser(test.app)
    expect((await tab.open(authorizePath(), userHeaders('gus', minutesAgo(9)))).statusCode).toBe(200)
    returnOf(await tab.open(authorizePath(), userHeaders('gus', minutesAgo(11))))
  })

  it('is not proved by a time that is unknown, unreadable or in the future', async () => {
    const tab = openBrowser(test.app)
    for (const provedAt of [new Date(0), new Date(now.getTime() + 10 * MINUTE_MS)])
      returnOf(await tab.open(authorizePath(), userHeaders('hal', provedAt)))
    const unreadable = JSON.stringify({ ...JSON.parse(userHeaders('hal')['x-host-user']), provedAt: 'yesterday' })
    returnOf(await tab.open(authorizePath(), { 'x-host-user': unreadable }))
  })

  it('proves it again for an app that asks for a younger proof, once', async () => {
    const tab = openBrowser(test.app, userHeaders('ida', minutesAgo(5)))
    const back = returnOf(await tab.open(authorizePath({ max_age: '0' })))
    returnOf(await tab.open(back))
    const proved = userHeaders('ida', now)
    now = new Date(now.getTime() + 1_000)
    const page = await tab.open(back, proved)
    expect(answerOf(await sendConsent(tab, test.app, page, { headers: proved }))).toHaveProperty('code')
  })
})

describe('a user of a host who enters the code of a device', () => {
  /** A device that asks, and the path of its page with the code. */
  async function deviceOf() {
    const clientId = await registerApp(test.app, { grant_types: [DEVICE_GRANT] })
    const asked = (await sendForm(test.app, '/oauth/device_authorization', { client_id: clientId })).json()
    return { code: String(asked.user_code), path: `/device?user_code=${asked.user_code}` }
  }

  it('proves it at the host before the form is shown', async () => {
    const { code, path } = await deviceOf()
    const tab = openBrowser(test.app, userHeaders('hal'))
    const back = returnOf(await tab.open(path))
    const form = await tab.open(back)
    expect([form.statusCode, form.body]).toEqual([200, expect.stringContaining(code)])
    const page = await tab.submit('/device', { ...hiddenFieldsOf(form), user_code: code })
    expect(page.statusCode, page.body).toBe(200)
    const done = await sendConsent(tab, test.app, page, { path: '/device', headers: userHeaders('hal') })
    expect([done.statusCode, done.headers.location]).toEqual([303, expect.stringContaining('done=allowed')])
  })

  it('cannot send the form without the proof, and gets no mark of another account', async () => {
    const { code, path } = await deviceOf()
    const tab = openBrowser(test.app, userHeaders('ida'))
    const back = returnOf(await tab.open(path))
    expect((await tab.submit('/device', { user_code: code })).statusCode).toBe(403)
    returnOf(await tab.open(back, userHeaders('jon')))
    const stolen = { user_code: code, proof: new URLSearchParams(back.split('?')[1]).get('proof') ?? '' }
    expect((await tab.submit('/device', stolen, userHeaders('jon'))).statusCode).toBe(403)
  })

  it('is not proved by the mark alone where the host reports its proofs', async () => {
    const { code, path } = await deviceOf()
    const old = userHeaders('kim', minutesAgo(60))
    const tab = openBrowser(test.app, old)
    const back = returnOf(await tab.open(path))
    returnOf(await tab.open(back))
    const fresh = userHeaders('kim', now)
    const form = await tab.open(back, fresh)
    const page = await tab.submit('/device', { ...hiddenFieldsOf(form), user_code: code }, fresh)
    expect(page.statusCode).toBe(200)
    const send = (headers: Record<string, string>) => sendConsent(tab, test.app, page, { path: '/device', headers })
    expect((await send(old)).statusCode).toBe(403)
    expect((await send(fresh)).statusCode).toBe(303)
  })
})

describe('what a user of a host allows more than before', () => {
  it('needs a proof within ten minutes where the host reports its proofs, and none where it does not', async () => {
    const lea = (provedAt?: Date) => client(test.app).with(userHeaders('lea', provedAt))
    const tab = openBrowser(test.app, userHeaders('lea', now))
    const page = await tab.open(authorizePath())
    await sendConsent(tab, test.app, page, { scopes: ['read:content'], headers: userHeaders('lea', now) }).then(
      (answer) => redeem(test.app, String(answerOf(answer).code)),
    )
    const { data } = (await lea().get('/account/apps')).json()
    const more = { scopes: ['read:content', 'write:content'] }
    const change = (person: ReturnType<typeof lea>) => person.put(`/account/apps/${data[0].id}`, more)
    expect(codeOf(await change(lea(minutesAgo(11))))).toBe('recent_sign_in_required')
    expect((await change(lea(minutesAgo(1)))).statusCode).toBe(200)
    expect((await lea().put(`/account/apps/${data[0].id}`, { scopes: ['read:content'] })).statusCode).toBe(200)
    expect((await change(lea())).statusCode).toBe(200)
  })
})
