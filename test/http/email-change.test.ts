import { newIdentity, newPasskey } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { codeOf, login, me, PASSWORD, type Person, proveAddress, register, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { connectApp } from '../support/connected-app.ts'
import { createMailbox, tokenIn } from '../support/mailbox.ts'
import { leadsTo, openBrowser, sentencesOf } from '../support/pages.ts'

const ADMIN = 'chief@example.com'
const box = createMailbox()
const time = createClock()
let test: Awaited<ReturnType<typeof createTestApp>>
let count = 0

beforeAll(async () => {
  test = await createTestApp({
    email: { mailer: box.mailer },
    auth: { adminEmails: [ADMIN] },
    clock: time.clock,
  })
})
afterAll(() => test.close())

const fresh = () => `new-${++count}@example.com`
const public_ = () => client(test.app)

/** An account that owns its address. */
async function owner(): Promise<Person> {
  const person = await signUp(test.app)
  await proveAddress({ storage: test.storage }, person)
  return person
}

/** Asks for another address, and returns the token in the email to it. */
async function asked(person: Person, address: string): Promise<string> {
  const answer = await person.post('/auth/email', { new_email: address })
  expect(answer.statusCode, answer.body).toBe(202)
  return tokenIn(await box.take(address, 'newAddress'))
}

/** Changes the address, and returns the token in the email to the former one. */
async function changed(person: Person, address: string, from = person.account.email): Promise<string> {
  const answer = await person.post('/auth/email/confirm', { token: await asked(person, address) })
  expect(answer.statusCode, answer.body).toBe(200)
  return tokenIn(await box.take(from, 'addressChanged'))
}

/** Undoes a change of the address. */
const undo = async (token: string) => (await public_().post('/auth/email/undo', { token })).statusCode

/** Sets a password with the token of an email. */
async function reset(token: string, password: string): Promise<void> {
  const answer = await public_().post('/auth/reset-password', { token, password })
  expect(answer.statusCode, answer.body).toBe(200)
}

/** Asks for another password by email, and sets it. */
async function forgot(email: string, password: string): Promise<void> {
  expect((await public_().post('/auth/forgot-password', { email })).statusCode).toBe(200)
  await reset(tokenIn(await box.take(email, 'reset')), password)
}

const emailOf = async (person: Person) => (await me(test.app, person.headers)).json().email

describe('a new email address', () => {
  it('counts after its link was used in a session of the account, and not before', async () => {
    const [person, other, address] = [await owner(), await owner(), fresh()]
    const token = await asked(person, address)
    expect(await emailOf(person)).toBe(person.account.email)
    expect((await public_().post('/auth/email/confirm', { token })).statusCode).toBe(401)
    const stranger = await other.post('/auth/email/confirm', { token })
    expect([stranger.statusCode, codeOf(stranger)]).toEqual([400, 'invalid_or_expired_token'])
    expect(await emailOf(person)).toBe(person.account.email)

    expect((await person.post('/auth/email/confirm', { token })).statusCode).toBe(200)
    expect((await me(test.app, person.headers)).json()).toMatchObject({ email: address, email_verified: true })
    expect((await login(test.app, address)).statusCode).toBe(200)
    expect((await login(test.app, person.account.email)).statusCode).toBe(401)
    expect((await person.post('/auth/email/confirm', { token })).statusCode).toBe(400)
  })

  it('is answered in the same way when another account has it, and an email there states it', async () => {
    const [person, other] = [await owner(), await owner()]
    const free = await person.post('/auth/email', { new_email: fresh() })
    const taken = await person.post('/auth/email', { new_email: other.account.email })
    expect([taken.statusCode, taken.json()]).toEqual([free.statusCode, free.json()])
    const { text } = await box.take(other.account.email, 'newAddress')
    expect(text).toContain('already belongs to your account')
    expect(text).not.toContain('token=')
  })

  it('needs a recent sign-in or the password', async () => {
    const person = await time.daysAgo(1, owner)
    const old = await person.post('/auth/email', { new_email: fresh() })
    expect([old.statusCode, codeOf(old)]).toEqual([403, 'recent_sign_in_required'])
    const wrong = await person.post('/auth/email', { new_email: fresh(), password: 'Wrong password 1' })
    expect([wrong.statusCode, codeOf(wrong)]).toEqual([401, 'wrong_password'])
    expect((await person.post('/auth/email', { new_email: fresh(), password: PASSWORD })).statusCode).toBe(202)
  })

  it('is refused to API keys, and when it is the present one', async () => {
    const person = await owner()
    const { key } = (await person.post('/api-keys', { name: 'key' })).json()
    expect((await public_().post('/auth/email', { new_email: fresh() }, { 'x-api-key': key })).statusCode).toBe(403)
    const same = await person.post('/auth/email', { new_email: person.account.email.toUpperCase() })
    expect([same.statusCode, codeOf(same)]).toEqual([400, 'email_unchanged'])
  })

  it('is sent at most ten times an hour by one account', async () => {
    let asked = 0
    const hit = (key: string) => ({
      count: key.startsWith('email-change:') ? ++asked : 1,
      resetAtMs: time.clock().getTime() + 3_600_000,
    })
    const store = { hit, hitMany: (batch: readonly { readonly key: string }[]) => batch.map(({ key }) => hit(key)) }
    const limited = await createTestApp({ limits: { rateLimit: { multiplier: 1, store } }, clock: time.clock })
    const person = await signUp(limited.app)
    const answers: number[] = []
    for (let times = 0; times < 11; times++)
      answers.push((await person.post('/auth/email', { new_email: fresh() })).statusCode)
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 202), 400])
    await limited.close()
  })

  it('makes no administrator before the account owns it', async () => {
    const person = await owner()
    const token = await asked(person, ADMIN)
    expect((await person.get('/admin/stats')).statusCode).toBe(403)
    await person.post('/auth/email/confirm', { token })
    const administers = async (address: string) => {
      const { token: bearer } = (await login(test.app, address)).json()
      return (await public_().get('/admin/stats', { authorization: `Bearer ${bearer}` })).statusCode
    }
    expect(await administers(ADMIN)).toBe(200)
    expect(await undo(tokenIn(await box.take(person.account.email, 'addressChanged')))).toBe(200)
    await reset(tokenIn(await box.take(person.account.email, 'addressRestored')), PASSWORD)
    expect(await administers(person.account.email)).toBe(403)
  })

  it('goes to one of two accounts that confirm it', async () => {
    const [one, two, address] = [await owner(), await owner(), fresh()]
    const tokens = [await asked(one, address), await asked(two, address)]
    const answers = await Promise.all(
      [one, two].map((person, index) => person.post('/auth/email/confirm', { token: tokens[index] })),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  })
})

