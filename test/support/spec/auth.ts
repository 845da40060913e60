import { expect } from 'vitest'
import { newRegistration, PASSWORD, type SignedUp, sessionCookieOf } from '../accounts.ts'
import { newKey } from '../api-keys.ts'
import { codeIn, tokenIn } from '../mailbox.ts'
import { authProviders } from './auth-providers.ts'
import { authWallets } from './auth-wallets.ts'
import { fixture, get, mailbox, newUser, post, put, remove, time } from './fixture.ts'
import { codeIs, done, type Headers, is, moment, type Row, row, setsSession, text } from './row.ts'

const MINUTE = 60_000

const verified = async () => {
  const { account, headers } = await newUser()
  await post('/auth/verify', headers, { token: tokenIn(await mailbox.take(account.email, 'verification')) })
  return headers
}
async function resetToken({ email }: SignedUp): Promise<string> {
  await post('/auth/forgot-password', {}, { email })
  return tokenIn(await mailbox.take(email, 'reset'))
}
async function deleteCode({ headers, account }: { headers: Headers; account: SignedUp }): Promise<string> {
  await post('/auth/account/delete-code', headers)
  return codeIn(await mailbox.take(account.email, 'code'))
}
const session = {
  token: text,
  token_type: 'Bearer',
  expires_at: moment,
  user: expect.objectContaining({ id: text, email: text, username: text }),
}

