import { endOfLog, eventsAfter } from '@eep/core/testing'
import { describe, expect, it } from 'vitest'
import { codeOf, login, me, newRegistration, register, signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { openInstances } from '../support/instances.ts'
import { createMailbox, tokenIn } from '../support/mailbox.ts'
import { countingAllButRequests } from '../support/rate-limits.ts'

const mailbox = createMailbox()
const { clock, at } = createClock()
const { database, instance } = await openInstances({ clock, email: { mailer: mailbox.mailer } })
const app = await instance()

const verify = (token: string, headers?: Record<string, string>) => client(app).post('/auth/verify', { token }, headers)
const resend = (headers: Record<string, string>) => client(app).with(headers).post('/auth/resend-verification')
const sentToken = async (email: string) => tokenIn(await mailbox.take(email, 'verification'))
const isVerified = async (headers: Record<string, string>) => (await me(app, headers)).json().email_verified

describe('POST /auth/verify', () => {
  it('verifies an address with the token of the registration email', async () => {
    const { account, headers } = await signUp(app)
    expect(await isVerified(headers)).toBe(false)
    const mail = await mailbox.take(account.email, 'verification')
    expect(mail.text).toMatch(/^https:\/\/profiles\.example\/verify\?token=[\w-]{43}$/m)
    const response = await verify(tokenIn(mail), headers)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({ success: true })
    expect(await isVerified(headers)).toBe(true)
  })

  it('lets exactly one of 20 concurrent requests use a verification token', async () => {
    const { account } = await signUp(app)
    const token = await sentToken(account.email)
    const responses = await Promise.all(Array.from({ length: 20 }, () => verify(token)))
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    const losers = responses.filter(({ statusCode }) => statusCode !== 200)
    expect(new Set(losers.map(codeOf))).toEqual(new Set(['invalid_or_expired_token']))
  })

  it('takes a token for 24 hours', async () => {
    const late = await at(Date.now() - 86_405_000, () => signUp(app))
    expect(codeOf(await verify(await sentToken(late.account.email)))).toBe('invalid_or_expired_token')
    const inTime = await at(Date.now() - 86_340_000, () => signUp(app))
    expect((await verify(await sentToken(inTime.account.email))).statusCode).toBe(200)
  })

  it('refuses invented tokens', async () => {
    for (const token of ['x', 'a'.repeat(43), '../../etc/passwd', '💩']) {
      const response = await verify(token)
      expect(response.statusCode).toBe(400)
      expect(codeOf(response)).toBe('invalid_or_expired_token')
    }
    expect(codeOf(await verify('a\u0000b'))).toBe('validation_failed')
  })

  it('emits an event for the verification', async () => {
    const { account, headers } = await signUp(app)
    const start = await endOfLog(database.storage)
    await verify(await sentToken(account.email), headers)
    const told = await eventsAfter(database.storage, start)
    // The trust levels of other accounts may change meanwhile.
    const aboutAccount = told.filter(({ accountId }) => accountId === account.id)
    expect(aboutAccount).toMatchObject([{ type: 'accounts.email_verified' }])
  })
})

describe('POST /auth/resend-verification', () => {
  it('sends another link, and the one before is dead', async () => {
    const { account, headers } = await signUp(app)
    const first = await sentToken(account.email)
    expect((await resend(headers)).statusCode).toBe(200)
    const second = await sentToken(account.email)
    expect(codeOf(await verify(first))).toBe('invalid_or_expired_token')
    expect((await verify(second)).statusCode).toBe(200)
  })

  it('sends one verification email a minute, also under concurrent requests', async () => {
    const { account, headers } = await signUp(app)
    const responses = await Promise.all(Array.from({ length: 8 }, () => resend(headers)))
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    const refused = responses.filter(({ statusCode }) => statusCode !== 200)
    expect(new Set(refused.map(({ statusCode }) => statusCode))).toEqual(new Set([400]))
    expect(new Set(refused.map(codeOf))).toEqual(new Set(['verification_sent']))
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await at(clock().getTime() + 61_000, () => resend(headers))).statusCode).toBe(200)
    await mailbox.take(account.email, 'verification')
  })

  it('sends one account ten an hour, and leaves the last one good', async () => {
    const limited = await instance({ limits: { rateLimit: { multiplier: 1, store: countingAllButRequests() } } })
    const { account, headers } = await signUp(app)
    await sentToken(account.email)
    const start = clock().getTime()
    let last = ''
    for (let minute = 1; minute <= 12; minute++) {
      const response = await at(start + minute * 61_000, () =>
        client(limited).with(headers).post('/auth/resend-verification'),
      )
      expect(response.statusCode).toBe(minute <= 10 ? 200 : 400)
      if (minute <= 10) last = await sentToken(account.email)
      else expect(codeOf(response)).toBe('verification_sent')
      if (minute > 10) expect(Number(response.headers['retry-after'])).toBeGreaterThan(60)
    }
    expect((await verify(last)).statusCode).toBe(200)
  })

  it('sends nothing to an address that is verified', async () => {
    const { account, headers } = await signUp(app)
    await verify(await sentToken(account.email), headers)
    const response = await resend(headers)
    expect(response.statusCode).toBe(400)
    expect(codeOf(response)).toBe('already_verified')
  })
})

describe('an administrator', () => {
  it('is recognized after verifying an address in auth.adminEmails', async () => {
    const chief = newRegistration()
    const other = newRegistration()
    const administered = await instance({ auth: { adminEmails: [chief.email.toUpperCase()] } })
    for (const body of [chief, other]) {
      const { token, user } = (await register(administered, body)).json()
      const headers = { authorization: `Bearer ${token}` }
      expect(user.isAdmin).toBe(false)
      await client(administered).post('/auth/verify', { token: await sentToken(body.email) }, headers)
      const isChief = body === chief
      expect((await me(administered, headers)).json()).toMatchObject({ email_verified: true, isAdmin: false })
      expect((await login(administered, body.email)).json().user.isAdmin).toBe(isChief)
      const { key } = (await client(administered).post('/api-keys', { name: 'a script' }, headers)).json()
      expect((await me(administered, { 'x-api-key': key })).json()).not.toHaveProperty('isAdmin')
    }
  })
})
