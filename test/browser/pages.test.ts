import { defineError, storageUnavailable } from '@eep/core/ports'
import { newSubscription } from '@eep/core/testing'
import { type Facilitator, x402Rail } from '@eep/payments-x402'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { login, PASSWORD, type Person, proveAddress, sessionCookieOf, signUp } from '../support/accounts.ts'
import { createCardApp } from '../support/cards.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { client } from '../support/client.ts'
import { createWriter } from '../support/content.ts'
import { openLibrary } from '../support/library.ts'
import { createMailbox, tokenIn } from '../support/mailbox.ts'
import { follow, untilNotified } from '../support/notifications.ts'
import { openNarrowTab } from '../support/page-faults.ts'
import { freePort } from '../support/ports.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { appCode } from '../support/totp.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'
const LONG_WORD = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(3)
const TOKEN = 'x'.repeat(43)
const tooMany = defineError('too_many_reads', 429, 'Too many reads')

/** A profile of each type, with every member that a page shows in its own way. */
const PROFILES = {
  o: ['organization', { legal_name: 'Difference Ltd', founded: 1823, size: 12, headquarters: LONG_WORD }],
  l: [
    'place',
    {
      address: { street: '12 St James Square', city: 'London', country: 'UK' },
      geo: { lat: 51.507, lng: -0.135 },
      opening_hours: ['Mo-Fr 09:00-17:00', 'Sa 10:00-12:00'],
    },
  ],
  a: ['asset', { category: 'Machine', identifier: LONG_WORD, value: { amount: '17000', currency: 'gbp' } }],
  p: ['product', { sku: 'A-1', brand: 'Difference', price: { amount: '12.50', currency: 'eur' } }],
  k: ['knowledge', { subject: 'Engines', abstract: 'What an engine can do.\n\nAnd what not.', authors: ['Ada'] }],
  agent: ['agent', { provider: 'Atlas', endpoint: 'https://agent.example/a2a', protocols: ['a2a', 'mcp'] }],
  e: [
    'event',
    {
      starts_at: '2026-12-01T19:00:00Z',
      ends_at: '2026-12-01T22:00:00Z',
      timezone: 'Asia/Tokyo',
      venue: LONG_WORD,
      online_url: 'https://live.example/',
    },
  ],
  x: ['custom', { schema_url: 'https://schemas.example/thing', fields: { deep: { deeper: ['a', { b: LONG_WORD }] } } }],
} as const

/** With parameters, with a file, and with the largest body. */
const OPERATIONS = ['getProfile', 'uploadFile', 'replaceGates']

/** Offers are made without calls to the facilitator. */
const unused = () => Promise.reject(new Error('not asked'))
const facilitator: Facilitator = { verify: unused, settle: unused, getSupported: unused }
const payTo = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const stablecoins = x402Rail({ network: 'base-sepolia', payTo, facilitator })