export const auth: readonly Row[] = [
  row(
    'POST /auth/register',
    'none',
    is(201, 'a new account', () => post('/auth/register', {}, newRegistration()), session, setsSession),
    is(400, 'a weak password', () => post('/auth/register', {}, { ...newRegistration(), password: 'short' })),
    is(400, 'a username in capitals', () => post('/auth/register', {}, { ...newRegistration(), username: 'ADA' })),
    is(409, 'an email that exists', () =>
      post('/auth/register', {}, { ...newRegistration(), email: 'ada@example.com' }),
    ),
    is(409, 'a username that exists', () => post('/auth/register', {}, { ...newRegistration(), username: 'ada' })),
  ),
  row(
    'POST /auth/login',
    'none',
    is(
      200,
      'email and password',
      () => post('/auth/login', {}, { email: 'ada@example.com', password: PASSWORD }),
      session,
      setsSession,
    ),
    is(401, 'a wrong password', () => post('/auth/login', {}, { email: 'ada@example.com', password: 'Wrong 1234' })),
    is(401, 'an unknown email', () => post('/auth/login', {}, { email: 'no@example.com', password: PASSWORD })),
  ),
  row(
    'GET /auth/me',
    'key',
    is(200, 'the caller', (as) => get('/auth/me', as), expect.objectContaining({ id: text, username: 'ada' })),
    is(200, 'an admin, whose key does not show it', async () => {
      const chief = await newUser()
      const key = await newKey(fixture.app, chief.headers)
      await fixture.setAdmin(chief.account.id)
      expect((await get('/auth/me', chief.headers)).json().isAdmin).toBe(true)
      const answer = await get('/auth/me', key.headers)
      expect(answer.json()).not.toHaveProperty('isAdmin')
      return answer
    }),
  ),
  row(
    'POST /auth/logout',
    'bearer',
    is(
      200,
      'a session',
      async () => post('/auth/logout', (await newUser()).headers),
      done,
      (answer) => {
        expect(sessionCookieOf(answer)).toMatchObject({ value: '', maxAge: 0 })
      },
    ),
  ),
  ...authProviders,
  ...authWallets,
  row(
    'DELETE /auth/account',
    'bearer',
    is(
      200,
      'the password',
      async () => remove('/auth/account', (await newUser()).headers, { password: PASSWORD }),
      { success: true, deletion_scheduled_at: moment },
      (answer) => {
        const days = (Date.parse(answer.json().deletion_scheduled_at) - time.clock().getTime()) / 86_400_000
        expect(days).toBeCloseTo(30, 3)
      },
    ),
    is(200, 'the code of the email', async () => {
      const leaver = await newUser()
      return remove('/auth/account', leaver.headers, { code: await deleteCode(leaver) })
    }),
    is(400, 'nothing', (as) => remove('/auth/account', as, {})),
    is(400, 'both', (as) => remove('/auth/account', as, { password: PASSWORD, code: '123456' })),
    is(
      400,
      'a code that was not requested',
      (as) => remove('/auth/account', as, { code: '123456' }),
      undefined,
      codeIs('no_code_requested'),
    ),
    is(400, 'a code that has expired', async () => {
      const past = Date.now() - 11 * MINUTE
      const [leaver, code] = await time.at(past, async () => {
        const leaverThen = await newUser()
        return [leaverThen, await deleteCode(leaverThen)] as const
      })
      return remove('/auth/account', leaver.headers, { code })
    }),
    is(
      401,
      'a wrong password, and leaves the session',
      (as) => remove('/auth/account', as, { password: 'Wrong 1234' }),
      undefined,
      async (answer) => {
        codeIs('wrong_password')(answer)
        expect((await get('/auth/me', fixture.owner)).statusCode).toBe(200)
      },
    ),
    is(401, 'a wrong code', async () => {
      const stayer = await newUser()
      const code = await deleteCode(stayer)
      return remove('/auth/account', stayer.headers, { code: code === '123456' ? '123457' : '123456' })
    }),
  ),
  row(
    'POST /auth/account/delete-code',
    'bearer',
    is(200, 'a session', async () => {
      const { headers, account } = await newUser()
      const answer = await post('/auth/account/delete-code', headers)
      expect(codeIn(await mailbox.take(account.email, 'code'))).toMatch(/^\d{6}$/)
      return answer
    }),
  ),
  row(
    'POST /auth/forgot-password',
    'none',
    is(200, 'an account', () => post('/auth/forgot-password', {}, { email: 'ada@example.com' })),
    is(200, 'an unknown address', () => post('/auth/forgot-password', {}, { email: 'no@example.com' })),
  ),
  row(
    'POST /auth/reset-password',
    'none',
    is(200, 'the token of the email', async () => {
      const { account } = await newUser()
      return post('/auth/reset-password', {}, { token: await resetToken(account), password: `${PASSWORD}!` })
    }),
    is(400, 'an unknown token', () => post('/auth/reset-password', {}, { token: 'x'.repeat(43), password: PASSWORD })),
    is(400, 'a token after an hour', async () => {
      const { account } = await newUser()
      const token = await time.at(Date.now() - 61 * MINUTE, () => resetToken(account))
      return post('/auth/reset-password', {}, { token, password: `${PASSWORD}!` })
    }),
    is(400, 'a weak password', async () => {
      const { account } = await newUser()
      return post('/auth/reset-password', {}, { token: await resetToken(account), password: 'weakpassword' })
    }),
  ),
  row(
    'PUT /auth/change-password',
    'bearer',
    is(200, 'both passwords', async () =>
      put('/auth/change-password', (await newUser()).headers, {
        current_password: PASSWORD,
        new_password: `${PASSWORD}!`,
      }),
    ),
    is(401, 'a wrong current password', (as) =>
      put('/auth/change-password', as, { current_password: 'Wrong 1234', new_password: `${PASSWORD}!` }),
    ),
  ),
  row(
    'POST /auth/verify',
    'none',
    is(200, 'the token of the email', async () => {
      const { account } = await newUser()
      return post('/auth/verify', {}, { token: tokenIn(await mailbox.take(account.email, 'verification')) })
    }),
    is(400, 'an unknown token', () => post('/auth/verify', {}, { token: 'x'.repeat(43) })),
    is(400, 'a token after a day', async () => {
      const { account } = await time.at(Date.now() - 1_441 * MINUTE, newUser)
      return post('/auth/verify', {}, { token: tokenIn(await mailbox.take(account.email, 'verification')) })
    }),
  ),
  row(
    'POST /auth/resend-verification',
    'bearer',
    is(200, 'an address that is not verified', async () => {
      const { headers } = await time.at(Date.now() - 2 * MINUTE, newUser)
      return post('/auth/resend-verification', headers)
    }),
    is(400, 'an address that is', async () => post('/auth/resend-verification', await verified())),
    is(400, 'the second time in a minute', async () => {
      const { headers } = await time.at(Date.now() - 2 * MINUTE, newUser)
      await post('/auth/resend-verification', headers)
      return post('/auth/resend-verification', headers)
    }),
  ),
]
