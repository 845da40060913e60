import { newPasskey } from '@eep/core/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PASSWORD, type Person, signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { browserOf, formOf, roleIn } from '../../support/console.ts'
import { hiddenFieldsOf, leadsTo, openBrowser } from '../../support/pages.ts'
import { join, newOrganization, type OwnedProfile } from '../../support/teams.ts'
import { appCode } from '../../support/totp.ts'

let now = new Date()
let test: Awaited<ReturnType<typeof createTestApp>>
let profile: OwnedProfile
let owner: Awaited<ReturnType<typeof browserOf>>
let path: string
/** Warnings and errors in the log. */
const troubles: string[] = []

/** Makes every proof older than ten minutes. */
const wait = () => {
  now = new Date(now.getTime() + 600_001)
}

beforeAll(async () => {
  const write = (line: string) => {
    if (!line.includes('no mailer is configured')) troubles.push(line)
  }
  const logger = { level: 'warn', stream: { write } }
  test = await createTestApp({ clock: () => now }, { logger })
})
afterAll(() => test.close())
afterEach(() => {
  expect(troubles.splice(0)).toEqual([])
})
beforeEach(async () => {
  profile = await newOrganization(test.app)
  owner = await browserOf(test.app, profile.owner)
  path = `/manage/profiles/${profile.id}/team`
  wait()
})

const transferTo = ({ account }: Person) => formOf('transfer', { recipient: account.username, name: profile.username })
const pendingOf = async (person: Person) => (await person.get('/transfers')).json().data.length

