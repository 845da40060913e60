import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { login, newName, newRegistration, PASSWORD, register, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createMailbox, tokenIn } from '../support/mailbox.ts'
import { hiddenFieldsOf, inputOf, leadsTo, openBrowser, sentencesOf } from '../support/pages.ts'

const mailbox = createMailbox()
const NEW_PASSWORD = 'Another horse 8 battery'
const OUTSIDE = [
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  'https:evil.example',
  '/%2e%2e//evil.example',
  '/\tevil',
  'javascript:alert(1)',
]
let test: Awaited<ReturnType<typeof createTestApp>>
let shut: Awaited<ReturnType<typeof createTestApp>>
/** Refuses every registration, because of a mistake of the host, and has no providers. */
let broken: Awaited<ReturnType<typeof createTestApp>>

beforeAll(async () => {
  test = await createTestApp({
    email: { mailer: mailbox.mailer },
    auth: {
      passwordHashing: { memoryKiB: 1_024 },
    },
    oauth: {
      providers: [
        {
          name: 'github',
          start: async () => ({ url: 'https://github.example', memory: {} }),
          finish: () => Promise.reject(new Error('none')),
        },
      ],
    },
  })
  shut = await createTestApp({ without: ['account-pages'] })
  broken = await createTestApp({
    hooks: { beforeRegister: () => Promise.reject(new Error('The list of guests is lost')) },
  })
})
afterAll(() => Promise.all([test.close(), shut.close(), broken.close()]))

const browser = (headers?: Record<string, string>) => openBrowser(test.app, headers)

/** A browser that is signed in to a new account. */
async function signedIn() {
  const tab = browser()
  const registration = newRegistration()
  expect(leadsTo(await tab.submit('/register', registration))).toEqual([303, '/dashboard'])
  return { ...tab, ...registration }
}

