import { randomUUID } from 'node:crypto'
import { endOfLog, eventsAfter } from '@eep/core/testing'
import { describe, expect, it } from 'vitest'
import { codeOf, me, PASSWORD, type Person, proveAddress, sessionCookieOf, signUp } from '../support/accounts.ts'
import type { TestApp } from '../support/app.ts'
import { type Authenticator, createAuthenticator, type Deviation } from '../support/authenticator.ts'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { openInstances } from '../support/instances.ts'
import { createMailbox, tokenIn } from '../support/mailbox.ts'

interface Passkey {
  readonly id: string
  readonly name: string
  readonly created_at: string
  readonly last_used_at: string | null
  readonly backed_up: boolean
}

const MINUTE = 60_000

const mailbox = createMailbox()
const { clock, at } = createClock()
const { database, instance } = await openInstances({ clock, email: { mailer: mailbox.mailer } })
const app = await instance()

const REGISTRATION = '/auth/passkeys/registration/options'
const creationOptions = async (person: Person) => (await person.post(REGISTRATION, { password: PASSWORD })).json()
const requestOptions = async (on: TestApp = app) => (await client(on).post('/auth/passkeys/options')).json()
const add = (person: Person, response: object, name?: string) => person.post('/auth/passkeys', { response, name })
const loginWith = (response: object, on: TestApp = app) => client(on).post('/auth/passkeys/login', { response })
const listed = async (person: Person) => (await person.get('/auth/passkeys')).json<{ data: readonly Passkey[] }>().data

/** Adds the passkey of a device to an account. */
async function added(person: Person, device: Authenticator = createAuthenticator(), name?: string) {
  const response = await add(person, device.create(await creationOptions(person)), name)
  expect(response.statusCode).toBe(201)
  return { device, passkey: response.json<Passkey>() }
}

const signIn = async (device: Authenticator, by?: Deviation) => loginWith(device.use(await requestOptions(), by))

describe('POST /auth/passkeys/registration/options', () => {
  it('returns options for this service and account, which name the passkeys that it has', async () => {
    const ada = await signUp(app)
    const { device } = await added(ada)
    const response = await ada.post(REGISTRATION, { password: PASSWORD })
    expect(response.statusCode).toBe(200)
    expect(response.headers['cache-control']).toBe('no-store')
    const { id, email, username } = ada.account
    expect(response.json()).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rp: { id: 'profiles.example', name: 'Profiles' },
      user: {
        id: Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url'),
        name: email,
        displayName: username,
      },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: 300_000,
      excludeCredentials: [{ id: device.id, type: 'public-key', transports: ['internal', 'hybrid'] }],
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'preferred' },
      attestation: 'none',
    })
  })

  it('needs the password, so that a stolen session gains no way to sign in', async () => {
    const ada = await signUp(app)
    const without = await ada.post(REGISTRATION)
    expect([without.statusCode, codeOf(without)]).toEqual([403, 'passkey_confirmation_required'])
    const wrong = await ada.post(REGISTRATION, { password: 'Wrong horse 7 battery' })
    expect([wrong.statusCode, codeOf(wrong)]).toEqual([401, 'wrong_password'])
  })

  it('accepts a passkey of the account in place of the password, once', async () => {
    const [ada, eve] = [await signUp(app), await signUp(app)]
    const { device } = await added(ada)
    const response = device.use(await requestOptions())
    expect(codeOf(await eve.post(REGISTRATION, { response }))).toBe('passkey_refused')
    const options = await ada.post(REGISTRATION, { response })
    expect(options.statusCode).toBe(200)
    expect((await add(ada, createAuthenticator().create(options.json()))).statusCode).toBe(201)
    expect(codeOf(await ada.post(REGISTRATION, { response }))).toBe('passkey_challenge_refused')
  })

  it('needs nothing else within ten minutes of the sign-in of an account without a password', async () => {
    const ada = await signUp(app)
    await database.storage.transaction((tx) => tx.accounts.save(ada.account.id, { passwordHash: null }))
    expect((await ada.post(REGISTRATION)).statusCode).toBe(200)
    const later = await at(Date.now() + 11 * MINUTE, () => ada.post(REGISTRATION))
    expect(codeOf(later)).toBe('passkey_confirmation_required')
  })

  it('lets two tabs of an account each finish with their options, once', async () => {
    const ada = await signUp(app)
    const tabs = [await creationOptions(ada), await creationOptions(ada)]
    for (const options of tabs) {
      const created = createAuthenticator().create(options)
      expect((await add(ada, created)).statusCode).toBe(201)
      expect(codeOf(await add(ada, created))).toBe('passkey_challenge_refused')
    }
  })
})

