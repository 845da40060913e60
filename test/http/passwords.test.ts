import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import {
  codeOf,
  login,
  me,
  newName,
  PASSWORD,
  register,
  sessionCookieOf,
  shareOfSlower,
  signUp,
} from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { openInstances } from '../support/instances.ts'
import { createMailbox, tokenIn } from '../support/mailbox.ts'

const OTHER = 'Another staple 8 horse'

const mailbox = createMailbox()
const { clock, at } = createClock()
const { database, instance } = await openInstances({ clock, email: { mailer: mailbox.mailer } })
const app = await instance()

const forgot = (email: string) => client(app).post('/auth/forgot-password', { email })
const reset = (token: string, password = OTHER) => client(app).post('/auth/reset-password', { token, password })
const change = (headers: Record<string, string>, current_password: string, new_password: string) =>
  client(app).put('/auth/change-password', { current_password, new_password }, headers)

/** The token in the email to an account. */
async function resetToken(email: string): Promise<string> {
  await forgot(email)
  return tokenIn(await mailbox.take(email, 'reset'))
}

const WEAK = [
  ['short', 'Short 1'],
  ['without an uppercase letter', 'correct horse 7 battery'],
  ['without a lowercase letter', 'CORRECT HORSE 7 BATTERY'],
  ['without a number', 'Correct horse battery'],
  ['among the most common', 'Password1'],
  ['of 129 characters', `A1${'a'.repeat(127)}`],
] as const

describe('auth.passwordHashing.concurrency', () => {
  it.each([
    [1, false],
    [1_000, true],
  ])('of %i is reduced with a warning in the log: %s', async (concurrency, warns) => {
    const lines: string[] = []
    const stream = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk))
        done()
      },
    })
    const options = { storage: database.storage, auth: { passwordHashing: { memoryKiB: 1_024, concurrency } } }
    const test = await createTestApp(options, { logger: { level: 'warn', stream } })
    await test.close()
    expect(lines.some((line) => line.includes('auth.passwordHashing.concurrency is reduced'))).toBe(warns)
  })
})

describe('POST /auth/forgot-password', () => {
  it('sends a link with the configured URL, whatever the Host header', async () => {
    const { account } = await signUp(app)
    const response = await client(app).post('/auth/forgot-password', { email: account.email }, { host: 'evil.example' })
    expect(response.statusCode).toBe(200)
    const mail = await mailbox.take(account.email, 'reset')
    expect(mail.text).toMatch(/^https:\/\/profiles\.example\/reset-password\?token=[\w-]{43}$/m)
    expect(mail.html).toContain('<a href="https://profiles.example/reset-password?token=')
    expect(mail.text + mail.html).not.toContain('evil.example')
  })

  it('links to a page of the host if it is configured', async () => {
    const hosted = await instance({
      frontendUrls: { resetPassword: 'https://app.example/account/new-password?from=mail' },
    })
    const { account } = await signUp(hosted)
    await client(hosted).post('/auth/forgot-password', { email: account.email })
    const mail = await mailbox.take(account.email, 'reset')
    expect(mail.text).toMatch(/^https:\/\/app\.example\/account\/new-password\?from=mail&token=[\w-]{43}$/m)
    expect(mail.html).toContain('?from=mail&amp;token=')
  })

  it('responds the same for an address without an account, and sends nothing', async () => {
    const { account } = await signUp(app)
    const [known, unknown] = [await forgot(account.email), await forgot('unknown@example.com')]
    expect([known.statusCode, unknown.statusCode]).toEqual([200, 200])
    expect(unknown.body).toBe(known.body)
    expect(Object.keys(unknown.headers)).toEqual(Object.keys(known.headers))
    expect(await mailbox.has('unknown@example.com', 'reset')).toBe(false)
  })

  it('takes as long for an address without an account', async () => {
    const quiet = await instance({ limits: { rateLimit: { multiplier: 1_000_000 } } })
    const { account } = await signUp(quiet)
    const share = await shareOfSlower(account.email, (email) => client(quiet).post('/auth/forgot-password', { email }))
    expect(share).toBeGreaterThan(0.3)
    expect(share).toBeLessThan(0.7)
  })

  it('sends an account at most ten emails an hour', async () => {
    const limited = await instance({ limits: { rateLimit: { multiplier: 1 } } })
    const { account } = await signUp(app)
    for (let round = 0; round < 12; round++) {
      // Each from another address, which the limit of requests does not see as one.
      const remoteAddress = `192.0.2.${round}`
      const payload = { email: account.email }
      const response = await limited.inject({ method: 'POST', url: '/auth/forgot-password', payload, remoteAddress })
      expect(response.statusCode).toBe(200)
    }
    for (let round = 0; round < 10; round++) await mailbox.take(account.email, 'reset')
    expect(await mailbox.has(account.email, 'reset')).toBe(false)
  })

  it('answers when no mailer is set and when the mailer fails, and logs no token', async () => {
    const lines: string[] = []
    const note = (details: object, message: string) => void lines.push(JSON.stringify({ ...details, message }))
    const logger = { info: note, warn: note, error: note }
    const without = await instance({ email: { mailer: undefined }, logger })
    const sent: string[] = []
    const failing = await instance({
      logger,
      email: {
        mailer: {
          async send({ text }) {
            sent.push(text)
            throw new Error(`550 refused: ${text}`)
          },
        },
      },
    })
    const { account } = await signUp(without)
    for (const each of [without, failing]) {
      expect((await client(each).post('/auth/forgot-password', { email: account.email })).statusCode).toBe(200)
    }
    await expect.poll(() => lines.filter((line) => line.includes('"password-reset"'))).toHaveLength(2)
    const [text = ''] = sent
    expect(lines.join('\n')).not.toContain(tokenIn({ text }))
    expect(lines.join('\n')).toContain('no mailer is configured')
  })

  it('answers immediately while the mailer hangs', async () => {
    const held = Promise.withResolvers<void>()
    const hanging = await instance({ email: { mailer: { send: () => held.promise } } })
    const { account } = await signUp(app)
    for (let round = 0; round < 10; round++) {
      expect((await client(hanging).post('/auth/forgot-password', { email: account.email })).statusCode).toBe(200)
    }
    // The service waits for emails when it stops.
    held.resolve()
  })
})