describe('the sign-in page', () => {
  it('signs in with email and password, and leads to the account', async () => {
    const { account } = await signUp(test.app)
    const tab = browser()
    const page = await tab.open('/login')
    expect(page.statusCode).toBe(200)
    expect(inputOf(page, 'email')).toContain('autocomplete="username webauthn"')
    expect(inputOf(page, 'password')).toContain('autocomplete="current-password"')
    expect(page.body).toContain('href="/auth/oauth/github"')
    const answer = await tab.submit('/login', { email: account.email, password: PASSWORD })
    expect(leadsTo(answer)).toEqual([303, '/dashboard'])
    expect(answer.headers['set-cookie']).toMatch(/__Host-eep_session=.+HttpOnly.+SameSite=Lax/)
    expect((await tab.open('/dashboard')).body).toContain(account.username)
  })

  it('keeps the path to go to, through registration and providers', async () => {
    const next = '/team/invite?token=abc&x=1'
    const page = await browser().open(`/login?next=${encodeURIComponent(next)}`)
    expect(inputOf(page, 'next')).toContain('value="/team/invite?token=abc&amp;x=1"')
    expect(page.body).toContain(`href="/register?next=${encodeURIComponent(next)}"`)
    expect(page.body).toContain(`href="/auth/oauth/github?next=${encodeURIComponent(next)}"`)
    expect(leadsTo(await browser().submit('/register', { ...newRegistration(), next }))).toEqual([303, next])
  })

  it.each(OUTSIDE)('never leads to %j', async (next) => {
    const { account } = await signUp(test.app)
    const tab = browser()
    const page = await tab.open(`/login?next=${encodeURIComponent(next)}`)
    expect(page.body).not.toContain('name="next"')
    const answer = await tab.submit('/login', { email: account.email, password: PASSWORD, next })
    expect(leadsTo(answer)).toEqual([303, '/dashboard'])
    expect(leadsTo(await tab.open(`/login?next=${encodeURIComponent(next)}`))).toEqual([303, '/dashboard'])
  })

  it('makes a private profile for someone who came to buy something, until they publish it', async () => {
    const [reader, author] = [newRegistration(), newRegistration()]
    const tab = browser()
    const next = '/u/ada/content/notes#offer'
    const page = await tab.open(`/login?next=${encodeURIComponent(next)}`)
    expect(page.body).toContain(`href="/register?next=${encodeURIComponent(next)}"`)
    expect(leadsTo(await tab.submit('/register', { ...reader, next }))).toEqual([303, next])
    await browser().submit('/register', { ...author, next: '/u/ada/content/notes' })
    const { get } = client(test.app)
    expect((await get(`/u/${reader.username}`)).statusCode).toBe(404)
    expect((await get(`/u/${author.username}`)).statusCode).toBe(200)
    const { token } = (await login(test.app, reader.email)).json<{ token: string }>()
    const owner = client(test.app).with({ authorization: `Bearer ${token}` })
    const published = await owner.put(`/profiles/u/${reader.username}`, { visibility: 'public' })
    expect(published.statusCode).toBe(200)
    expect((await get(`/u/${reader.username}`)).statusCode).toBe(200)
  })

  it('ignores a path with a control character in the form, and refuses it in the address', async () => {
    const { account } = await signUp(test.app)
    const tab = browser()
    const answer = await tab.submit('/login', { email: account.email, password: PASSWORD, next: '/\u0000' })
    expect(leadsTo(answer)).toEqual([303, '/dashboard'])
    expect((await tab.open('/login?next=/%00')).statusCode).toBe(400)
  })

  it('shows the same message for a wrong password and an unknown address, and keeps the address', async () => {
    const { account } = await signUp(test.app)
    const wrong = await browser().submit('/login', { email: account.email, password: 'Wrong 1 password' })
    const unknown = await browser().submit('/login', { email: 'unknown@example.com', password: 'Wrong 1 password' })
    expect([wrong.statusCode, unknown.statusCode]).toEqual([401, 401])
    expect(wrong.body.replaceAll(account.email, '')).toBe(unknown.body.replaceAll('unknown@example.com', ''))
    expect(wrong.body).toContain('<title>Problem: Sign in')
    expect(wrong.body).not.toContain('Wrong 1 password')
    expect(inputOf(wrong, 'email')).toContain(`value="${account.email}"`)
  })

  it('shows beside a field what is missing', async () => {
    const page = await browser().submit('/login', { email: '', password: '' })
    expect(page.statusCode).toBe(400)
    expect(inputOf(page, 'email')).toMatch(/aria-invalid="true" aria-describedby="email-problem"/)
    expect(page.body).toContain('<span class="wrong" id="password-problem">Fill in this field.</span>')
  })

  it('offers other ways to sign in only where there are some', async () => {
    expect((await browser().open('/login')).body).toContain('Other ways to sign in')
    expect((await openBrowser(broken.app).open('/login')).body).not.toContain('Other ways to sign in')
  })

  it('refuses a form of another site, and one without an origin', async () => {
    const fields = { email: 'ada@example.com', password: PASSWORD }
    const foreign = await browser().submit('/login', fields, { origin: 'https://evil.example' })
    expect(foreign.statusCode).toBe(403)
    expect(foreign.headers['content-type']).toContain('text/html')
    expect((await browser().submit('/login', fields, { origin: 'null' })).statusCode).toBe(403)
  })

  it('shows for each failure of a provider its own sentence', async () => {
    const reasons = [
      'invalid_state',
      'missing_code',
      'invalid_email',
      'email_linked_other',
      'github_mismatch',
      'callback_failed',
      'access_denied',
      'callback_failed&oauth_detail=account_banned',
      'callback_failed&oauth_detail=only_members',
    ]
    const texts = await Promise.all(
      reasons.map(async (reason) => {
        const { body } = await browser().open(`/login?oauth_error=${reason}`)
        return /role="alert"[^>]*><p>(.+?)<\/p>/.exec(body)?.[1]
      }),
    )
    expect(new Set(texts).size).toBe(reasons.length)
    expect(texts).not.toContain(undefined)
    expect((await browser().open('/login?oauth_error=__proto__')).body).toContain('The sign-in at the provider failed.')
    const other = await browser().open('/login?oauth_error=%3Cscript%3E')
    expect(other.body).toContain('The sign-in at the provider failed.')
    expect(other.body).not.toContain('<script>')
  })
})