describe('a form that needs a proof of the person', () => {
  it('is asked for it in place, keeps what was entered, and is processed with the password', async () => {
    const recipient = await signUp(test.app)
    const form = transferTo(recipient)
    const asked = await owner.submit(path, form)
    expect(asked.statusCode).toBe(403)
    expect(asked.body).toContain('<h1>Confirm that it is you</h1>')
    expect(asked.body).toContain(`method="post" action="${path}"`)
    const kept = hiddenFieldsOf(asked)
    expect(kept).toMatchObject(form)
    expect(await pendingOf(recipient)).toBe(0)

    const wrong = await owner.submit(path, { ...kept, proof_password: 'Wrong horse 1 battery' })
    expect([wrong.statusCode, roleIn(wrong, 'alert')]).toEqual([401, 'The password is wrong.'])
    expect(wrong.body).not.toContain('Wrong horse')
    expect(hiddenFieldsOf(wrong)).toEqual(kept)
    expect(await pendingOf(recipient)).toBe(0)

    expect(leadsTo(await owner.submit(path, { ...kept, proof_password: PASSWORD }))).toEqual([303, path])
    expect(await pendingOf(recipient)).toBe(1)
  })

  it.each([
    ['a wrong password', { proof_password: 'Wrong horse 1 battery' }, 401],
    ['an empty password', { proof_password: '' }, 403],
    ['a code, without two-factor authentication', { proof_code: '000000' }, 404],
    ['none', {}, 403],
  ])('is not processed with %s', async (_, proof, status) => {
    const form = { ...formOf('create', { name: 'k', lifetime: '30', profile: '' }), scope: 'read:feed', ...proof }
    const refused = await owner.submit('/account/keys', form)
    expect([refused.statusCode, refused.body.includes('Confirm that it is you')]).toEqual([status, true])
    expect((await profile.owner.get('/api-keys')).json().data).toEqual([])
  })

  it('is not asked again within ten minutes, in the pages or by the API', async () => {
    const recipient = await signUp(test.app)
    await owner.submit(path, { ...transferTo(recipient), proof_password: PASSWORD })
    const session = owner.jar['__Host-eep_session'] ?? ''
    const made = await test.app.inject({
      method: 'POST',
      url: '/api-keys',
      cookies: { '__Host-eep_session': session },
      headers: { origin: 'https://profiles.example' },
      payload: { name: 'Reader' },
    })
    expect(made.statusCode, made.body).toBe(201)
  })

  it('is processed once, whatever proof it is sent with again', async () => {
    const recipient = await signUp(test.app)
    const form = transferTo(recipient)
    expect(leadsTo(await owner.submit(path, { ...form, proof_password: PASSWORD }))).toEqual([303, path])
    const again = await owner.submit(path, { ...form, proof_password: 'Another horse 2' })
    expect(leadsTo(again)).toEqual([303, path])
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  it('takes a code of the second factor', async () => {
    const { secret } = (await profile.owner.post('/auth/second-factor', undefined)).json()
    expect(secret).toBeUndefined()
    await profile.owner.post('/auth/prove', { password: PASSWORD })
    const { secret: key } = (await profile.owner.post('/auth/second-factor', undefined)).json()
    const enabled = await profile.owner.post('/auth/second-factor/confirm', {
      code: appCode(key, now),
      password: PASSWORD,
    })
    expect(enabled.statusCode, enabled.body).toBe(200)
    wait()
    const recipient = await signUp(test.app)
    const refused = await profile.owner.post('/auth/prove', { code: '000000' })
    expect(refused.json().error.code).toBe('wrong_second_factor')
    const proved = await profile.owner.post('/auth/prove', { code: appCode(key, now) })
    expect(proved.statusCode, proved.body).toBe(200)
    const offered = await profile.owner.post(`/profiles/${profile.id}/transfers`, {
      recipient_username: recipient.account.username,
    })
    expect(offered.statusCode, offered.body).toBe(201)
  })

  it('offers a passkey to accounts that have one, and another sign-in to those without a password', async () => {
    const recipient = await signUp(test.app)
    const accountId = profile.owner.account.id
    await test.storage.transaction((tx) => tx.passkeys.insert(newPasskey(accountId), 20))
    const withPasskey = await owner.submit(path, transferTo(recipient))
    expect(withPasskey.body).toContain('<form data-passkey="prove" data-sends="kept" hidden>')
    expect(withPasskey.body).toContain('<form id="kept"')

    const { owner: other, id, username } = await newOrganization(test.app)
    const browser = await browserOf(test.app, other)
    await test.storage.transaction((tx) => tx.accounts.save(other.account.id, { passwordHash: null }))
    wait()
    const form = formOf('transfer', { recipient: recipient.account.username, name: username })
    const asked = await browser.submit(`/manage/profiles/${id}/team`, form)
    expect(asked.body).not.toContain('proof_password')
    expect(asked.body).toContain(
      `href="/login?next=${encodeURIComponent(`/manage/profiles/${id}/team`)}" target="_blank"`,
    )
    expect(hiddenFieldsOf(asked)).toMatchObject(form)
  })

  it('asks for the removal of an admin, not for that of another member', async () => {
    const [viewer, admin] = [await signUp(test.app), await signUp(test.app)]
    await profile.owner.post('/auth/prove', { password: PASSWORD })
    await join(profile, viewer, 'viewer')
    await join(profile, admin, 'admin')
    wait()
    expect(leadsTo(await owner.submit(path, formOf('remove', { member: viewer.account.id })))).toEqual([303, path])
    for (const form of [
      formOf('setRole', { member: admin.account.id, role: 'viewer' }),
      formOf('remove', { member: admin.account.id }),
    ]) {
      const asked = await owner.submit(path, form)
      expect([asked.statusCode, hiddenFieldsOf(asked).member]).toEqual([403, admin.account.id])
    }
    const { headers } = profile.owner
    const url = `/profiles/${profile.id}/team/${admin.account.id}`
    const refused = await test.app.inject({ method: 'DELETE', url, headers })
    expect(refused.json().error.code).toBe('recent_sign_in_required')
    // An admin who leaves is not removed.
    expect((await admin.delete(url)).statusCode).toBe(200)
  })

  it('asks before it gives the role of an admin, by invitation or to a member', async () => {
    const [member, guest] = [await signUp(test.app), await signUp(test.app)]
    await join(profile, member, 'viewer')
    wait()
    const roleOf = async () =>
      (await profile.owner.get(profile.team)).json().data.find((one: { id: string }) => one.id === member.account.id)
        .role
    const setRole = (role: string) => profile.owner.put(`${profile.team}/${member.account.id}`, { role })
    const invite = (role: string) =>
      profile.owner.post(`${profile.team}/invites`, { username: guest.account.username, role })
    for (const refused of [await setRole('admin'), await invite('admin')])
      expect([refused.statusCode, refused.json().error?.code]).toEqual([403, 'recent_sign_in_required'])
    expect(await roleOf()).toBe('viewer')
    expect((await setRole('editor')).statusCode).toBe(200)
    expect((await invite('editor')).statusCode).toBe(201)

    const asked = await owner.submit(path, formOf('invite', { invited: guest.account.username, role: 'admin' }))
    expect(asked.statusCode).toBe(403)
    const made = await owner.submit(path, { ...hiddenFieldsOf(asked), proof_password: PASSWORD })
    expect(leadsTo(made)).toEqual([303, path])
    await profile.owner.post('/auth/prove', { password: PASSWORD })
    expect((await setRole('admin')).statusCode).toBe(200)
    expect(await roleOf()).toBe('admin')
  })

  it('lets no API key remove an admin', async () => {
    const admin = await signUp(test.app)
    await profile.owner.post('/auth/prove', { password: PASSWORD })
    await join(profile, admin, 'admin')
    const { key } = (await profile.owner.post('/api-keys', { name: 'Team', scopes: ['write:profiles'] })).json()
    const refused = await test.app.inject({
      method: 'DELETE',
      url: `/profiles/${profile.id}/team/${admin.account.id}`,
      headers: { 'x-api-key': key },
    })
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'session_required'])
  })

  it('is refused to roles that may not do it before it is asked', async () => {
    const admin = await signUp(test.app)
    await profile.owner.post('/auth/prove', { password: PASSWORD })
    await join(profile, admin, 'admin')
    const browser = await browserOf(test.app, admin)
    wait()
    const refused = await browser.submit(path, transferTo(admin))
    expect(refused.statusCode).toBe(403)
    expect(refused.body).not.toContain('Confirm that it is you')
  })
})