describe('POST /auth/passkeys', () => {
  it('adds the passkey of a device, reports it by email and announces it', async () => {
    const ada = await signUp(app)
    const end = await endOfLog(database.storage)
    const { passkey } = await added(ada, createAuthenticator({ isBackedUp: true }), 'Telephone')
    expect(passkey).toEqual({
      id: expect.any(String),
      name: 'Telephone',
      created_at: clock().toISOString(),
      last_used_at: null,
      backed_up: true,
    })
    expect(await listed(ada)).toEqual([passkey])
    expect((await mailbox.take(ada.account.email, 'passkeyAdded')).text).toContain('It can sign in to your account')
    expect(await eventsAfter(database.storage, end)).toMatchObject([
      { type: 'passkeys.passkey_added', accountId: ada.account.id, data: { passkeyId: passkey.id } },
    ])
  })

  it('names a passkey that comes without a name', async () => {
    const { passkey } = await added(await signUp(app))
    expect(passkey.name).toBe('Passkey')
  })

  it.each<[string, Deviation]>([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another port', { origin: 'https://profiles.example:8443' }],
    ['for another domain', { rpId: 'evil.example' }],
    ['of a sign-in', { type: 'webauthn.get' }],
    ['with an invented challenge', { challenge: 'A'.repeat(43) }],
    ['of a frame in another site', { crossOrigin: true }],
    ['whose id is not the one that the device signed', { credentialId: 'AAAA' }],
  ])('refuses a response %s, and adds nothing', async (_what, by) => {
    const ada = await signUp(app)
    const response = await add(ada, createAuthenticator().create(await creationOptions(ada), by))
    expect(response.statusCode).toBe(400)
    expect(codeOf(response)).toMatch(/^passkey_(registration|challenge)_refused$/)
    expect(await listed(ada)).toEqual([])
  })

  it('accepts options once, also concurrently', async () => {
    const ada = await signUp(app)
    const options = await creationOptions(ada)
    const answers = await Promise.all([1, 2, 3].map(() => add(ada, createAuthenticator().create(options))))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 400, 400])
    expect(await listed(ada)).toHaveLength(1)
  })

  it('refuses options after five minutes', async () => {
    const ada = await signUp(app)
    const old = await at(Date.now() - 5 * MINUTE - 1_000, () => creationOptions(ada))
    expect(codeOf(await add(ada, createAuthenticator().create(old)))).toBe('passkey_challenge_refused')
  })

  it('refuses the options of another account, and leaves them valid for it', async () => {
    const [ada, eve] = [await signUp(app), await signUp(app)]
    const options = await creationOptions(ada)
    expect(codeOf(await add(eve, createAuthenticator().create(options)))).toBe('passkey_challenge_refused')
    expect((await add(ada, createAuthenticator().create(options))).statusCode).toBe(201)
  })

  it('refuses a challenge of a sign-in', async () => {
    const ada = await signUp(app)
    const { challenge } = await requestOptions()
    const response = await add(ada, createAuthenticator().create({ ...(await creationOptions(ada)), challenge }))
    expect(codeOf(response)).toBe('passkey_challenge_refused')
  })

  it('refuses a passkey that an account has, its own or another one', async () => {
    const [ada, eve] = [await signUp(app), await signUp(app)]
    const { device } = await added(ada)
    for (const person of [ada, eve]) {
      const response = await add(person, device.create(await creationOptions(person)))
      expect([response.statusCode, codeOf(response)]).toEqual([409, 'passkey_exists'])
    }
  })

  it('adds at most 20 passkeys to an account', async () => {
    const ada = await signUp(app)
    for (let count = 0; count < 19; count++) await added(ada)
    const options = await creationOptions(ada)
    await added(ada)
    expect(codeOf(await ada.post(REGISTRATION, { password: PASSWORD }))).toBe('passkey_limit_reached')
    expect((await add(ada, createAuthenticator().create(options))).statusCode).toBe(409)
    expect(await listed(ada)).toHaveLength(20)
  })
})