describe('a throttled form', () => {
  it('states in words how long to wait', async () => {
    const strict = await createTestApp({ limits: { rateLimit: { multiplier: 1 } } })
    const tab = openBrowser(strict.app, { 'accept-language': 'de' })
    const fields = { email: 'ada@example.com', password: 'Wrong 1 password' }
    const statuses: number[] = []
    let last = await tab.submit('/login', fields)
    for (let tries = 0; tries < 5; tries++) {
      statuses.push(last.statusCode)
      last = await tab.submit('/login', fields)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401])
    expect(last.statusCode).toBe(429)
    expect(last.headers['content-type']).toContain('text/html')
    expect(sentencesOf(last)).toMatch(/wenn diese Zeit vergangen ist: \d+ Sekunden?\./)
    await strict.close()
  })

  describe('at the limit of five a minute', () => {
    type Tab = ReturnType<typeof openBrowser>
    const strictly = async (run: (tab: Tab, app: typeof test.app) => Promise<void>) => {
      const strict = await createTestApp({
        limits: { rateLimit: { multiplier: 1 } },
        email: { mailer: mailbox.mailer },
        auth: { passwordHashing: { memoryKiB: 1_024 } },
      })
      try {
        await run(openBrowser(strict.app), strict.app)
      } finally {
        await strict.close()
      }
    }
    const useUp = async ({ submit }: Tab, left = 5) => {
      for (let tries = 0; tries < left; tries++) {
        expect(
          (await submit('/login', { email: 'unknown@example.com', password: 'Wrong 1 password' })).statusCode,
        ).toBe(401)
      }
    }
    const entered = newRegistration()

    it.each([
      ['a weak password', { ...entered, password: 'weakpassword' }, 400],
      ['a reserved username', { ...entered, username: 'admin' }, 409],
      ['a malformed username', { ...entered, username: 'Not a name' }, 400],
      ['a missing password', { ...entered, password: '' }, 400],
    ])('does not count a form with %s', (_name, fields, status) =>
      strictly(async (tab) => {
        for (let tries = 0; tries < 6; tries++) {
          const refused = await tab.submit('/register', fields)
          expect([refused.statusCode, refused.headers['x-ratelimit-remaining']]).toEqual([status, '5'])
        }
        expect(leadsTo(await tab.submit('/register', entered))).toEqual([303, '/dashboard'])
      }),
    )

    it.each([
      ['a taken username', { email: 'other@example.com' }],
      ['the email address of an account', { username: 'other-name' }],
    ])('counts a form with %s', (_name, changed) =>
      strictly(async (tab) => {
        await tab.submit('/register', entered)
        const statuses: number[] = []
        for (let tries = 0; tries < 5; tries++) {
          statuses.push((await tab.submit('/register', { ...entered, ...changed })).statusCode)
        }
        expect(statuses).toEqual([409, 409, 409, 409, 429])
      }),
    )

    it('gives at most twenty counts a minute back', () =>
      strictly(async (tab) => {
        const statuses: number[] = []
        for (let tries = 0; tries < 26; tries++) {
          statuses.push((await tab.submit('/register', { ...entered, password: 'short' })).statusCode)
        }
        expect(statuses).toEqual([...Array<number>(25).fill(400), 429])
      }))

    it('counts each JSON request, also one with a weak password', () =>
      strictly(async (_tab, app) => {
        const statuses: number[] = []
        for (let tries = 0; tries < 6; tries++) {
          statuses.push((await register(app, { ...entered, password: 'short' })).statusCode)
        }
        expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
      }))

    it('keeps the form of a new account and what was entered, without the password', () =>
      strictly(async (tab) => {
        await useUp(tab)
        const page = await tab.submit('/register', { ...entered, full_name: 'Ada <Lovelace>', next: '/u/ada' })
        expect(page.statusCode).toBe(429)
        expect(Number(page.headers['retry-after'])).toBeGreaterThan(0)
        expect(sentencesOf(page)).toMatch(/role="alert"[^>]*><p>Too many attempts\. Try again in \d+ seconds?\./)
        expect(inputOf(page, 'email')).toContain(`value="${entered.email}"`)
        expect(inputOf(page, 'username')).toContain(`value="${entered.username}"`)
        expect(inputOf(page, 'full_name')).toContain('value="Ada &lt;Lovelace&gt;"')
        expect(inputOf(page, 'password')).not.toContain('value=')
        expect(hiddenFieldsOf(page)).toEqual({ next: '/u/ada' })
        expect(page.body).not.toContain(entered.password)
      }))

    it.each([
      ['/login', { email: 'ada@example.com', password: PASSWORD }, 'email', 'value="ada@example.com"'],
      ['/login/code', { token: 'first-step', code: '123456' }, 'token', 'value="first-step"'],
      ['/forgot-password', { email: 'ada@example.com' }, 'email', 'value="ada@example.com"'],
      ['/reset-password', { token: 'of-a-link', password: PASSWORD }, 'token', 'value="of-a-link"'],
      [
        '/reset-password',
        { token: 'of-a-link', password: PASSWORD, remove_other_sign_ins: 'yes' },
        'remove_other_sign_ins',
        'checked',
      ],
      ['/verify', { token: 'of-a-link', take_over: 'yes' }, 'token', 'value="of-a-link"'],
      ['/purchases', { email: 'ada@example.com' }, 'email', 'value="ada@example.com"'],
    ])('keeps the form of %s with what was entered: %o', (path, fields, name, kept) =>
      strictly(async (tab) => {
        await useUp(tab)
        const page = await tab.submit(path, fields as Record<string, string>)
        expect(page.statusCode).toBe(429)
        expect(page.body).toContain('Too many attempts. Try again in')
        expect(inputOf(page, name)).toContain(kept)
        for (const secret of [PASSWORD, '123456']) expect(page.body).not.toContain(secret)
      }),
    )

    it('shows no page with what another site entered', () =>
      strictly(async (tab) => {
        await useUp(tab)
        const page = await tab.submit('/register', entered, { origin: 'https://evil.example' })
        expect(page.statusCode).toBe(429)
        expect(page.body).not.toContain(entered.email)
      }))

    it.each([
      ['/dashboard/resend-verification', 'action="/dashboard/resend-verification"'],
      ['/account/second-factor/remove', 'action="/account/second-factor"'],
      ['/account/security/delete', 'data-passkey="add"'],
      ['/account/security/delete-all', 'data-passkey="add"'],
    ])('shows the page of the form %s with the time to wait', (path, form) =>
      strictly(async (tab) => {
        expect(leadsTo(await tab.submit('/register', entered))).toEqual([303, '/dashboard'])
        await useUp(tab, 4)
        const page = await tab.submit(path, { password: PASSWORD, code: '123456' })
        expect([page.statusCode, page.body]).toEqual([429, expect.stringContaining('Too many attempts. Try again in')])
        expect(page.body).toContain(form)
        for (const secret of [PASSWORD, '123456']) expect(page.body).not.toContain(secret)
      }),
    )

    it('processes no form of the group, whichever it is', () =>
      strictly(async (tab, app) => {
        await tab.submit('/register', entered)
        await useUp(tab, 4)
        const { paths } = (await app.inject('/docs/openapi.json')).json<{ paths: Record<string, object> }>()
        const limited: unknown[] = []
        const isForm = (path: string) => 'post' in (paths[path] ?? {}) && !path.includes('{') && path !== '/logout'
        for (const path of Object.keys(paths).filter(isForm)) {
          const { statusCode, headers } = await tab.submit(path, { password: PASSWORD, code: '123456', token: 'none' })
          // 415: the route takes JSON alone.
          if (statusCode !== 415 && String(headers['ratelimit-policy']).startsWith('"auth"')) {
            limited.push([path, statusCode])
          }
        }
        expect(limited.filter((each) => !String(each).endsWith('429'))).toEqual([])
        expect(limited.length).toBeGreaterThan(12)
      }))

    it('refuses the form of an account to a signed-out visitor with the time to wait', () =>
      strictly(async (tab) => {
        await useUp(tab)
        const page = await tab.submit('/dashboard/resend-verification', {})
        expect([page.statusCode, page.body]).toEqual([429, expect.stringContaining('Try again in')])
      }))

    it('does not count a malformed email address on the page of purchases', () =>
      strictly(async (tab) => {
        for (let tries = 0; tries < 6; tries++) {
          expect((await tab.submit('/purchases', { email: 'no address' })).statusCode).toBe(400)
        }
      }))
  })
})

