import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, login, newRegistration, PASSWORD } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'

let test: Awaited<ReturnType<typeof createTestApp>>

beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

const register = (email: string) =>
  test.app.inject({ method: 'POST', url: '/auth/register', payload: { ...newRegistration(), email } })

describe('email addresses', () => {
  it('of internationalized domains are one account in both spellings, stored in ASCII', async () => {
    const first = await register('post@почта.рф')
    expect([first.statusCode, first.json().user?.email]).toEqual([201, 'post@xn--80a1acny.xn--p1ai'])
    const second = await register('post@xn--80a1acny.xn--p1ai')
    expect([second.statusCode, codeOf(second)]).toEqual([409, 'email_taken'])
    expect((await login(test.app, 'post@почта.рф')).statusCode).toBe(200)
  })

  it('may have every character that email allows before the @', async () => {
    const created = await register("a&b/c=d~e%f'g@example.com")
    expect([created.statusCode, created.json().user?.email]).toEqual([201, "a&b/c=d~e%f'g@example.com"])
  })

  it('are refused with other characters than ASCII before the @, because no email could be sent', async () => {
    const refused = await register('пост@example.com')
    expect([refused.statusCode, codeOf(refused)]).toEqual([400, 'validation_failed'])
    expect(refused.body).toContain('The service cannot send to addresses')
  })

  it('may be entered with spaces around them at the sign-in and where a password is forgotten', async () => {
    const created = await register('spaces@example.com')
    expect(created.statusCode).toBe(201)
    expect((await login(test.app, ' Spaces@example.com ')).statusCode).toBe(200)
    const reset = await test.app.inject({
      method: 'POST',
      url: '/auth/forgot-password',
      payload: { email: 'spaces@example.com ' },
    })
    expect(reset.statusCode).toBe(200)
  })

  it('keep the spaces of the password', async () => {
    await register('password@example.com')
    const payload = { email: 'password@example.com', password: `${PASSWORD} ` }
    expect((await test.app.inject({ method: 'POST', url: '/auth/login', payload })).statusCode).toBe(401)
  })
})
