import { createHmac, randomUUID } from 'node:crypto'
import jsQR from 'jsqr'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, login, newRegistration, PASSWORD, type Person, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createMailbox } from '../support/mailbox.ts'
import { hiddenFieldsOf, leadsTo, openBrowser } from '../support/pages.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
/** The same accounts on a service that hashes passwords with stronger parameters. */
let stronger: Awaited<ReturnType<typeof createTestApp>>
let now = new Date()
const mailbox = createMailbox()
const ADMIN = 'second-factor-admin@example.com'

beforeAll(async () => {
  const email = { mailer: mailbox.mailer }
  test = await createTestApp({ clock: () => now, email, auth: { adminEmails: [ADMIN] } })
  const passwordHashing = { memoryKiB: 2_048 }
  stronger = await createTestApp({ clock: () => now, email, storage: test.storage, auth: { passwordHashing } })
})
afterAll(async () => {
  await stronger.close()
  await test.close()
})

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code that an app shows (RFC 6238), written here again so that the service is not tested by itself. */
function appCode(secret: string, at: Date): string {
  let bits = ''
  for (const letter of secret) bits += ALPHABET.indexOf(letter).toString(2).padStart(5, '0')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeUInt32BE(Math.floor(at.getTime() / 30_000), 4)
  const mac = createHmac('sha1', key).update(counter).digest()
  const from = (mac[19] ?? 0) & 15
  return String((mac.readUInt32BE(from) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** Moves the clock to the next code of all apps. */
const nextCode = () => {
  now = new Date(now.getTime() + 30_000)
}

const post = (url: string, payload: object) => test.app.inject({ method: 'POST', url, payload })

async function tokenOf(who: Person): Promise<string> {
  const refused = await login(test.app, who.account.email)
  expect([refused.statusCode, codeOf(refused)]).toEqual([401, 'second_factor_required'])
  expect(refused.cookies).toEqual([])
  return refused.json().error.details.token
}

const finish = (token: string, code: string) => post('/auth/login/second-factor', { token, code })

/** An account with two-factor authentication, its key and its recovery codes. */
async function secured() {
  const who = await signUp(test.app)
  const begun = await who.post('/auth/second-factor')
  expect(begun.statusCode).toBe(201)
  const { secret, otpauth_url: url } = begun.json()
  const confirmed = await who.post('/auth/second-factor/confirm', { code: appCode(secret, now), password: PASSWORD })
  expect(confirmed.statusCode).toBe(200)
  nextCode()
  return { who, secret, url, recoveryCodes: confirmed.json<{ recovery_codes: string[] }>().recovery_codes }
}

describe('two-factor authentication', () => {
  it('is set up with a key and confirmed by a code, and then sign-ins need a code', async () => {
    const who = await signUp(test.app)
    const { secret, otpauth_url: url } = (await who.post('/auth/second-factor')).json()
    expect(url).toContain(`secret=${secret}`)
    // It is not asked for before it is confirmed.
    expect((await login(test.app, who.account.email)).statusCode).toBe(200)
    const wrong = await who.post('/auth/second-factor/confirm', { code: '000000', password: PASSWORD })
    expect([wrong.statusCode, codeOf(wrong)]).toEqual([401, 'wrong_second_factor'])
    const confirmed = await who.post('/auth/second-factor/confirm', { code: appCode(secret, now), password: PASSWORD })
    expect(confirmed.json().recovery_codes).toHaveLength(10)
    expect((await who.get('/auth/second-factor')).json()).toEqual({ enabled: true, recovery_codes_left: 10 })
    nextCode()
    const signedIn = await finish(await tokenOf(who), appCode(secret, now))
    expect([signedIn.statusCode, signedIn.json().user.id]).toEqual([200, who.account.id])
    expect(signedIn.cookies.map(({ name }) => name)).toContain('__Host-eep_session')
  })

  it('is not enabled without the password, so that a stolen session cannot lock out the owner', async () => {
    const who = await signUp(test.app)
    const { secret } = (await who.post('/auth/second-factor')).json()
    for (const more of [{}, { password: 'Wrong horse 7 battery' }]) {
      const refused = await who.post('/auth/second-factor/confirm', { code: appCode(secret, now), ...more })
      expect([refused.statusCode, codeOf(refused)]).toEqual([401, 'wrong_password'])
    }
    expect((await who.get('/auth/second-factor')).json().enabled).toBe(false)
  })

  it('ends other sessions when it is enabled', async () => {
    const who = await signUp(test.app)
    const { token } = (await login(test.app, who.account.email)).json()
    const { secret } = (await who.post('/auth/second-factor')).json()
    await who.post('/auth/second-factor/confirm', { code: appCode(secret, now), password: PASSWORD })
    const other = await test.app.inject({ url: '/auth/me', headers: { authorization: `Bearer ${token}` } })
    expect(other.statusCode).toBe(401)
    expect((await who.get('/auth/me')).statusCode).toBe(200)
  })

  it('refuses a code that was used, and the code that confirmed the key', async () => {
    const { who, secret } = await secured()
    const code = appCode(secret, now)
    expect((await finish(await tokenOf(who), code)).statusCode).toBe(200)
    expect(codeOf(await finish(await tokenOf(who), code))).toBe('wrong_second_factor')
  })

  it('lets one of two sign-ins use the same code', async () => {
    const { who, secret } = await secured()
    const code = appCode(secret, now)
    const tokens = [await tokenOf(who), await tokenOf(who)]
    const statuses = (await Promise.all(tokens.map((token) => finish(token, code)))).map((each) => each.statusCode)
    expect(statuses.toSorted()).toEqual([200, 401])
  })

  it('leaves the token valid after a wrong code, and ends it with the sign-in', async () => {
    const { who, secret } = await secured()
    const token = await tokenOf(who)
    expect((await finish(token, '000000')).statusCode).toBe(401)
    expect((await finish(token, appCode(secret, now))).statusCode).toBe(200)
    nextCode()
    const again = await finish(token, appCode(secret, now))
    expect([again.statusCode, codeOf(again)]).toEqual([400, 'invalid_or_expired_token'])
  })

  it('refuses tokens that have expired, that it did not issue, and those from before a change of the password', async () => {
    const { who, secret } = await secured()
    const old = await tokenOf(who)
    await who.send('PUT', '/auth/change-password', {
      current_password: PASSWORD,
      new_password: 'Another horse 9 battery',
    })
    for (const token of [old, 'x'.repeat(43)])
      expect(codeOf(await finish(token, appCode(secret, now)))).toBe('invalid_or_expired_token')
  })

  it('accepts each recovery code once, in any spelling', async () => {
    const { who, recoveryCodes } = await secured()
    const [code = ''] = recoveryCodes
    expect((await finish(await tokenOf(who), code.toLowerCase().replaceAll('-', ' '))).statusCode).toBe(200)
    expect((await finish(await tokenOf(who), code)).statusCode).toBe(401)
    expect((await who.get('/auth/second-factor')).json().recovery_codes_left).toBe(9)
  })

  it('limits the codes that can be tried', async () => {
    const { who, secret } = await secured()
    const token = await tokenOf(who)
    const statuses = []
    // Confirming the key counted.
    for (let attempt = 0; attempt < 9; attempt++) statuses.push((await finish(token, '000000')).statusCode)
    expect(new Set(statuses)).toEqual(new Set([401]))
    const limited = await finish(token, appCode(secret, now))
    expect([limited.statusCode, codeOf(limited)]).toEqual([429, 'too_many_wrong_codes'])
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    // The token is not used up, so the password need not be entered again.
    expect(codeOf(await finish(token, appCode(secret, now)))).toBe('too_many_wrong_codes')
  })

  it('stores a stronger hash of the password although the sign-in needs a code', async () => {
    const { who, secret } = await secured()
    const hash = () => test.storage.read.accounts.getPasswordHash(who.account.id)
    expect(await hash()).toContain('m=1024')
    const refused = await login(stronger.app, who.account.email)
    expect(codeOf(refused)).toBe('second_factor_required')
    expect(await hash()).toContain('m=2048')
    expect((await finish(refused.json().error.details.token, appCode(secret, now))).statusCode).toBe(200)
    expect(codeOf(await login(test.app, who.account.email))).toBe('second_factor_required')
  })

  it('reports by email when it is enabled and disabled, and when a recovery code is used', async () => {
    const { who, secret, recoveryCodes } = await secured()
    const { email } = who.account
    expect((await mailbox.take(email, 'secondFactorOn')).text).toContain('every other session has ended')
    expect((await finish(await tokenOf(who), recoveryCodes[0] ?? '')).statusCode).toBe(200)
    expect((await mailbox.take(email, 'recoveryCode')).text).toContain('Recovery codes left: 9.')
    await who.send('DELETE', '/auth/second-factor', { code: appCode(secret, now) })
    expect((await mailbox.take(email, 'secondFactorOff')).text).not.toContain('administrator')
  })

  it('notifies the owner once when five codes were wrong, and not before', async () => {
    const { who, secret } = await secured()
    const token = await tokenOf(who)
    for (let attempt = 0; attempt < 4; attempt++) await finish(token, '000000')
    expect((await finish(token, appCode(secret, now))).statusCode).toBe(200)
    expect(await mailbox.has(who.account.email, 'secondFactorFailed')).toBe(false)
    expect((await who.send('DELETE', '/auth/second-factor', { code: '000000' })).statusCode).toBe(401)
    const { text } = await mailbox.take(who.account.email, 'secondFactorFailed')
    expect(text).toContain('Five codes of two-factor authentication were wrong')
  })

  it('is removed with a code only', async () => {
    const { who, secret } = await secured()
    const wrong = await who.send('DELETE', '/auth/second-factor', { code: '000000' })
    expect(wrong.statusCode).toBe(401)
    expect((await who.send('DELETE', '/auth/second-factor', { code: appCode(secret, now) })).statusCode).toBe(200)
    expect((await login(test.app, who.account.email)).statusCode).toBe(200)
  })

  it('cannot be replaced while it is enabled', async () => {
    const { who } = await secured()
    const again = await who.post('/auth/second-factor')
    expect([again.statusCode, codeOf(again)]).toEqual([409, 'second_factor_exists'])
  })

  it('is not revealed when the password is wrong', async () => {
    const { who } = await secured()
    expect(codeOf(await login(test.app, who.account.email, 'Wrong horse 7 battery'))).toBe('invalid_credentials')
  })
})

describe('DELETE /admin/users/{id}/second-factor', () => {
  /** A new administrator; the right begins with the session after the address was verified. */
  async function administrator(): Promise<Person> {
    const known = await test.storage.read.accounts.get({ email: ADMIN })
    if (!known) {
      await client(test.app).post('/auth/register', { ...newRegistration(), email: ADMIN })
      const account = await test.storage.read.accounts.get({ email: ADMIN })
      await test.storage.transaction((tx) =>
        tx.accounts.save(account?.id ?? '', { emailVerified: true, emailOwned: true }),
      )
    }
    const { token, user } = (await login(test.app, ADMIN)).json()
    const headers = { authorization: `Bearer ${token}` }
    return { ...client(test.app).with(headers), token, headers, account: user }
  }

  it('lets an administrator disable it for another account, records it and reports it to the owner', async () => {
    const { who } = await secured()
    const admin = await administrator()
    const url = `/admin/users/${who.account.id}/second-factor`
    expect((await admin.delete(url)).json()).toEqual({ success: true })
    expect((await login(test.app, who.account.email)).statusCode).toBe(200)
    expect((await mailbox.take(who.account.email, 'secondFactorOff')).text).toContain('An administrator removed it.')
    const { data } = (await admin.get(`/admin/audit?target=accounts/${who.account.id}`)).json()
    expect(data).toMatchObject([{ action: 'account.second_factor_reset', actor_account_id: admin.account.id }])
    expect(codeOf(await admin.delete(url))).toBe('second_factor_not_found')
  })

  it('refuses the own account of the administrator, and accounts that do not exist', async () => {
    const admin = await administrator()
    const own = await admin.delete(`/admin/users/${admin.account.id}/second-factor`)
    expect([own.statusCode, codeOf(own)]).toEqual([409, 'cannot_reset_own_second_factor'])
    expect(codeOf(await admin.delete(`/admin/users/${randomUUID()}/second-factor`))).toBe('user_not_found')
  })
})

describe('the pages of two-factor authentication', () => {
  it.each([
    ['en', 'The sign-in took too long'],
    ['de', 'Die Anmeldung hat zu lange gedauert'],
    ['ja', 'サインインに時間がかかりすぎた'],
    ['ar', 'استغرق تسجيل الدخول وقتًا طويلًا'],
  ])('ask for the password again in %s when a code comes too late', async (language, text) => {
    const { who, secret } = await secured()
    const tab = openBrowser(test.app, { 'accept-language': language })
    const asked = await tab.submit('/login', { email: who.account.email, password: PASSWORD })
    const { token = '' } = hiddenFieldsOf(asked)
    // A token that expired is deleted, as one that was used.
    await test.storage.transaction((tx) => tx.tokens.deleteOf('second_factor', who.account.id))
    const late = await tab.submit('/login/code', { token, code: appCode(secret, now) })
    expect(late.statusCode).toBe(400)
    expect(late.body).toContain(text)
    expect(late.body).toContain('name="password"')
  })

  it('set it up, show the recovery codes once, and ask for a code at the sign-in', async () => {
    const tab = openBrowser(test.app)
    const registration = newRegistration()
    await tab.submit('/register', registration)
    expect((await tab.open('/dashboard')).body).toContain('href="/account/second-factor"')
    expect((await tab.open('/account/second-factor')).body).toContain('It is off.')
    const key = await tab.submit('/account/second-factor', {})
    const secret = /secret=([A-Z2-7]{32})/.exec(key.body)?.[1] ?? ''
    const wrong = await tab.submit('/account/second-factor/confirm', {
      code: '000000',
      password: registration.password,
    })
    expect([wrong.statusCode, wrong.body.includes('The code is wrong')]).toEqual([401, true])
    // The key is still there to be entered again.
    expect(wrong.body).toContain(`secret=${secret}`)
    const codes = await tab.submit('/account/second-factor/confirm', {
      code: appCode(secret, now),
      password: registration.password,
    })
    expect(codes.body.match(/<li><code>[A-Z2-7-]{19}<\/code>/g)).toHaveLength(10)
    expect(codes.headers['cache-control']).toContain('no-store')

    nextCode()
    const other = openBrowser(test.app)
    const asked = await other.submit('/login', { ...registration, next: '/purchases' })
    expect(asked.body).toContain('action="/login/code"')
    const token = /name="token" value="([^"]+)"/.exec(asked.body)?.[1] ?? ''
    const refused = await other.submit('/login/code', { token, code: '000000', next: '/purchases' })
    expect(refused.body).toContain('The code is wrong')
    const done = await other.submit('/login/code', { token, code: appCode(secret, now), next: '/purchases' })
    expect(leadsTo(done)).toEqual([303, '/purchases'])
    expect((await other.open('/account/second-factor')).body).toContain('Recovery codes left: 10')
  })

  it.each(['en', 'ar'])(
    'show a QR code that apps read, with a description and the key beside it, in %s',
    async (language) => {
      const tab = openBrowser(test.app, { 'accept-language': language })
      await tab.submit('/register', newRegistration())
      const { body, headers } = await tab.submit('/account/second-factor', {})
      const [svg = '', label] = /<svg [^>]*role="img" aria-label="([^"]+)"[\s\S]*?<\/svg>/.exec(body) ?? []
      expect(label).toMatch(language === 'en' ? /^QR code/ : /QR/)
      const picture = Buffer.from(svg.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" '))
      const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
      const address = jsQR.default(new Uint8ClampedArray(data), info.width, info.height)?.data ?? ''
      expect(body).toContain(`href="${address.replaceAll('&', '&amp;')}"`)
      const secret = new URL(address).searchParams.get('secret') ?? ''
      expect(body.replaceAll(' ', '')).toContain(`<code>${secret}</code>`)
      // The picture needs nothing that the policy of the page would refuse.
      expect(svg).not.toMatch(/style|href|script/)
      expect(String(headers['content-security-policy'])).toContain("default-src 'none'")
    },
  )

  it('turn it off with a code', async () => {
    const { who, secret } = await secured()
    const tab = openBrowser(test.app)
    tab.jar['__Host-eep_session'] = who.token
    const answer = await tab.submit('/account/second-factor/remove', { code: appCode(secret, now) })
    expect(leadsTo(answer)).toEqual([303, '/account/second-factor?done=removed'])
    expect((await tab.open('/account/second-factor?done=removed')).body).toContain('Two-factor authentication is off.')
  })
})