describe('the page to create an account', () => {
  it('creates an account and signs it in', async () => {
    const { open, username } = await signedIn()
    const page = await open('/dashboard')
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain(`href="/u/${username}"`)
  })

  it('shows an error page, and not the form again, when the service fails', async () => {
    const page = await openBrowser(broken.app).submit('/register', newRegistration())
    expect(page.statusCode).toBe(500)
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.body).not.toContain('list of guests')
    expect(page.body).not.toContain('name="password"')
  })

  it('shows problems beside their fields and keeps what was entered, but no password', async () => {
    const page = await browser().submit('/register', {
      email: 'x',
      username: 'Ada!',
      full_name: 'Ada',
      password: PASSWORD,
    })
    expect(page.statusCode).toBe(400)
    for (const name of ['email', 'username']) expect(inputOf(page, name)).toContain('aria-invalid="true"')
    expect(inputOf(page, 'full_name')).toContain('value="Ada"')
    expect(inputOf(page, 'password')).toContain('autocomplete="new-password"')
    expect(inputOf(page, 'password')).toContain('minlength="8"')
    expect(page.body).not.toContain(PASSWORD)
  })

  it('names every rule that a password breaks', async () => {
    const page = await browser().submit('/register', { ...newRegistration(), password: 'short' })
    expect(page.statusCode).toBe(400)
    expect(sentencesOf(page)).toContain('The password needs at least 8 characters, an uppercase letter, and a number.')
  })

  it('reports a taken or reserved username, and an address that has an account', async () => {
    const { account } = await signUp(test.app)
    const taken = await browser().submit('/register', { ...newRegistration(), username: account.username })
    expect([taken.statusCode, inputOf(taken, 'username').includes('aria-invalid')]).toEqual([409, true])
    const reserved = await browser().submit('/register', { ...newRegistration(), username: 'login' })
    expect(reserved.body).toContain('This username is reserved.')
    const known = await browser().submit('/register', { ...newRegistration(), email: account.email })
    expect([known.statusCode, inputOf(known, 'email').includes('aria-invalid')]).toEqual([409, true])
  })
})