describe('POST /auth/passkeys/options', () => {
  it('returns the same options for every email address', async () => {
    const ada = await signUp(app)
    await added(ada)
    const ask = async (payload?: object) => {
      const { challenge, ...rest } = (await client(app).post('/auth/passkeys/options', payload)).json()
      expect(challenge).toMatch(/^[\w-]{43}$/)
      return rest
    }
    const expected = { rpId: 'profiles.example', timeout: 300_000, userVerification: 'preferred' }
    expect(await ask()).toEqual(expected)
    expect(await ask({ email: ada.account.email })).toEqual(expected)
    expect(await ask({ email: 'unknown@example.com' })).toEqual(expected)
  })
})

describe('POST /auth/passkeys/login', () => {
  it('signs in like a password, and shows when the passkey was used', async () => {
    const ada = await signUp(app)
    const { device } = await added(ada)
    const response = await signIn(device)
    expect(response.statusCode).toBe(200)
    const byPassword = await client(app).post('/auth/login', { email: ada.account.email, password: PASSWORD })
    expect(response.json()).toEqual({ expires_at: expect.any(String), user: byPassword.json().user })
    const { value = '' } = sessionCookieOf(response) ?? {}
    expect(sessionCookieOf(response)).toEqual({ ...sessionCookieOf(byPassword), value })
    expect((await me(app, { cookie: `__Host-eep_session=${value}` })).json().id).toBe(ada.account.id)
    expect((await me(app, { authorization: `Bearer ${value}` })).statusCode).toBe(401)
    expect(await listed(ada)).toMatchObject([{ last_used_at: clock().toISOString() }])
  })

  it('signs in with a device that does not count its uses, each time', async () => {
    const { device } = await added(await signUp(app), createAuthenticator({ counts: false }))
    for (const _ of [1, 2]) expect((await signIn(device)).statusCode).toBe(200)
  })

  it('signs in with a device that sends no user handle', async () => {
    const { device } = await added(await signUp(app))
    const { response, ...rest } = device.use(await requestOptions())
    expect((await loginWith({ ...rest, response: { ...response, userHandle: null } })).statusCode).toBe(200)
  })

  it.each<[string, Deviation]>([
    ['of another origin', { origin: 'https://evil.example' }],
    ['for another domain', { rpId: 'evil.example' }],
    ['of a registration', { type: 'webauthn.create' }],
    ['of a frame in another site', { crossOrigin: true }],
    ['of an unknown passkey', { credentialId: 'AAAA' }],
    ['with the handle of another account', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }],
    ['with another signature', { signature: Buffer.alloc(70, 7).toString('base64url') }],
    ['whose sign count is the last one', { signCount: 1 }],
    ['whose sign count is lower than the last one', { signCount: 0 }],
  ])('refuses a response %s, and leaves the challenge valid', async (_what, by) => {
    const { device } = await added(await signUp(app))
    const options = await requestOptions()
    const response = await loginWith(device.use(options, by))
    expect([response.statusCode, codeOf(response)]).toEqual([401, 'passkey_refused'])
    expect(sessionCookieOf(response)).toBeUndefined()
    expect((await loginWith(device.use(options))).statusCode).toBe(200)
  })

  it('refuses the response of one passkey under the id of another account', async () => {
    const [ada, eve] = [await signUp(app), await signUp(app)]
    const victim = await added(ada)
    const attacker = await added(eve)
    const options = await requestOptions()
    const response = attacker.device.use(options, { credentialId: victim.device.id })
    expect(codeOf(await loginWith(response))).toBe('passkey_refused')
    const { userHandle } = victim.device.use(options).response
    const withHandle = attacker.device.use(options, { credentialId: victim.device.id, userHandle: userHandle ?? '' })
    expect(codeOf(await loginWith(withHandle))).toBe('passkey_refused')
  })

  it('accepts a response once, also concurrently, and also from a device that does not count', async () => {
    for (const counts of [true, false]) {
      const { device } = await added(await signUp(app), createAuthenticator({ counts }))
      const response = device.use(await requestOptions())
      const answers = await Promise.all([1, 2, 3].map(() => loginWith(response)))
      expect(answers.map(({ statusCode }) => statusCode === 200).sort()).toEqual([false, false, true])
      expect((await loginWith(response)).statusCode).toBe(400)
    }
  })

  it('refuses a challenge that is invented, or for a new passkey', async () => {
    const ada = await signUp(app)
    const { device } = await added(ada)
    const { challenge } = await creationOptions(ada)
    for (const other of ['A'.repeat(43), challenge]) {
      const response = await loginWith(device.use(await requestOptions(), { challenge: other }))
      expect([response.statusCode, codeOf(response)]).toEqual([400, 'passkey_challenge_refused'])
    }
  })

  it('refuses a challenge after five minutes', async () => {
    const { device } = await added(await signUp(app))
    const old = await at(Date.now() - 5 * MINUTE - 1_000, () => requestOptions())
    expect(codeOf(await loginWith(device.use(old)))).toBe('passkey_challenge_refused')
  })

  it('refuses a banned account, and one that was deleted', async () => {
    const [banned, erased] = [await signUp(app), await signUp(app)]
    const devices = [await added(banned), await added(erased)]
    await database.storage.transaction((tx) => tx.accounts.save(banned.account.id, { bannedAt: clock() }))
    await database.storage.transaction(async (tx) => {
      const account = await tx.accounts.lock(erased.account.id)
      if (account) await tx.passkeys.eraseAccount({ ...account, profileIds: [] })
    })
    const codes = await Promise.all(devices.map(async ({ device }) => codeOf(await signIn(device))))
    expect(codes).toEqual(['account_banned', 'passkey_refused'])
  })

  it('cancels a scheduled deletion', async () => {
    const ada = await signUp(app)
    const { device } = await added(ada)
    const deleted = await ada.send('DELETE', '/auth/account', { password: PASSWORD })
    expect(deleted.statusCode).toBe(200)
    expect((await signIn(device)).json().user.deletion_scheduled_at).toBeNull()
  })

  it('accepts a key that does not verify its user, unless the host requires it', async () => {
    const { device } = await added(await signUp(app))
    expect((await signIn(device, { userVerified: false })).statusCode).toBe(200)
    const strict = await instance({ passkeys: { userVerification: 'required' } })
    const options = await requestOptions(strict)
    expect(options.userVerification).toBe('required')
    expect(codeOf(await loginWith(device.use(options, { userVerified: false }), strict))).toBe('passkey_refused')
    expect((await loginWith(device.use(options), strict)).statusCode).toBe(200)
  })

  it('accepts the pages of the frontend and of the service, where one domain contains both', async () => {
    const sites = await instance({ publicUrl: 'https://api.site.example', frontendUrl: 'https://site.example' })
    const ada = await signUp(sites)
    const device = createAuthenticator()
    const origin = 'https://site.example'
    const created = device.create(await creationOptions(ada), { origin })
    expect((await add(ada, created)).statusCode).toBe(201)
    for (const page of [origin, 'https://api.site.example']) {
      const options = await requestOptions(sites)
      expect(options.rpId).toBe('site.example')
      expect((await loginWith(device.use(options, { origin: page }), sites)).statusCode).toBe(200)
    }
    const other = device.use(await requestOptions(sites), { origin: 'https://evil.site.example' })
    expect(codeOf(await loginWith(other, sites))).toBe('passkey_refused')
  })
})