describe('POST /auth/reset-password', () => {
  it('sets the password, verifies the address and ends every session', async () => {
    const { account, headers } = await signUp(app)
    const response = await reset(await resetToken(account.email))
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({ success: true })
    expect((await me(app, headers)).statusCode).toBe(401)
    expect((await login(app, account.email)).statusCode).toBe(401)
    const again = await login(app, account.email, OTHER)
    expect(again.statusCode).toBe(200)
    expect(again.json().user.email_verified).toBe(true)
    await mailbox.take(account.email, 'changed')
  })

  it.each(WEAK)('refuses a password that is %s, and keeps the token', async (_what, password) => {
    const { account } = await signUp(app)
    const token = await resetToken(account.email)
    const response = await reset(token, password)
    expect(response.statusCode).toBe(400)
    expect(codeOf(response)).toBe('weak_password')
    expect((await reset(token)).statusCode).toBe(200)
  })

  it('lets exactly one of 20 concurrent requests use a reset token', async () => {
    const { account } = await signUp(app)
    const token = await resetToken(account.email)
    const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => reset(token, `${OTHER} ${index}`)))
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    const losers = responses.filter(({ statusCode }) => statusCode !== 200)
    expect(new Set(losers.map(codeOf))).toEqual(new Set(['invalid_or_expired_token']))
  })

  it('accepts only the newest token', async () => {
    const { account } = await signUp(app)
    const [older, newer] = [await resetToken(account.email), await resetToken(account.email)]
    expect(codeOf(await reset(older))).toBe('invalid_or_expired_token')
    expect((await reset(newer)).statusCode).toBe(200)
  })

  it('accepts a token for an hour', async () => {
    const { account } = await signUp(app)
    const late = await at(Date.now() - 3_605_000, () => resetToken(account.email))
    expect(codeOf(await reset(late))).toBe('invalid_or_expired_token')
    const inTime = await at(Date.now() - 3_540_000, () => resetToken(account.email))
    expect((await reset(inTime)).statusCode).toBe(200)
  })

  it('refuses tokens of other purposes, session tokens and invented tokens', async () => {
    const { account, token } = await signUp(app)
    const verification = tokenIn(await mailbox.take(account.email, 'verification'))
    for (const wrong of [verification, token.slice(0, 256), 'a'.repeat(43), `${verification}=`, "' or 1=1 --", '💩']) {
      const response = await reset(wrong)
      expect(response.statusCode).toBe(400)
      expect(codeOf(response)).toBe('invalid_or_expired_token')
    }
  })

  it('stores tokens as digests only', async () => {
    const { account } = await signUp(app)
    const token = await resetToken(account.email)
    const kept = await database.storage.read.tokens.getNewest('reset_password', account.id)
    expect(kept?.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(kept)).not.toContain(token)
  })

  it('ends all access of a user who registered with another person’s address', async () => {
    // A squatter registers with the address of Grace, before she does.
    const squatter = await signUp(app)
    const { email } = squatter.account
    const key = await squatter.post('/api-keys', { name: 'a way back in' })
    // Grace cannot register, and asks for a new password.
    expect(codeOf(await register(app, { email, username: newName(), password: PASSWORD }))).toBe('email_taken')
    expect((await reset(await resetToken(email))).statusCode).toBe(200)
    expect((await me(app, squatter.headers)).statusCode).toBe(401)
    expect((await login(app, email)).statusCode).toBe(401)
    expect((await me(app, { 'x-api-key': key.json().key })).statusCode).toBe(401)
    expect((await login(app, email, OTHER)).statusCode).toBe(200)
  })

  it('keeps the API keys of a verified account', async () => {
    const { account, headers } = await signUp(app)
    await client(app).post(
      '/auth/verify',
      { token: tokenIn(await mailbox.take(account.email, 'verification')) },
      headers,
    )
    const { key } = (await client(app).post('/api-keys', { name: 'a script' }, headers)).json()
    expect((await reset(await resetToken(account.email))).statusCode).toBe(200)
    expect((await me(app, { 'x-api-key': key })).statusCode).toBe(200)
  })
})