describe.skipIf(chromiumPath === undefined)(`pages in a browser (${where})`, () => {
  const mailbox = createMailbox()
  let test: Awaited<ReturnType<typeof createCardApp>>
  let browser: Browser
  let base: string
  let visited: readonly string[]
  let tasks: string
  let member: Person
  let memberSession: string
  let invitation: string
  let unsubscribe: string

  const sessionOf = async ({ account }: Person) => sessionCookieOf(await login(test.app, account.email))?.value ?? ''

  beforeAll(async () => {
    const port = await freePort()
    base = `http://127.0.0.1:${port}`
    const failures: Readonly<Record<string, () => unknown>> = {
      'content.broken': () => new Error('broken'),
      'content.busy': () => storageUnavailable(),
      'content.limited': () => tooMany({ retryAfterMs: 90_000 }),
    }
    test = await createCardApp(
      {
        publicUrl: base,
        name: 'Atlas',
        withSearch: true,
        email: { mailer: mailbox.mailer },
        hooks: {
          legalRestriction({ resource }) {
            if (resource === 'content.blocked') return { reason: 'Blocked by a court' }
            const failure = failures[resource]?.()
            if (failure) throw failure
            return undefined
          },
        },
      },
      {},
      [stablecoins],
    )
    const [library, published] = [await openLibrary(test.app), await publish()]
    member = await signUp(test.app, 'mary')
    memberSession = await sessionOf(member)
    const shop = await openShop(test.app, 'shop', { amount: 5, currency: 'eur', per: 'month' })
    await Promise.all([fillAccount(shop), test.app.listen({ port, host: '127.0.0.1' })])
    tasks = published.tasks
    visited = [
      ...['/', '/login', '/login?oauth_error=invalid_email', '/register', '/logout', '/forgot-password'],
      ...[`/reset-password?token=${TOKEN}`, `/verify?token=${TOKEN}`, `/eep/payment/recovery/${TOKEN}`],
      ...['/purchases', '/pricing', '/discover', '/docs', '/docs/errors', '/docs/payments'],
      ...['/docs/errors/profile_not_found', ...OPERATIONS.map((id) => `/docs/operations/${id}`)],
      ...[library.profile, library.contents, library.page, library.gated, `${library.profile}/changelog`],
      ...[`${library.contents}/notes`, shop.paid, ...published.paths],
      ...['/search', '/search?q=Lovelace', '/search?q=nothing-like-it'],
      ...[`/team/invite?token=${invitation}`, `/team/invite?token=${TOKEN}`, '/notifications/unsubscribe?token=none'],
      ...['/u/unknown', '/nowhere', '/search?q=Lovelace&cursor=no-cursor'],
    ]
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await test?.close()
  })

  /** Profiles of each type, posts, a service, and pages that fail or were deleted; the paths of all. */
  async function publish() {
    const writer = await createWriter(test.app, 'charles')
    const { path } = await writer.newPage({ title: 'Tasks', body: '- [x] Read *the* engine\n- [ ] Write' })
    for (const slug of ['broken', 'busy', 'limited', 'blocked']) await writer.newPage({ title: slug, slug })
    const deleted = await writer.newPage({ title: 'Deleted' })
    await writer.delete(`/manage/pages/${deleted.id}`)
    const pricing = { model: 'subscription', amount: 50, currency: 'eur', period: 'month' }
    const did = `did:web:${encodeURIComponent(new URL(base).host)}:u:charles`
    await writer.post(`/eep/services/${did.replaceAll('%', '%25')}`, {
      name: 'Advice',
      category: 'consulting',
      delivery: 'async',
      description: 'About engines',
      pricing,
    })
    // Lists hold profiles of owners with a verified address.
    await proveAddress(test, writer)
    for (const [prefix, [profile_type, type_data]] of Object.entries(PROFILES)) {
      const made = await writer.post('/profiles', {
        profile_type,
        username: `thing-${prefix}`,
        bio: 'Is listed',
        type_data,
      })
      expect(made.statusCode, made.body).toBe(200)
    }
    await writer.post('/profiles', { profile_type: 'organization', username: 'thing-deleted' })
    await writer.delete('/profiles/o/thing-deleted')
    const post = (fields: object) => writer.post('/feed', fields)
    const first = (await post({ body: `A post about #engines and ${LONG_WORD}` })).json().id
    await post({ body: 'A reply', reply_to: first })
    const things = Object.keys(PROFILES).map((prefix) => `/${prefix}/thing-${prefix}`)
    const feeds = ['/feed', `/feed/posts/${first}`, `/feed/posts/${first}/replies`, '/feed/hashtags/engines']
    const failing = ['broken', 'busy', 'limited', 'blocked', 'deleted'].map((slug) => `${writer.contents}/${slug}`)
    const paths = [path, '/u/charles', ...things, '/o/thing-deleted', ...feeds, ...failing]
    return { tasks: path, paths }
  }

  /** Gives the member an entry in each list of an account, and the tokens of links. */
  async function fillAccount(shop: Shop) {
    const owner = await signUp(test.app, 'oscar')
    const { account } = member
    const name = 'a-profile-to-transfer-with-a-long-name'
    await owner.post('/profiles', { profile_type: 'organization', username: name })
    const { id } = (await client(test.app).get(`/profiles/o/${name}`)).json()
    const offered = await owner.post(`/profiles/${id}/transfers`, { recipient_username: account.username })
    expect(offered.statusCode, offered.body).toBe(201)
    const invited = await owner.post(`/profiles/${id}/team/invites`, { email: account.email, role: 'editor' })
    expect(invited.statusCode, invited.body).toBe(201)
    invitation = tokenIn(await mailbox.take(account.email, 'invitation'))
    await proveAddress(test, member)
    await follow(owner, member)
    await untilNotified(member, (items) => expect(items.length).toBeGreaterThan(0))
    const subscription = newSubscription(account.id, { status: 'active', currentPeriodEnd: new Date('2027-03-04') })
    await test.storage.transaction((tx) => tx.subscriptions.put(subscription))
    await buy(shop)
    const receipt = await vi.waitFor(() => {
      const mail = mailbox.mails.find(({ to, headers }) => to === account.email && headers?.['List-Unsubscribe'])
      if (!mail) throw new Error('no email about the purchase')
      return String(mail.headers?.['List-Unsubscribe'])
    }, 60_000)
    unsubscribe = receipt.slice(1, -1)
  }

  /** Pays by card while the member is signed in. */
  async function buy({ did }: Shop) {
    const opened = await member.post('/eep/payment/stripe/checkout-human', { did, resource: 'content.notes.engines' })
    expect(opened.statusCode, opened.body).toBe(200)
    const { checkout_id: id } = opened.json()
    test.stripe.completeCheckout(id)
    const back = await member.get(`/eep/payment/stripe/checkout-human/${id}`)
    expect(back.statusCode, back.body).toBe(303)
  }

  /** Submits the form around a button, also when the browser would refuse its fields. */
  async function submit(page: Page, fields: Readonly<Record<string, string>>, button = 'main form button') {
    for (const [name, value] of Object.entries(fields)) await page.locator(`main [name="${name}"]`).first().fill(value)
    await page.evaluate('for (const form of document.forms) form.noValidate = true')
    await Promise.all([page.waitForEvent('domcontentloaded'), page.locator(button).first().click()])
  }

  /** The states of pages that a visitor reaches by forms, in the order in which they are shown. */
  async function visitForms(page: Page, checked: (state: string) => Promise<void>) {
    await page.goto('/login')
    await submit(page, { email: 'unknown@example.com', password: 'Wrong 1 password' })
    await checked('a wrong password')
    await page.goto('/register')
    await submit(page, { email: 'not an address', username: 'mary', password: 'short' })
    await checked('a registration that is refused')
    await page.goto('/forgot-password')
    await submit(page, { email: 'nobody' })
    await checked('an address that is not one')
    await submit(page, { email: 'nobody@example.com' })
    await checked('a link that is sent')
    await page.goto(`/reset-password?token=${TOKEN}`)
    await submit(page, { password: PASSWORD })
    await checked('a link for a password that has expired')
    await page.goto(`/verify?token=${TOKEN}`)
    await submit(page, {})
    await checked('a link for an address that has expired')
    const { account } = await signUp(test.app)
    await page.goto(`/verify?token=${tokenIn(await mailbox.take(account.email, 'verification'))}`)
    await submit(page, {})
    await checked('a verified address')
    await page.goto('/purchases')
    await submit(page, { email: 'nobody' })
    await checked('a recovery for an address that is not one')
    await submit(page, { email: 'nobody@example.com' })
    await checked('a recovery link that is sent')
    await page.goto(`/eep/payment/recovery/${TOKEN}`)
    await submit(page, {})
    await checked('a recovery link that has expired')
    await page.goto(unsubscribe)
    await checked('a link that unsubscribes')
    await submit(page, {})
    await checked('an address that is unsubscribed')
  }

  /** The states of the second step, from its page to the sign-in with a code. */
  async function setUpSecondStep(page: Page, { account }: Person, checked: (state: string) => Promise<void>) {
    await page.goto('/account/second-factor')
    await checked('no second step')
    await submit(page, {})
    await checked('the key of a second step')
    const key = (await page.locator('main code').first().textContent()) ?? ''
    await submit(page, { code: '000000', password: PASSWORD })
    await checked('a wrong code')
    await submit(page, { code: appCode(key.replaceAll(' ', ''), new Date()), password: PASSWORD })
    await checked('the recovery codes')
    await page.goto('/account/second-factor')
    await checked('a second step')
    await page.context().clearCookies()
    await page.goto('/login')
    await submit(page, { email: account.email, password: PASSWORD })
    await checked('a sign-in that needs a code')
    await submit(page, { code: '000000' })
    await checked('a sign-in with a wrong code')
  }

  describe.each(['en', 'ar'])('in %s', (locale) => {
    /** Opens a tab, and returns what is wrong in the states that are shown in it, with their names. */
    async function faultsIn(
      show: (page: Page, checked: (state: string) => Promise<void>) => Promise<void>,
      session?: string,
    ) {
      const { page, faults, close } = await openNarrowTab(browser, base, locale, session)
      const found: string[] = []
      await show(page, async (state) => {
        found.push(...(await faults()).map((fault) => `${state}: ${fault}`))
      })
      await close()
      return found
    }

    const open = (paths: readonly string[]) => async (page: Page, checked: (state: string) => Promise<void>) => {
      for (const path of paths) {
        await page.goto(path)
        await checked(path)
      }
    }

    it('fit a narrow screen, are small and accessible, and make the browser report nothing, for visitors', async () => {
      expect(await faultsIn(open(visited))).toEqual([])
    }, 600_000)

    it('do so after each form of a visitor', async () => {
      expect(await faultsIn(visitForms)).toEqual([])
    }, 600_000)

    it('do so for an account with something in each list', async () => {
      const paths = ['/dashboard', '/dashboard?done=joined', '/logout', '/purchases', '/team/invite']
      const lists = ['notifications', 'transfers', 'plan', 'security'].map((name) => `/account/${name}`)
      const own = [...paths, ...lists, '/workspaces/invite', `/team/invite?token=${invitation}`]
      expect(await faultsIn(open(own), memberSession)).toEqual([])
    }, 600_000)

    it('do so in each state of the second step', async () => {
      const person = await signUp(test.app)
      const session = await sessionOf(person)
      expect(await faultsIn((page, checked) => setUpSecondStep(page, person, checked), session)).toEqual([])
    }, 600_000)
  })

  it('show the states that the tests above name', async () => {
    const statusOf = async (path: string) => (await client(test.app).get(path, { accept: 'text/html' })).statusCode
    const failing = visited.filter((path) => /unknown|nowhere|broken|busy|limited|blocked|deleted|cursor/.test(path))
    const statuses = await Promise.all(failing.map(statusOf))
    expect(statuses.toSorted()).toEqual([400, 404, 404, 410, 410, 429, 451, 500, 503])
    const textOf = async (path: string) => (await member.get(path, { accept: 'text/html' })).body
    for (const path of ['/account/notifications', '/account/transfers', '/team/invite', '/purchases']) {
      expect(await textOf(path), path).toMatch(/<ul class="tiers">|<li/)
    }
    expect(await textOf('/account/plan')).toContain('March 4, 2027')
    await expect.poll(() => textOf('/search?q=Lovelace'), { timeout: 60_000 }).toContain('href="/u/ada"')
  })

  it('lead from the start page to a profile, a search and an account', async () => {
    const { page, reports, close } = await openNarrowTab(browser, base, 'en')
    await page.goto('/')
    await page.getByRole('link', { name: 'thing-e' }).click()
    expect(await page.locator('time').first().textContent()).toBe('Wednesday, December 2, 2026 at 4:00 AM')
    await page.goBack()
    await page.getByRole('searchbox').fill('Lovelace')
    await page.getByRole('button', { name: 'Search' }).click()
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/search?q=Lovelace')
    await page.goto('/')
    await page.getByRole('link', { name: 'Create an account' }).click()
    expect(new URL(page.url()).pathname).toBe('/register')
    expect(reports()).toEqual([])
    await close()
  }, 300_000)

  it('lead from the list of operations to one of them, its errors and back', async () => {
    const { page, reports, close } = await openNarrowTab(browser, base, 'en')
    await page.goto('/docs')
    await page.getByRole('link', { name: 'Create a profile', exact: true }).click()
    expect(new URL(page.url()).pathname).toBe('/docs/operations/createProfile')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Create a profile')
    await page.getByRole('link', { name: 'username_taken' }).click()
    expect(new URL(page.url()).pathname).toBe('/docs/errors/username_taken')
    await page.goBack()
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click()
    expect(new URL(page.url()).pathname).toBe('/docs')
    expect(reports()).toEqual([])
    await close()
  }, 300_000)

  it('name the checkboxes of tasks for screen readers', async () => {
    const { page, close } = await openNarrowTab(browser, base, 'en')
    await page.goto(tasks)
    expect(await page.getByRole('checkbox', { name: 'Read the engine' }).isChecked()).toBe(true)
    expect(await page.getByRole('checkbox', { name: 'Write' }).isChecked()).toBe(false)
    await close()
  }, 300_000)

  it('are printed dark on white in dark mode, without navigation', async () => {
    const { page, close } = await openNarrowTab(browser, base, 'en')
    await page.goto('/u/ada')
    const shown = async (media: 'screen' | 'print') => {
      await page.emulateMedia({ media, colorScheme: 'dark' })
      const [paper, ink] = await page.evaluate<string[]>(
        `(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.body))`,
      )
      return { paper, ink, navigation: await page.locator('.top').isVisible() }
    }
    expect(await shown('screen')).toEqual({ paper: 'rgb(20, 19, 17)', ink: 'rgb(236, 232, 225)', navigation: true })
    expect(await shown('print')).toEqual({ paper: 'rgb(255, 255, 255)', ink: 'rgb(0, 0, 0)', navigation: false })
    await close()
  }, 300_000)
})