describe('PATCH /auth/passkeys/{id}', () => {
  it('renames a passkey of its account only', async () => {
    const [ada, eve] = [await signUp(app), await signUp(app)]
    const { passkey } = await added(ada)
    const refused = await eve.patch(`/auth/passkeys/${passkey.id}`, { name: 'Mine' })
    expect([refused.statusCode, codeOf(refused)]).toEqual([404, 'passkey_not_found'])
    const renamed = await ada.patch(`/auth/passkeys/${passkey.id}`, { name: ' Laptop ' })
    expect(renamed.json()).toEqual({ ...passkey, name: 'Laptop' })
    expect((await ada.patch(`/auth/passkeys/${passkey.id}`, { name: '\u200b' })).statusCode).toBe(400)
    for (const id of [randomUUID(), 'no-uuid']) {
      expect((await ada.patch(`/auth/passkeys/${id}`, { name: 'Laptop' })).statusCode).toBe(404)
    }
  })
})

describe('DELETE /auth/passkeys/{id}', () => {
  const remove = (person: Person, id: string, proof: object) => person.send('DELETE', `/auth/passkeys/${id}`, proof)

  it('deletes a passkey with the password, ends all other sessions, and reports it by email', async () => {
    const ada = await signUp(app)
    const { device, passkey } = await added(ada)
    const stolen = { cookie: `__Host-eep_session=${sessionCookieOf(await signIn(device))?.value}` }
    expect((await me(app, stolen)).statusCode).toBe(200)
    expect((await remove(ada, passkey.id, { password: PASSWORD })).json()).toEqual({ success: true })
    expect(await listed(ada)).toEqual([])
    expect((await me(app, stolen)).statusCode).toBe(401)
    expect((await me(app, ada.headers)).statusCode).toBe(200)
    expect((await mailbox.take(ada.account.email, 'passkeyDeleted')).text).toContain('every other session has ended')
    expect(codeOf(await signIn(device))).toBe('passkey_refused')
  })

  it('deletes a passkey with another one of the account', async () => {
    const ada = await signUp(app)
    const [lost, kept] = [await added(ada), await added(ada)]
    const response = kept.device.use(await requestOptions())
    expect((await remove(ada, lost.passkey.id, { response })).statusCode).toBe(200)
    expect(await listed(ada)).toMatchObject([{ id: kept.passkey.id }])
    expect(codeOf(await remove(ada, kept.passkey.id, { response }))).toBe('passkey_challenge_refused')
  })

  it('deletes nothing without a proof of the owner', async () => {
    const [ada, eve] = [await signUp(app), await signUp(app)]
    const { passkey } = await added(ada)
    const { device } = await added(eve)
    const wrong = await remove(ada, passkey.id, { password: 'Wrong horse 7 battery' })
    expect([wrong.statusCode, codeOf(wrong)]).toEqual([401, 'wrong_password'])
    const foreign = await remove(ada, passkey.id, { response: device.use(await requestOptions()) })
    expect([foreign.statusCode, codeOf(foreign)]).toEqual([401, 'passkey_refused'])
    expect((await remove(ada, passkey.id, {})).statusCode).toBe(400)
    expect((await ada.delete(`/auth/passkeys/${passkey.id}`)).statusCode).toBe(400)
    expect(await listed(ada)).toHaveLength(1)
  })

  it('deletes no passkey of another account, and ends no session', async () => {
    const [ada, eve] = [await signUp(app), await signUp(app)]
    const { passkey } = await added(ada)
    expect(codeOf(await remove(eve, passkey.id, { password: PASSWORD }))).toBe('passkey_not_found')
    expect(await listed(ada)).toHaveLength(1)
  })

  it('deletes all passkeys with the password, and ends all other sessions', async () => {
    const ada = await signUp(app)
    const { device } = await added(ada)
    await added(ada)
    const stolen = { cookie: `__Host-eep_session=${sessionCookieOf(await signIn(device))?.value}` }
    expect((await me(app, stolen)).statusCode).toBe(200)
    const wrong = await ada.send('DELETE', '/auth/passkeys', { password: 'Wrong horse 7 battery' })
    expect(codeOf(wrong)).toBe('wrong_password')
    expect((await ada.send('DELETE', '/auth/passkeys', {})).statusCode).toBe(400)
    const deleted = await ada.send('DELETE', '/auth/passkeys', { password: PASSWORD })
    expect(deleted.json()).toEqual({ success: true, deleted: 2 })
    expect(await listed(ada)).toEqual([])
    expect((await me(app, stolen)).statusCode).toBe(401)
    expect((await me(app, ada.headers)).statusCode).toBe(200)
  })

  it('deletes all passkeys when the password is reset, if the owner wants it', async () => {
    for (const [remove, left] of [
      [true, 0],
      [false, 1],
    ] as const) {
      const ada = await signUp(app)
      await proveAddress(database, ada)
      await added(ada)
      await client(app).post('/auth/forgot-password', { email: ada.account.email })
      const token = tokenIn(await mailbox.take(ada.account.email, 'reset'))
      const body = { token, password: 'Another horse 9 battery', remove_other_sign_ins: remove }
      expect((await client(app).post('/auth/reset-password', body)).statusCode).toBe(200)
      expect(await database.storage.read.passkeys.listOfAccount(ada.account.id)).toHaveLength(left)
    }
  })

  it('answers one of concurrent deletions, and 404 to the others', async () => {
    const ada = await signUp(app)
    const { passkey } = await added(ada)
    const answers = await Promise.all([1, 2].map(() => remove(ada, passkey.id, { password: PASSWORD })))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404])
  })
})