describe('the page to sign out', () => {
  it('asks first, then ends the session and clears its cookie', async () => {
    const tab = await signedIn()
    const session = { ...tab.jar }
    expect((await tab.open('/logout')).body).toContain('<form method="post" action="/logout">')
    expect(leadsTo(await tab.submit('/logout', {}))).toEqual([303, '/login?done=signed_out'])
    expect(tab.jar['__Host-eep_session']).toBe('')
    expect(leadsTo(await test.app.inject({ url: '/dashboard', cookies: session }))).toEqual([
      303,
      '/login?next=%2Fdashboard',
    ])
  })

  it('is harmless for a visitor who is signed out', async () => {
    expect((await browser().open('/logout')).body).toContain('You are not signed in.')
    expect(leadsTo(await browser().submit('/logout', {}))).toEqual([303, '/login?done=signed_out'])
  })
})

describe('the pages of a forgotten password', () => {
  it('send a link, and set a new password with it once', async () => {
    const { account } = await signUp(test.app)
    const tab = browser()
    expect(leadsTo(await tab.submit('/forgot-password', { email: account.email }))).toEqual([
      303,
      '/forgot-password?done=sent',
    ])
    const token = tokenIn(await mailbox.take(account.email, 'reset'))
    const page = await tab.open(`/reset-password?token=${token}`)
    expect(inputOf(page, 'token')).toContain(token)
    const weak = await tab.submit('/reset-password', { token, password: 'short' })
    expect([weak.statusCode, inputOf(weak, 'token').includes(token)]).toEqual([400, true])
    expect(leadsTo(await tab.submit('/reset-password', { token, password: NEW_PASSWORD }))).toEqual([
      303,
      '/login?done=password_changed',
    ])
    const again = await tab.submit('/reset-password', { token, password: NEW_PASSWORD })
    expect(again.statusCode).toBe(400)
    expect(again.body).toContain('href="/forgot-password"')
    expect(leadsTo(await tab.submit('/login', { email: account.email, password: NEW_PASSWORD }))).toEqual([
      303,
      '/dashboard',
    ])
  })

  it('answer the same for an address without an account', async () => {
    const answer = await browser().submit('/forgot-password', { email: 'unknown@example.com' })
    expect(leadsTo(answer)).toEqual([303, '/forgot-password?done=sent'])
  })

  it.each(['/reset-password', '/verify'])('show at %s that a link without a token is incomplete', async (path) => {
    const page = await browser().open(path)
    expect([page.statusCode, page.body.includes('The link is incomplete.')]).toEqual([400, true])
    expect((await browser().submit(path, {})).statusCode).toBe(400)
  })
})

