import { createHash } from 'node:crypto'
import { endOfLog, eventsAfter } from '@eep/core/testing'
import { describe, expect, it } from 'vitest'
import { codeOf, login, me, newRegistration, PASSWORD, register, sessionCookieOf, signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { openInstances } from '../support/instances.ts'
import { codeIn, createMailbox } from '../support/mailbox.ts'
import { countingAllButRequests } from '../support/rate-limits.ts'

const DAY_MS = 86_400_000

const mailbox = createMailbox()
const { clock, at } = createClock()
const { database, instance } = await openInstances({ clock, email: { mailer: mailbox.mailer } })
const app = await instance()

type Headers = Record<string, string>

const leave = (headers: Headers, payload?: object) => client(app).send('DELETE', '/auth/account', payload, headers)
const askForCode = (headers: Headers) => client(app).with(headers).post('/auth/account/delete-code')
async function newCode({ headers, account }: { headers: Headers; account: { email: string } }): Promise<string> {
  expect((await askForCode(headers)).statusCode).toBe(200)
  return codeIn(await mailbox.take(account.email, 'code'))
}
const anotherCode = (code: string, step = 1) => String((Number(code) + step) % 1_000_000).padStart(6, '0')

describe('DELETE /auth/account', () => {
  it('schedules the deletion in 30 days after a password check, ends all sessions and sends an email', async () => {
    const { account, headers } = await signUp(app)
    const response = await leave(headers, { password: PASSWORD })
    expect(response.statusCode).toBe(200)
    const date = new Date(clock().getTime() + 30 * DAY_MS).toISOString()
    expect(response.json()).toEqual({ success: true, deletion_scheduled_at: date })
    expect(sessionCookieOf(response)).toMatchObject({ value: '', maxAge: 0 })
    expect((await me(app, headers)).statusCode).toBe(401)
    expect((await mailbox.take(account.email, 'deletion')).text).toContain(date.slice(0, 10))
  })

  it('schedules the deletion with the code of an email', async () => {
    const user = await signUp(app)
    expect((await leave(user.headers, { code: await newCode(user) })).statusCode).toBe(200)
    expect((await me(app, user.headers)).statusCode).toBe(401)
  })

  it.each([
    ['nothing', undefined],
    ['no proof', {}],
    ['a password and a code', { password: PASSWORD, code: '123456' }],
    ['a code of another type', { code: 123_456 }],
    ['a field that it does not know', { password: PASSWORD, now: true }],
  ])('refuses %s', async (_what, body) => {
    const { headers } = await signUp(app)
    const response = await leave(headers, body)
    expect(response.statusCode).toBe(400)
    expect(codeOf(response)).toBe('validation_failed')
    expect((await me(app, headers)).statusCode).toBe(200)
  })

  it('invalidates the code after five wrong attempts', async () => {
    const patient = await signUp(app)
    const code = await newCode(patient)
    for (let step = 1; step <= 4; step++) {
      const response = await leave(patient.headers, { code: anotherCode(code, step) })
      expect(response.statusCode).toBe(401)
      expect(codeOf(response)).toBe('wrong_code')
    }
    expect((await leave(patient.headers, { code })).statusCode).toBe(200)

    const clumsy = await signUp(app)
    const other = await newCode(clumsy)
    for (let step = 1; step <= 5; step++) await leave(clumsy.headers, { code: anotherCode(other, step) })
    const late = await leave(clumsy.headers, { code: other })
    expect(late.statusCode).toBe(400)
    expect(codeOf(late)).toBe('no_code_requested')
  })

  it('counts each of many concurrent guesses of a code', async () => {
    const user = await signUp(app)
    const code = await newCode(user)
    const guesses = await Promise.all(
      Array.from({ length: 20 }, (_, step) => leave(user.headers, { code: anotherCode(code, step + 1) })),
    )
    expect(guesses.filter((response) => codeOf(response) === 'wrong_code')).toHaveLength(5)
    expect(codeOf(await leave(user.headers, { code }))).toBe('no_code_requested')
  })

  it('accepts only the newest code of the account, for ten minutes', async () => {
    const user = await signUp(app)
    const expired = await at(clock().getTime() - 601_000, () => newCode(user))
    const response = await leave(user.headers, { code: expired })
    expect(response.statusCode).toBe(400)
    expect(codeOf(response)).toBe('code_expired')

    const older = await newCode(user)
    const newer = await newCode(user)
    if (older !== newer) expect((await leave(user.headers, { code: older })).statusCode).toBe(401)
    const other = await signUp(app)
    await newCode(other)
    expect((await leave(other.headers, { code: newer })).statusCode).toBe(401)
    expect((await leave(user.headers, { code: newer })).statusCode).toBe(200)
  })

  it('accepts the code from exactly one of 20 concurrent requests', async () => {
    const user = await signUp(app)
    const code = await newCode(user)
    const answers = await Promise.all(Array.from({ length: 20 }, () => leave(user.headers, { code })))
    const statuses = answers.map(({ statusCode }) => statusCode).sort()
    expect(statuses[0]).toBe(200)
    expect(new Set(statuses.slice(1))).toEqual(new Set([401]))
  })

  it('schedules the deletion once when many request it concurrently', async () => {
    const { account, headers } = await signUp(app)
    const start = await endOfLog(database.storage)
    await Promise.all(Array.from({ length: 8 }, () => leave(headers, { password: PASSWORD })))
    const events = await eventsAfter(database.storage, start)
    const scheduled = events.filter(({ type, accountId }) => type.endsWith('_scheduled') && accountId === account.id)
    expect(scheduled).toHaveLength(1)
  })

  it('revokes the API keys of the account, and does not let keys delete it', async () => {
    const { headers } = await signUp(app)
    const { key } = (await client(app).post('/api-keys', { name: 'a script' }, headers)).json()
    expect((await leave({ 'x-api-key': key }, { password: PASSWORD })).statusCode).toBe(403)
    await leave(headers, { password: PASSWORD })
    expect((await me(app, { 'x-api-key': key })).statusCode).toBe(401)
  })

  it('keeps username and email address reserved', async () => {
    const body = newRegistration()
    const headers = { authorization: `Bearer ${(await register(app, body)).json().token}` }
    await leave(headers, { password: PASSWORD })
    expect(codeOf(await register(app, { ...newRegistration(), email: body.email }))).toBe('email_taken')
    expect(codeOf(await register(app, newRegistration(body.username)))).toBe('email_taken')
    expect(codeOf(await register(app, { ...newRegistration(), username: body.username }))).toBe('username_taken')
    const { available } = (await client(app).get(`/check-username?username=${body.username}`)).json()
    expect(available).toBe(false)
  })
})

describe('POST /auth/account/delete-code', () => {
  it('sends an account ten codes per hour, and keeps the last one valid', async () => {
    const limited = await instance({ limits: { rateLimit: { multiplier: 1, store: countingAllButRequests() } } })
    const { account, headers } = await signUp(app)
    for (let round = 0; round < 12; round++) {
      expect((await client(limited).with(headers).post('/auth/account/delete-code')).statusCode).toBe(200)
    }
    let code = ''
    for (let round = 0; round < 10; round++) code = codeIn(await mailbox.take(account.email, 'code'))
    expect(await mailbox.has(account.email, 'code')).toBe(false)
    expect((await leave(headers, { code })).statusCode).toBe(200)
  })

  it('stores codes as keyed hashes, because a plain digest could be guessed', async () => {
    const user = await signUp(app)
    const code = await newCode(user)
    const kept = await database.storage.read.tokens.getNewest('delete_account', user.account.id)
    for (const text of [code, `${user.account.id}:${code}`]) {
      expect(kept?.hash).not.toBe(createHash('sha256').update(text).digest('hex'))
    }
    expect(kept?.triesLeft).toBe(5)
  })

  it('responds before the email with the code is sent, and when sending fails', async () => {
    const failing = await instance({ email: { mailer: { send: () => Promise.reject(new Error('down')) } } })
    const { headers } = await signUp(failing)
    const response = await client(failing).with(headers).post('/auth/account/delete-code')
    expect(response.statusCode).toBe(200)
    expect((await client(failing).post('/auth/account/delete-code')).statusCode).toBe(401)
  })
})

describe('signing in', () => {
  it('cancels a deletion by signing in within 30 days, and not afterwards', async () => {
    const { account, headers } = await signUp(app)
    const present = clock().getTime()
    await leave(headers, { password: PASSWORD })
    await at(present + 29 * DAY_MS, async () => {
      const response = await login(app, account.email)
      expect(response.statusCode).toBe(200)
      expect(response.json().user).toMatchObject({
        deletion_scheduled_at: null,
        profiles: [{ username: account.username }],
      })
      expect((await client(app).get(`/u/${account.username}`)).statusCode).toBe(200)
      await leave({ authorization: `Bearer ${response.json().token}` }, { password: PASSWORD })
    })
    await at(present + 60 * DAY_MS, async () => {
      expect((await login(app, account.email)).statusCode).toBe(401)
      expect((await client(app).get(`/u/${account.username}`)).statusCode).toBe(404)
    })
  })
})