describe('a former address', () => {
  it('undoes the change, and ends the sessions and what was added lately', async () => {
    const person = await owner()
    const { id } = person.account
    const old = new Date(time.clock().getTime() - 73 * 3_600_000)
    const recent = new Date(time.clock().getTime() - 71 * 3_600_000)
    const kept = (await time.at(old.getTime(), () => person.post('/api-keys', { name: 'old' }))).json().key
    const added = (await time.at(recent.getTime(), () => person.post('/api-keys', { name: 'added' }))).json().key
    await test.storage.transaction(async (tx) => {
      for (const createdAt of [old, recent]) {
        await tx.passkeys?.insert(newPasskey(id, { createdAt, name: createdAt === old ? 'old' : 'added' }), 20)
        await tx.identities?.insert(newIdentity(id, { createdAt, provider: createdAt === old ? 'old' : 'added' }))
      }
      await tx.secondFactors?.begin(id, 'sealed', recent)
      await tx.secondFactors?.confirm(id, 'sealed', 1, [])
    })
    const apps = [await connectApp(test.storage, id, old), await connectApp(test.storage, id, recent)]
    const token = await changed(person, fresh())
    const undone = await public_().post('/auth/email/undo', { token })
    expect(undone.statusCode, undone.body).toBe(200)

    expect((await me(test.app, person.headers)).statusCode).toBe(401)
    const statusOf = async (key: string) => (await me(test.app, { 'x-api-key': key })).statusCode
    expect([await statusOf(kept), await statusOf(added)]).toEqual([200, 401])
    const { read } = test.storage
    expect((await read.passkeys?.listOfAccount(id))?.map(({ name }) => name)).toEqual(['old'])
    expect((await read.identities?.listOfAccount(id))?.map(({ provider }) => provider)).toEqual(['old'])
    expect(await read.secondFactors?.get(id)).toBeUndefined()
    const isConnected = async (token: string) =>
      (await read.connectedApps?.getByAccessHash(token, time.clock())) !== undefined
    expect([await isConnected(apps[0] ?? ''), await isConnected(apps[1] ?? '')]).toEqual([true, false])
    await reset(tokenIn(await box.take(person.account.email, 'addressRestored')), PASSWORD)
    const again = await login(test.app, person.account.email)
    expect([again.statusCode, again.json().user.email]).toEqual([200, person.account.email])
    // A reset of the password ends all.
    expect(await isConnected(apps[0] ?? '')).toBe(false)
  })

  it('ends the password, which the person of the new address may have set', async () => {
    const [person, second, theirs] = [await owner(), fresh(), 'Another horse 8 battery']
    const { email, id } = person.account
    const token = await changed(person, second)
    await forgot(second, theirs)
    expect((await login(test.app, second, theirs)).statusCode).toBe(200)

    expect(await undo(token)).toBe(200)
    const signIns = [
      await login(test.app, email, theirs),
      await login(test.app, email),
      await login(test.app, second, theirs),
    ]
    expect(signIns.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401])
    expect(await test.storage.read.accounts.getPasswordHash(id)).toBeNull()
    const mine = 'Correct horse 9 staple'
    await reset(tokenIn(await box.take(email, 'addressRestored')), mine)
    expect((await login(test.app, email, mine)).statusCode).toBe(200)
  })

  it('gets another link to choose a password when the first one was not used', async () => {
    const person = await owner()
    const { email } = person.account
    expect(await undo(await changed(person, fresh()))).toBe(200)
    await forgot(email, 'Correct horse 9 staple')
    expect((await login(test.app, email, 'Correct horse 9 staple')).statusCode).toBe(200)
  })

  it('keeps its link when a later change is undone from a later address', async () => {
    const [person, second, third] = [await owner(), fresh(), fresh()]
    const { email, id } = person.account
    const first = await changed(person, second)
    const later = await changed(person, third, second)
    expect(await undo(later)).toBe(200)
    const { read } = test.storage
    expect((await read.accounts.get(id))?.email).toBe(second)

    await reset(tokenIn(await box.take(second, 'addressRestored')), PASSWORD)
    const { token } = (await login(test.app, second)).json()
    const headers = { authorization: `Bearer ${token}` }
    const intruder = { ...public_().with(headers), token, headers, account: person.account }
    const { key } = (await intruder.post('/api-keys', { name: 'theirs' })).json()
    const latest = await changed(intruder, fresh(), second)
    expect(await undo(first)).toBe(200)
    expect(await read.accounts.get(id)).toMatchObject({ email, emailOwned: true })
    expect((await me(test.app, { 'x-api-key': key })).statusCode).toBe(401)
    expect((await me(test.app, headers)).statusCode).toBe(401)
    expect([await undo(latest), await undo(first)]).toEqual([400, 400])
  })

  it('undoes several changes in a row, for 72 hours, once', async () => {
    const [person, second] = [await owner(), fresh()]
    const first = await changed(person, second)
    const later = await changed(person, fresh(), second)
    const answers = await Promise.all([1, 2, 3].map(() => public_().post('/auth/email/undo', { token: first })))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400])
    // The link to the address in between ended with it.
    expect((await public_().post('/auth/email/undo', { token: later })).statusCode).toBe(400)
    const account = await test.storage.read.accounts.get(person.account.id)
    expect(account?.email).toBe(person.account.email)
  })

  it('comes back from an account that took it and never owned it', async () => {
    const person = await owner()
    const token = await changed(person, fresh())
    const squatter = await register(test.app, {
      email: person.account.email,
      password: PASSWORD,
      username: `squatter-${++count}`,
    })
    expect(squatter.statusCode).toBe(201)
    expect((await public_().post('/auth/email/undo', { token })).statusCode).toBe(200)
    const holder = await test.storage.read.accounts.get({ email: person.account.email })
    expect(holder?.id).toBe(person.account.id)
  })

  it('does not come back from an account that owns it', async () => {
    const person = await owner()
    const token = await changed(person, fresh())
    const body = { email: person.account.email, password: PASSWORD, username: `heir-${++count}` }
    const heir = (await register(test.app, body)).json().user
    await proveAddress({ storage: test.storage }, { account: heir })
    const refused = await public_().post('/auth/email/undo', { token })
    expect([refused.statusCode, codeOf(refused)]).toEqual([409, 'email_taken'])
    expect((await me(test.app, person.headers)).statusCode).toBe(200)
  })

  it('gets no link when the account never proved to own it', async () => {
    const person = await signUp(test.app)
    const answer = await person.post('/auth/email/confirm', { token: await asked(person, fresh()) })
    expect(answer.statusCode).toBe(200)
    const { text } = await box.take(person.account.email, 'addressChanged')
    expect(text).not.toContain('token=')
  })
})

