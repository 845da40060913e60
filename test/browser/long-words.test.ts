import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { login, type Person, proveAddress, sessionCookieOf, signUp } from '../support/accounts.ts'
import { createCardApp } from '../support/cards.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { client } from '../support/client.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { createMailbox, tokenIn } from '../support/mailbox.ts'
import { follow, untilNotified } from '../support/notifications.ts'
import { openNarrowTab } from '../support/page-faults.ts'
import { freePort } from '../support/ports.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'
const WIDTH = 320

/** The widest letter, so often that no screen is wide enough. */
const word = (length = 300) => 'W'.repeat(length)
const WORD = word()
const LINK = `https://w.example/${WORD}`
const NAME = word(32).toLowerCase()

const BODY = `# ${WORD}

${WORD} **${WORD}** *${WORD}* \`${WORD}\` ~~${WORD}~~ $${WORD}$

## ${WORD}

### ${WORD}

#### ${WORD}

##### ${WORD}

###### ${WORD}

- ${WORD}
  - ${WORD}
    1. ${WORD}

- [ ] ${WORD}

> ${WORD}
>
> > - ${WORD}

| ${WORD} | \`${WORD}\` |
|---|--:|
| ${WORD} | [${WORD}](${LINK}) |

\`\`\`
${WORD}
\`\`\`

[${WORD}](${LINK}) <${LINK}> ${LINK} ![${WORD}](${LINK}) ![${WORD}](http://w.example/${WORD})

<b>${WORD}</b>

${WORD}[^w]

[^w]: ${WORD}
`

/** Members of each type of profile, as long as they may be. */
const TYPE_DATA = {
  o: ['organization', { legal_name: word(200), industry: word(128), size: word(32), headquarters: word(200) }],
  l: ['place', { address: { street: word(128), city: word(128), country: word(64) }, opening_hours: [word(64)] }],
  a: ['asset', { category: word(128), identifier: word(128), condition: word(64) }],
  p: ['product', { sku: word(64), brand: word(128), price: { amount: '123456789012.12345678', currency: 'eur' } }],
  k: ['knowledge', { subject: word(200), abstract: WORD, authors: [word(128)], license: word(128) }],
  agent: ['agent', { provider: word(128), model: word(128), endpoint: LINK, protocols: [word(64)] }],
  e: ['event', { starts_at: '2026-12-01T19:00:00Z', timezone: 'Asia/Tokyo', venue: word(200), online_url: LINK }],
  x: ['custom', { schema_url: LINK, fields: { [word(128)]: { [word(128)]: [WORD, { [word(128)]: WORD }] } } }],
} as const

const HASH = `sha256:${'a'.repeat(64)}`

/** The requirements whose texts an author writes. */
const REQUIREMENTS = [
  { type: 'payment', amount: 123_456.12, currency: 'eur', per: 'month' },
  { type: 'credential', credential_type: word(256), issuer: `did:web:${word(200)}` },
  { type: 'capability', required_capabilities: [word(128)] },
  { type: 'allowlist', dids: [`did:web:${WORD}`] },
  { type: 'reciprocal', access_level: word(64) },
  {
    type: 'data_request',
    requested_claims: [{ claim: word(128), purpose: `dpv:${WORD}`, retention_days: 1 }],
    policy_url: LINK,
  },
  { type: 'agreement', document_hash: HASH, document_url: LINK, document_title: word(256) },
  { type: 'x-wide', [word(64)]: WORD },
]