describe('PUT /auth/change-password', () => {
  it('ends every other session and keeps the caller signed in', async () => {
    const { account, headers } = await signUp(app)
    const elsewhere = (await login(app, account.email)).json().token
    const response = await change(headers, PASSWORD, OTHER)
    expect(response.statusCode).toBe(200)
    expect(response.headers['cache-control']).toBe('no-store')
    const { token, user } = response.json()
    expect(user.id).toBe(account.id)
    expect(sessionCookieOf(response)).toMatchObject({ httpOnly: true, maxAge: 604_800 })
    expect((await me(app, headers)).statusCode).toBe(401)
    expect((await me(app, { authorization: `Bearer ${elsewhere}` })).statusCode).toBe(401)
    expect((await me(app, { authorization: `Bearer ${token}` })).statusCode).toBe(200)
    expect((await login(app, account.email)).statusCode).toBe(401)
    expect((await login(app, account.email, OTHER)).statusCode).toBe(200)
    await mailbox.take(account.email, 'changed')
  })

  it('refuses a wrong current password and changes nothing', async () => {
    const { account, headers } = await signUp(app)
    const response = await change(headers, 'Wrong password 1', OTHER)
    expect(response.statusCode).toBe(401)
    expect(codeOf(response)).toBe('wrong_password')
    expect((await me(app, headers)).statusCode).toBe(200)
    expect((await login(app, account.email)).statusCode).toBe(200)
  })

  it.each(WEAK)('refuses a password that is %s', async (_what, password) => {
    const { headers } = await signUp(app)
    const response = await change(headers, PASSWORD, password)
    expect(response.statusCode).toBe(400)
    expect(codeOf(response)).toBe('weak_password')
  })

  it('lets exactly one of many concurrent requests change the password', async () => {
    const { headers } = await signUp(app)
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) => change(headers, PASSWORD, `${OTHER} ${index}`)),
    )
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(
      new Set(responses.filter(({ statusCode }) => statusCode !== 200).map(({ statusCode }) => statusCode)),
    ).toEqual(new Set([401]))
  })

  it('invalidates a reset link that was sent before', async () => {
    const { account, headers } = await signUp(app)
    const token = await resetToken(account.email)
    expect((await change(headers, PASSWORD, OTHER)).statusCode).toBe(200)
    expect(codeOf(await reset(token, PASSWORD))).toBe('invalid_or_expired_token')
  })
})