describe('the page that verifies an address', () => {
  it('changes nothing until its button is pressed, and confirms it on the account page', async () => {
    const tab = await signedIn()
    const token = tokenIn(await mailbox.take(tab.email, 'verification'))
    expect((await tab.open('/dashboard')).body).toContain('is not verified')
    expect((await tab.open(`/verify?token=${token}`)).statusCode).toBe(200)
    expect((await tab.open('/dashboard')).body).toContain('is not verified')
    expect(leadsTo(await tab.submit('/verify', { token }))).toEqual([303, '/verify?done=verified'])
    expect((await tab.open('/verify?done=verified')).body).toContain('Your email address is verified.')
    expect((await tab.open('/dashboard')).body).not.toContain('is not verified')
    expect((await tab.submit('/verify', { token })).statusCode).toBe(400)
  })

  it('offers a signed-out visitor to enter the password, to sign in, or to say that another person made the account', async () => {
    const { account } = await signUp(test.app, newName())
    const token = tokenIn(await mailbox.take(account.email, 'verification'))
    const tab = browser()
    const page = await tab.open(`/verify?token=${token}`)
    expect(inputOf(page, 'password')).toContain('autocomplete="current-password"')
    expect(page.body).toContain(`href="/login?next=${encodeURIComponent(`/verify?token=${token}`)}"`)
    expect(page.body).toContain('I did not create this account')
    const empty = await tab.submit('/verify', { token, password: '' })
    expect([empty.statusCode, empty.body.includes('I did not create this account')]).toEqual([400, true])
    expect((await login(test.app, account.email)).statusCode).toBe(200)
    expect(leadsTo(await tab.submit('/verify', hiddenFieldsOf(page)))).toEqual([303, '/verify?done=taken_over'])
    expect((await mailbox.take(account.email, 'takenOver')).to).toBe(account.email)
  })

  it.each([
    ['de', 'Ich habe dieses Konto nicht erstellt'],
    ['ja', 'このアカウントは作成していません'],
    ['ar', 'لم أنشئ هذا الحساب'],
  ])('offers both ways in %s', async (language, text) => {
    const page = await browser({ 'accept-language': language }).open('/verify?token=x')
    expect(page.body).toContain(text)
  })

  it('names the account of a visitor who is signed in to another one, and takes over by its button only', async () => {
    const { account } = await signUp(test.app, newName())
    const token = tokenIn(await mailbox.take(account.email, 'verification'))
    const tab = await signedIn()
    const page = await tab.open(`/verify?token=${token}`)
    expect(page.body).toContain(`You are signed in as <bdi>${tab.username}</bdi>`)
    expect(page.body).toContain('href="/logout"')
    // Another tab may have changed the account since the page was shown.
    const warned = await tab.submit('/verify', { token })
    expect([warned.statusCode, warned.body.includes(`You are signed in as <bdi>${tab.username}</bdi>`)]).toEqual([
      400,
      true,
    ])
    expect((await login(test.app, account.email)).statusCode).toBe(200)
    expect(leadsTo(await tab.submit('/verify', hiddenFieldsOf(page)))).toEqual([303, '/verify?done=taken_over'])
    expect((await login(test.app, account.email)).statusCode).toBe(401)
  })

  it('asks an account whose address was verified without its session to prove that it owns it', async () => {
    const tab = await signedIn()
    const first = tokenIn(await mailbox.take(tab.email, 'verification'))
    expect(leadsTo(await browser().submit('/verify', { token: first, password: PASSWORD }))[0]).toBe(303)
    expect((await tab.open('/dashboard')).body).not.toContain('resend-verification')

    const other = await signedIn()
    const token = tokenIn(await mailbox.take(other.email, 'verification'))
    await test.app.inject({ method: 'POST', url: '/auth/verify', payload: { token } })
    expect((await other.open('/dashboard')).body).toContain('Another person could have confirmed')
    expect(leadsTo(await other.submit('/dashboard/resend-verification', {}))).toEqual([303, '/dashboard?done=sent'])
    const again = tokenIn(await mailbox.take(other.email, 'verification'))
    expect(leadsTo(await other.submit('/verify', { token: again }))).toEqual([303, '/verify?done=verified'])
    expect((await other.open('/dashboard')).body).not.toContain('resend-verification')
  })

  it('does not warn the account of the link', async () => {
    const tab = await signedIn()
    const token = tokenIn(await mailbox.take(tab.email, 'verification'))
    const { body } = await tab.open(`/verify?token=${token}`)
    expect(body).not.toContain('handed over')
    expect(body).not.toContain('take_over')
  })
})