describe('emails that a mailer keeps', () => {
  it('are erased for an address that was replaced, but for the one that states it', async () => {
    const [person, address] = [await owner(), fresh()]
    const former = person.account.email
    const kept = (to: string) => box.mails.filter((mail) => mail.to === to).map(({ subject }) => subject)
    await vi.waitFor(() => expect(kept(former)).not.toEqual([]))
    const link = await changed(person, address)
    expect(kept(former)).toEqual([])

    await person.post('/auth/account/delete-code')
    await vi.waitFor(() => expect(kept(address)).not.toEqual([]))
    expect(await undo(link)).toBe(200)
    expect(kept(address)).toEqual([])
  })

  it('stay with an address that the account never proved to own', async () => {
    const person = await signUp(test.app)
    await vi.waitFor(() => expect(box.mails.some(({ to }) => to === person.account.email)).toBe(true))
    await person.post('/auth/email/confirm', { token: await asked(person, fresh()) })
    await box.take(person.account.email, 'addressChanged')
    expect(box.mails.some(({ to }) => to === person.account.email)).toBe(true)
  })
})

describe('the pages of the emailed links', () => {
  it('change the address with one button, after signing in', async () => {
    const [person, address] = [await owner(), fresh()]
    const token = await asked(person, address)
    const tab = openBrowser(test.app)
    const path = `/email/change?token=${token}`
    expect(leadsTo(await tab.open(path))).toEqual([303, `/login?next=${encodeURIComponent(path)}`])
    await tab.submit('/login', { email: person.account.email, password: PASSWORD })
    expect((await tab.open(path)).statusCode).toBe(200)
    expect(await emailOf(person)).toBe(person.account.email)
    expect(leadsTo(await tab.submit('/email/change', { token }))).toEqual([303, '/email/change?done=yes'])
    expect(sentencesOf(await tab.open('/email/change?done=yes'))).toContain('Your email address was changed.')
    expect(await emailOf(person)).toBe(address)
  })

  it('undo the change with one button, and not by opening the page', async () => {
    const [person, address] = [await owner(), fresh()]
    const token = await changed(person, address)
    const tab = openBrowser(test.app)
    expect((await tab.open(`/email/undo?token=${token}`)).statusCode).toBe(200)
    expect(await emailOf(person)).toBe(address)
    expect(leadsTo(await tab.submit('/email/undo', { token }))).toEqual([303, '/email/undo?done=yes'])
    const used = await tab.submit('/email/undo', { token })
    expect([used.statusCode, sentencesOf(used).includes('is invalid')]).toEqual([400, true])
    expect((await tab.open('/email/undo')).statusCode).toBe(400)
  })
})