describe.skipIf(chromiumPath === undefined)(`texts with a word of 300 letters, in a browser (${where})`, () => {
  const mailbox = createMailbox()
  let test: Awaited<ReturnType<typeof createCardApp>>
  let browser: Browser
  let base: string
  let author: Person
  const open: string[] = [
    '/',
    '/discover',
    '/pricing',
    `/u/${word(64)}`,
    `/docs/errors/${WORD}`,
    `/search?q=${WORD}`,
    `/search?q=${word(60)}`,
  ]
  const own: string[] = ['/dashboard', '/purchases', '/account/notifications', '/account/transfers', '/account/plan']

  async function send(person: Person, method: 'POST' | 'PUT', url: string, payload: object) {
    const answer = await client(test.app).send(method, url, payload, person.headers)
    if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body.slice(0, 500)}`)
    return answer.statusCode === 204 ? undefined : answer.json()
  }

  beforeAll(async () => {
    const port = await freePort()
    base = `http://127.0.0.1:${port}`
    test = await createCardApp({ publicUrl: base, withSearch: true, email: { mailer: mailbox.mailer } })
    author = await signUp(test.app, NAME)
    await proveAddress(test, author)
    await fillProfiles()
    await fillContents()
    await fillLists()
    await test.app.listen({ port, host: '127.0.0.1' })
    browser = await launchChromium()
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await test?.close()
  })

  async function fillProfiles() {
    const texts = {
      full_name: word(128),
      bio: `${WORD}\n\n${LINK}`,
      skills: [word(64)],
      keywords: [word(64)],
      socials: { website: LINK, [word(32).toLowerCase()]: `@${word(100)}` },
      agent_instructions: WORD,
      agent_rules: WORD,
      custom_fields: { [word(128)]: WORD, [`${word(127)}V`]: [{ [word(128)]: [WORD] }] },
    }
    await send(author, 'PUT', `/profiles/u/${NAME}`, {
      ...texts,
      type_data: { headline: word(200), location: word(128), languages: ['en'], availability: word(64) },
    })
    for (const [prefix, [profile_type, type_data]] of Object.entries(TYPE_DATA)) {
      await send(author, 'POST', '/profiles', { profile_type, username: NAME, type_data, ...texts })
      open.push(`/${prefix}/${NAME}`, `/${prefix}/${NAME}/changelog`)
    }
    open.push(`/u/${NAME}`, `/u/${NAME}/changelog`)
    const sections = [{ key: 'wide', title: word(128), body: WORD, agent_types: ['general'], visibility: 'public' }]
    await send(author, 'PUT', `/profiles/${author.account.active_profile_id}/smart-sections`, { sections })
    const did = `did:web:${encodeURIComponent(new URL(base).host)}:u:${NAME}`
    await send(author, 'POST', `/eep/services/${did.replaceAll('%', '%25')}`, {
      name: word(256),
      category: word(64),
      tags: [word(64)],
      delivery: 'async',
      description: WORD,
      pricing: { model: 'subscription', amount: 50, currency: 'eur', period: 'month' },
    })
    const names = [`${word(200)}.md`, `${word(200)}.bin`]
    for (const name of names) {
      await upload(
        test.app,
        [field('username', NAME), field('profile_type', 'person'), fileOf(WORD, name)],
        author.headers,
      )
    }
  }

  async function fillContents() {
    const profile_id = author.account.active_profile_id
    const category = (more: object) =>
      send(author, 'POST', '/manage/categories', { profile_id, name: word(120), description: WORD, ...more })
    const outer = await category({})
    const inner = await category({ parent_id: outer.id })
    const page = (more: object) =>
      send(author, 'POST', '/manage/pages', {
        profile_id,
        title: word(200),
        body: BODY,
        excerpt: WORD,
        status: 'published',
        ...more,
      })
    const root = `/u/${NAME}/content`
    for (const place of [{}, { category_id: inner.id }]) open.push((await page(place)).path)
    open.push(root, outer.path, inner.path)
    const tiers = { public: { requirements: [], access: ['profile.*', 'content.*'] } }
    const all = { type: 'combined', combine_mode: 'any', requirements: REQUIREMENTS }
    for (const [index, requirement] of [...REQUIREMENTS, all].entries()) {
      const slug = `gated-${index}`
      open.push((await page({ slug })).path)
      Object.assign(tiers, {
        [`tier_${index}`]: {
          label: word(128),
          description: WORD,
          requirements: [requirement],
          access: [`content.gated_${index}`],
        },
      })
    }
    const did = `did:web:${encodeURIComponent(new URL(base).host)}:u:${NAME}`
    await send(author, 'PUT', `/eep/gates/${did.replaceAll('%', '%25')}`, { default_tier: 'public', tiers })
  }

  /** Posts, an invitation, a transfer, a purchase, and the notifications of all of these. */
  async function fillLists() {
    const post = await send(author, 'POST', '/feed', { body: `${WORD} #${word(100)}` })
    await send(author, 'POST', '/feed', { body: WORD, reply_to: post.id })
    open.push('/feed', `/feed/posts/${post.id}`, `/feed/posts/${post.id}/replies`, `/feed/u/${NAME}`)
    const buyer = await signUp(test.app, `${word(31).toLowerCase()}v`)
    await proveAddress(test, buyer)
    await send(buyer, 'PUT', `/profiles/u/${buyer.account.username}`, { full_name: word(128) })
    await follow(buyer, author)
    const { id } = (await client(test.app).get(`/profiles/o/${NAME}`)).json()
    await send(buyer, 'POST', '/profiles', { profile_type: 'organization', username: `${word(30).toLowerCase()}vv` })
    const theirs = (await client(test.app).get(`/profiles/o/${word(30).toLowerCase()}vv`)).json().id
    await send(buyer, 'PUT', `/profiles/o/${word(30).toLowerCase()}vv`, { full_name: word(128) })
    await send(buyer, 'POST', `/profiles/${theirs}/transfers`, { recipient_username: NAME })
    const teammate = await signUp(test.app)
    await send(author, 'POST', `/profiles/${id}/team/invites`, { email: teammate.account.email, role: 'editor' })
    open.push(`/team/invite?token=${tokenIn(await mailbox.take(teammate.account.email, 'invitation'))}`)
    await send(buyer, 'POST', `/profiles/${theirs}/team/invites`, { email: author.account.email, role: 'editor' })
    own.push('/team/invite')
    const did = test.app.eep.profiles.didOf({ type: 'person', username: NAME })
    const opened = await send(buyer, 'POST', '/eep/payment/stripe/checkout-human', { did, resource: 'content.gated_0' })
    test.stripe.completeCheckout(opened.checkout_id)
    const back = await buyer.get(`/eep/payment/stripe/checkout-human/${opened.checkout_id}`)
    expect(back.statusCode, back.body).toBe(303)
    await untilNotified(author, (items) => expect(items.length).toBeGreaterThan(1))
    buyers.push(buyer)
  }
  const buyers: Person[] = []

  /** The paths of pages that are too wide, and what makes them so. */
  async function wideOf(paths: readonly string[], person?: Person) {
    const session = person && sessionCookieOf(await login(test.app, person.account.email))?.value
    const tab = await openNarrowTab(browser, base, 'en', session)
    const found: string[] = []
    for (const path of paths) {
      const answer = await tab.page.goto(path)
      await tab.page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true')
      const width = await tab.page.evaluate<number>('document.documentElement.scrollWidth')
      if (width > WIDTH) {
        const causes = await tab.page.evaluate<string[]>(`[...document.querySelectorAll('body *')]
          .filter((one) => one.getBoundingClientRect().right > ${WIDTH} && !one.closest('pre, .wide') && one.children.length === 0)
          .slice(0, 3).map((one) => one.parentElement.tagName + '>' + one.outerHTML.slice(0, 60))`)
        found.push(`${path} (${answer?.status()}) is ${width} px wide: ${causes.join(' | ')}`)
      }
    }
    await tab.close()
    return found
  }

  it('fit a screen of 320 pixels on every page that visitors see', async () => {
    expect(await wideOf(open)).toEqual([])
  }, 300_000)

  it('fit a screen of 320 pixels on the pages of the account that wrote them', async () => {
    expect(await wideOf(own, author)).toEqual([])
  }, 300_000)

  it('fit a screen of 320 pixels on the pages of an account that bought them', async () => {
    expect(await wideOf([...own, ...open], buyers[0])).toEqual([])
  }, 300_000)

  it('are on the pages that are measured', async () => {
    const tab = await openNarrowTab(browser, base, 'en')
    for (const path of open.filter((each) => each.startsWith(`/u/${NAME}`))) {
      const answer = await tab.page.goto(path)
      expect([path, [200, 402, 403].includes(answer?.status() ?? 0)]).toEqual([path, true])
      expect([path, (await tab.page.content()).includes(word(64))]).toEqual([path, true])
    }
    await tab.close()
  }, 300_000)
})