describe('the page of an account', () => {
  it('sends signed-out visitors to the sign-in page', async () => {
    expect(leadsTo(await browser().open('/dashboard'))).toEqual([303, '/login?next=%2Fdashboard'])
    expect(leadsTo(await browser().submit('/dashboard/resend-verification', {}))).toEqual([
      303,
      '/login?next=%2Fdashboard',
    ])
  })

  it('sends another verification email, and states how long to wait for the next', async () => {
    const tab = await signedIn()
    expect(leadsTo(await tab.submit('/dashboard/resend-verification', {}))).toEqual([303, '/dashboard?done=sent'])
    const soon = await tab.submit('/dashboard/resend-verification', {})
    expect(Number(soon.headers['retry-after'])).toBeGreaterThan(0)
    expect(soon.statusCode).toBe(400)
    expect(sentencesOf(soon)).toMatch(/You can request another one in \d+ seconds?\./)
  })
})

describe('every page of accounts', () => {
  const PATHS = ['/login', '/register', '/logout', '/forgot-password', '/reset-password?token=x', '/verify?token=x']

  it.each(PATHS)('%s is private and not indexed', async (path) => {
    const { headers } = await browser().open(path)
    expect(headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' })
    expect(headers['content-security-policy']).toContain("form-action 'self'")
  })

  it.each(PATHS)('%s is in the language of the reader', async (path) => {
    const english = await browser().open(path)
    for (const [language, direction] of [
      ['de', 'ltr'],
      ['ja', 'ltr'],
      ['ar', 'rtl'],
    ] as const) {
      const { body } = await browser({ 'accept-language': language }).open(path)
      expect(body).toContain(`<html lang="${language}" dir="${direction}">`)
      expect(/<h1>(.+?)<\/h1>/.exec(body)?.[1]).not.toBe(/<h1>(.+?)<\/h1>/.exec(english.body)?.[1])
    }
  })

  it('is in no sitemap, and absent where the module is off', async () => {
    expect((await browser().open('/sitemap.xml')).body).not.toMatch(/login|register|dashboard/)
    for (const path of ['/login', '/dashboard', '/verify?token=x']) {
      expect((await openBrowser(shut.app).open(path)).statusCode).toBe(404)
    }
  })
})