describe('the pages of an account', () => {
  it('ask before they create a key for an authenticator app', async () => {
    const asked = await owner.submit('/account/second-factor', {})
    expect([asked.statusCode, asked.body.includes('proof_password')]).toEqual([403, true])
    const key = await owner.submit('/account/second-factor', { proof_password: PASSWORD })
    expect([key.statusCode, key.body.includes('otpauth://')]).toEqual([200, true])
  })

  it('ask before a profile is accepted, and not before it is declined', async () => {
    const recipient = await signUp(test.app)
    const browser = await browserOf(test.app, recipient)
    await profile.owner.post('/auth/prove', { password: PASSWORD })
    const offer = { recipient_username: recipient.account.username }
    const { id } = (await profile.owner.post(`/profiles/${profile.id}/transfers`, offer)).json()
    wait()
    const asked = await browser.submit('/account/transfers', { id: String(id), answer: 'accept' })
    expect([asked.statusCode, hiddenFieldsOf(asked)]).toEqual([403, { id: String(id), answer: 'accept' }])
    const declined = await browser.submit('/account/transfers', { id: String(id), answer: 'reject' })
    expect(leadsTo(declined)).toEqual([303, '/dashboard?done=declined'])
  })
})

it('counts the passwords in forms like those of sign-ins', async () => {
  const limited = await createTestApp({ clock: () => now, limits: { rateLimit: { multiplier: 1 } } })
  try {
    const person = await signUp(limited.app)
    const browser = await browserOf(limited.app, person)
    const id = person.account.active_profile_id
    wait()
    const form = { ...formOf('transfer', { recipient: 'ada', name: 'x' }), proof_password: 'Wrong horse 1 battery' }
    const statuses: number[] = []
    for (let sent = 0; sent < 6; sent++) {
      const { statusCode } = await browser.submit(`/manage/profiles/${id}/team`, form)
      statuses.push(statusCode)
    }
    // Registration and sign-in counted too.
    expect(statuses).toEqual([401, 401, 401, 429, 429, 429])
    const over = await browser.submit(`/manage/profiles/${id}/team`, form)
    expect(hiddenFieldsOf(over)).toMatchObject({ recipient: 'ada', name: 'x' })
  } finally {
    await limited.close()
  }
})

it('counts answers to transfers, also soon after a proof', async () => {
  const limited = await createTestApp({ storage: test.storage, limits: { rateLimit: { multiplier: 0.02 } } })
  try {
    const browser = openBrowser(limited.app)
    Object.assign(browser.jar, owner.jar)
    const statuses: number[] = []
    for (const answer of ['accept', 'reject', 'accept', 'reject']) {
      statuses.push((await browser.submit('/account/transfers', { id: '1', answer })).statusCode)
    }
    expect(statuses).toEqual([404, 404, 429, 429])
  } finally {
    await limited.close()
  }
})
