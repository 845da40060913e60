import { defineError, storageUnavailable } from '@eep/core/ports'
import { wavOf } from '@eep/core/testing'
import { type Facilitator, x402Rail } from '@eep/payments-x402'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeAdministrator, newRegistration, PASSWORD, signUp } from '../support/accounts.ts'
import { createCardApp } from '../support/cards.ts'
import { answerOf, authorizePath, redeem, registerApp, sendConsent } from '../support/consent.ts'
import { browserOf, formOf } from '../support/console.ts'
import { createWriter } from '../support/content.ts'
import { advice } from '../support/deals.ts'
import { field, fileOf, formOf as multipart, upload } from '../support/files.ts'
import { createMailbox, tokenIn } from '../support/mailbox.ts'
import { OPEN_MESSAGES } from '../support/messages.ts'
import { createForeignWords, textsInLanguage } from '../support/page-texts.ts'
import { openBrowser, sentencesOf } from '../support/pages.ts'
import { createReceivers } from '../support/webhooks.ts'

// What people wrote is in Greek, so that every other word is one of the service.
const GREEK = /\p{Script=Greek}/u
const TOKEN = 'x'.repeat(43)
const LANGUAGES = ['de', 'ja', 'ar'] as const

const PROFILES = {
  o: ['organization', { legal_name: 'Αλφα', industry: 'Βητα', founded: 1823, size: '12', headquarters: 'Αθηνα' }],
  l: ['place', { address: { city: 'Αθηνα' }, geo: { lat: 51.5, lng: -0.1 }, opening_hours: ['Δευτερα'] }],
  a: ['asset', { category: 'Αλφα', identifier: 'Β1', condition: 'Νεο', value: { amount: '17', currency: 'gbp' } }],
  p: ['product', { sku: 'Α1', brand: 'Βητα', price: { amount: '12.50', currency: 'eur' }, availability: 'Ναι' }],
  k: ['knowledge', { subject: 'Θεμα', abstract: 'Περι', authors: ['Αδα'], license: 'Ελευθερο' }],
  agent: ['agent', { provider: 'Αλφα', model: 'Βητα', endpoint: 'https://agent.example/', protocols: ['Γαμμα'] }],
  e: ['event', { starts_at: '2026-12-01T19:00:00Z', timezone: 'Asia/Tokyo', venue: 'Αθηνα' }],
  x: ['custom', { fields: { Αλφα: 'Βητα' } }],
} as const

const unused = () => Promise.reject(new Error('not asked'))
const facilitator: Facilitator = { verify: unused, settle: unused, getSupported: unused }
const payTo = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const stablecoins = x402Rail({ network: 'base-sepolia', payTo, facilitator })
const tooMany = defineError('too_many_reads', 429, 'Too many reads')

const payment = (amount: number) => ({ type: 'payment', amount, currency: 'eur', per: 'month' })
const GATE = {
  default_tier: 'public',
  tiers: {
    public: { requirements: [], access: ['profile.*', 'content.*'] },
    paid: { label: 'Αναγνωστης', requirements: [payment(5)], access: ['content.sold', '*', 'content.shelf.*'] },
    met: {
      label: 'Φιλος',
      requirements: [
        { type: 'connection', relation: 'follower' },
        { type: 'trust', min_score: 50 },
        { type: 'identity', method: 'email_verified' },
        {
          type: 'agreement',
          document_url: 'https://terms.example/',
          document_title: 'Οροι',
          document_hash: `sha256:${'0'.repeat(64)}`,
        },
        { type: 'credential', credential_type: 'Πτυχιο' },
        {
          type: 'data_request',
          requested_claims: [{ claim: 'Ηλικια', purpose: 'dpv:ServiceProvision', retention_days: 1 }],
        },
      ],
      access: ['content.met'],
    },
  },
}

const search = (text: string) => `/search?q=${encodeURIComponent(text)}`

const mailbox = createMailbox()
const receiver = createReceivers()
let test: Awaited<ReturnType<typeof createCardApp>>
let visited: Readonly<Record<string, string>>
let own: Readonly<Record<string, string>>
/** The pages of administrators. */
let administered: Readonly<Record<string, string>>
let administrator: ReturnType<typeof openBrowser>
let member: ReturnType<typeof openBrowser>
let reported: string

beforeAll(async () => {
  const failures: Readonly<Record<string, () => unknown>> = {
    'content.broken': () => new Error('broken'),
    'content.busy': () => storageUnavailable(),
    'content.limited': () => tooMany({ retryAfterMs: 90_000 }),
  }
  test = await createCardApp(
    {
      withSearch: true,
      name: 'Αγορα',
      ...OPEN_MESSAGES,
      email: { mailer: mailbox.mailer },
      http: { allowPrivateHosts: ['127.0.0.1'] },
      hooks: {
        legalRestriction({ resource }) {
          if (resource === 'content.blocked') return { reason: 'Δικαστηριο' }
          const failure = failures[resource]?.()
          if (failure) throw failure
          return undefined
        },
      },
    },
    {},
    [stablecoins],
  )
  const ada = await createWriter(test.app, 'ada')
  const saved = await ada.put('/profiles/u/ada', {
    full_name: 'Αδα',
    bio: 'Μαθηματικος',
    type_data: { headline: 'Αναλυτρια', location: 'Αθηνα', languages: ['Ελληνικα'], availability: 'Ναι' },
    skills: ['Αναλυση'],
    socials: { website: 'https://ada.example/', github: 'αδα' },
    keywords: ['μηχανες'],
    capabilities: ['contactable', 'hireable'],
    agent_instructions: 'Γραψε',
    agent_rules: 'Περιμενε',
    custom_fields: { Τιτλος: true, Ωρα: '2026-12-01T19:00:00Z' },
  })
  expect(saved.statusCode, saved.body).toBe(200)
  const shelf = await ada.newCategory({ name: 'Ραφι', slug: 'shelf', description: 'Βιβλια' })
  const page = (slug: string, more: object = {}) =>
    ada.newPage({ title: `Σελιδα ${slug.length}`, slug, body: '# Α\n\n## Β\n\n## Γ\n\n## Δ', excerpt: 'Περι', ...more })
  for (const slug of ['open', 'sold', 'met', 'broken', 'busy', 'limited', 'blocked']) await page(slug)
  await page('inner', { category_id: shelf.id })
  const draft = await page('draft', { status: 'draft' })
  const preview = await ada.post(`/manage/pages/${draft.id}/preview-links`)
  await ada.delete(`/manage/pages/${(await page('deleted')).id}`)
  const did = 'did:web:profiles.example:u:ada'
  const gated = await ada.put(`/eep/gates/${did}`, GATE)
  expect(gated.statusCode, gated.body).toBe(200)
  await ada.post(`/eep/services/${did}`, { ...advice(), name: 'Συμβουλη', description: 'Περι' })
  await upload(test.app, [field('username', 'ada'), fileOf('Γεια', 'Αρχειο.txt')], ada.headers)
  const post = async (fields: object) => (await ada.post('/feed', fields)).json().id
  const first = await post({ body: 'Μηχανη #μηχανη' })
  await post({ body: 'Απαντηση', reply_to: first })
  for (const [prefix, [profile_type, type_data]] of Object.entries(PROFILES)) {
    const name = `thing-${prefix}`
    const made = await ada.post('/profiles', { profile_type, username: name, type_data, full_name: 'Πραγμα' })
    expect(made.statusCode, made.body).toBe(200)
  }
  await ada.post('/profiles', { profile_type: 'organization', username: 'thing-gated', full_name: 'Πραγμα' })
  const closed = {
    default_tier: 'open',
    tiers: {
      open: { requirements: [], access: ['content.*'] },
      paid: { requirements: [payment(5)], access: ['profile.*'] },
    },
  }
  const sold = await ada.put('/eep/gates/did:web:profiles.example:o:thing-gated', closed)
  expect(sold.statusCode, sold.body).toBe(200)
  await ada.post('/profiles', { profile_type: 'organization', username: 'thing-deleted' })
  await ada.delete('/profiles/o/thing-deleted')
  await vi.waitFor(
    async () => expect((await ada.getJson(`${search('Μαθηματικος')}&format=json`)).data.length).toBe(1),
    { timeout: 60_000, interval: 50 },
  )

  // An account with something in each list.
  const registration = newRegistration()
  member = openBrowser(test.app)
  await member.submit('/register', registration)
  const team = { email: registration.email, role: 'editor' }
  const thing = (await ada.get('/profiles/o/thing-o')).json()
  const invited = await ada.post(`/profiles/${thing.id}/team/invites`, team)
  expect(invited.statusCode, invited.body).toBe(201)
  const invitation = tokenIn(await mailbox.take(registration.email, 'invitation'))
  const offered = await ada.post(`/profiles/${thing.id}/transfers`, { recipient_username: registration.username })
  expect(offered.statusCode, offered.body).toBe(201)

  await member.submit('/messages/new', { to: 'u/ada', body: 'Ερωτηση', next: '/u/ada' })
  const [, thread = ''] = /href="(\/messages\/threads\/[^"]+)"/.exec((await member.open('/messages')).body) ?? []
  expect(thread).not.toBe('')
  reported = String(first)

  visited = {
    '/': '/',
    '/discover': '/discover',
    '/docs': '/docs',
    '/docs/operations/{operationId}': '/docs/operations/getProfile',
    '/docs/errors': '/docs/errors',
    '/docs/errors/{code}': '/docs/errors/profile_not_found',
    '/docs/payments': '/docs/payments',
    '/.well-known/eep/agent-guide.md': '/.well-known/eep/agent-guide.md',
    '/login': '/login',
    '/login after an error': '/login?oauth_error=invalid_email',
    '/register': '/register',
    '/forgot-password': '/forgot-password',
    '/reset-password': `/reset-password?token=${TOKEN}`,
    '/verify': `/verify?token=${TOKEN}`,
    '/account/deleted': '/account/deleted?until=2026-12-31T10:00:00Z',
    '/email/undo': `/email/undo?token=${TOKEN}`,
    '/payouts/undo': `/payouts/undo?token=${TOKEN}`,
    '/pricing': '/pricing',
    '/purchases': '/purchases',
    '/eep/payment/recovery/{token}': `/eep/payment/recovery/${TOKEN}`,
    '/notifications/unsubscribe': '/notifications/unsubscribe?token=none',
    '/team/invite with a token': `/team/invite?token=${invitation}`,
    '/team/invite without an invitation': `/team/invite?token=${TOKEN}`,
    '/{prefix}/{username}': '/u/ada',
    ...Object.fromEntries(
      Object.keys(PROFILES).map((prefix) => [`a profile at /${prefix}`, `/${prefix}/thing-${prefix}`]),
    ),
    '/{prefix}/{username}/changelog': '/u/ada/changelog',
    '/{prefix}/{username}/freshness': '/u/ada/freshness',
    '/eep/payment/stripe/checkout-cancelled': '/eep/payment/stripe/checkout-cancelled',
    '/{prefix}/{username}/content': '/u/ada/content',
    'a category': '/u/ada/content/shelf',
    '/{prefix}/{username}/content/{path}': '/u/ada/content/open',
    'a profile for sale': '/o/thing-gated',
    '/preview/{token}': new URL(preview.json().url).pathname,
    'a page for sale': '/u/ada/content/sold',
    'a page with other requirements': '/u/ada/content/met',
    'a page that is blocked': '/u/ada/content/blocked',
    '/trust/{prefix}/{username}': '/trust/u/ada',
    '/feed': '/feed',
    '/feed/{prefix}/{slug}': '/feed/u/ada',
    '/feed/hashtags/{tag}': `/feed/hashtags/${encodeURIComponent('μηχανη')}`,
    '/feed/posts/{id}': `/feed/posts/${first}`,
    '/feed/posts/{id}/replies': `/feed/posts/${first}/replies`,
    '/search': '/search',
    '/search with hits': search('Μαθηματικος'),
    '/search without hits': search('Τιποτα'),
    '/search without words': '/search?q=%25',
    'an error 400': '/feed?cursor=no-cursor',
    'an error 401': '/feed/following',
    'an error 404': '/u/unknown-name',
    'an error 404 of no route': '/no/such/route',
    'an error 410 of a page': '/u/ada/content/deleted',
    'an error 410 of a profile': '/o/thing-deleted',
    'an error 429': '/u/ada/content/limited',
    'an error 500': '/u/ada/content/broken',
    'an error 503': '/u/ada/content/busy',
  }
  const report = await member.submit('/reports/new', { post: reported, body: 'Λογος', next: '/feed' })
  expect(report.statusCode, report.body).toBe(303)
  const chief = await signUp(test.app, 'chief')
  await makeAdministrator(test, chief)
  administrator = await browserOf(test.app, chief)
  await administrator.submit(`/admin/accounts/${ada.account.id}`, formOf('plan', { plan: 'team' }))
  const [, reportPath = ''] =
    /href="(\/admin\/moderation\/[^"]+)"/.exec((await administrator.open('/admin/moderation')).body) ?? []
  administered = {
    '/admin': '/admin',
    '/admin/accounts': '/admin/accounts',
    '/admin/accounts/{account}': `/admin/accounts/${ada.account.id}`,
    '/admin/changes': '/admin/changes',
    '/admin/moderation': '/admin/moderation',
    '/admin/moderation/{report}': reportPath,
    '/admin/plan-prices': '/admin/plan-prices',
    '/admin/refund-claims': '/admin/refund-claims',
  }
  const ofMember = (await ada.get(`/profiles/u/${registration.username}`)).json().id
  const written = { profile_id: ofMember, title: 'Σελιδα', body: 'Κειμενο', status: 'published' }
  const memberPage = await test.app.inject({
    method: 'POST',
    url: '/manage/pages',
    payload: written,
    cookies: member.jar,
    headers: { origin: 'https://profiles.example' },
  })
  expect(memberPage.statusCode, memberPage.body).toBe(201)
  const service = await test.app.inject({
    method: 'POST',
    url: `/eep/services/did:web:profiles.example:u:${registration.username}`,
    payload: { name: 'Συμβουλη', category: 'Λογος', delivery: 'async', pricing: { model: 'free', currency: 'usd' } },
    cookies: member.jar,
    headers: { origin: 'https://profiles.example' },
  })
  expect(service.statusCode, service.body).toBe(201)
  const deal = await ada.post('/eep/commerce/negotiations', {
    seller_did: `did:web:profiles.example:u:${registration.username}`,
    service: 'Συμβουλη',
    pricing: { model: 'fixed', currency: 'eur', amount: 80 },
    reason: 'Κειμενο',
  })
  expect(deal.statusCode, deal.body).toBe(201)
  const editor = `/manage/profiles/${ofMember}/pages/${memberPage.json().id}`
  const recording = multipart([field('username', registration.username), fileOf(wavOf(2), 'Ηχος')])
  const uploaded = await test.app.inject({
    method: 'POST',
    url: '/files',
    payload: recording.payload,
    cookies: member.jar,
    headers: { ...recording.headers, origin: 'https://profiles.example' },
  })
  expect(uploaded.statusCode, uploaded.body).toBe(200)
  const webhook = await test.app.inject({
    method: 'POST',
    url: '/eep/subscribe',
    payload: {
      source_did: `did:web:profiles.example:u:${registration.username}`,
      event_types: ['entity.*', 'later.added'],
      delivery_method: 'webhook',
      delivery_url: (await receiver()).url,
    },
    cookies: member.jar,
    headers: { origin: 'https://profiles.example' },
  })
  expect(webhook.statusCode, webhook.body).toBe(201)
  const redirect_uri = 'https://app.example/'
  const client_id = await registerApp(test.app, 'Αλφα', [redirect_uri, 'http://localhost/'])
  const scope = 'read:profiles commerce:negotiate spend:payments'
  const asked = await member.open(authorizePath({ client_id, redirect_uri, scope }))
  const allowed = await sendConsent(member, test.app, asked, { scopes: ['read:profiles', 'commerce:negotiate'] })
  const tokens = await redeem(test.app, answerOf(allowed).code ?? '', { client_id, redirect_uri })
  expect(tokens.statusCode, tokens.body).toBe(200)
  const connectedApps = await test.app.inject({ url: '/account/apps', cookies: member.jar })
  const connected = connectedApps.json().data[0].id
  const notAnArchive = multipart([field('dry_run', 'true'), fileOf('Κειμενο', 'Αρχειο')])
  const imported = await test.app.inject({
    method: 'POST',
    url: '/import',
    payload: notAnArchive.payload,
    cookies: member.jar,
    headers: { ...notAnArchive.headers, origin: 'https://profiles.example' },
  })
  expect(imported.statusCode, imported.body).toBe(202)
  const year = await member.submit('/account/plan/year', { tier: 'pro' })
  expect(year.statusCode, year.body).toBe(303)
  const ownWebhooks = `/manage/profiles/${ofMember}/webhooks`
  const ownFiles = `/manage/profiles/${ofMember}/files`
  const ownFile = `${ownFiles}/${uploaded.json().id}`
  own = {
    '/manage/profiles/{id}/files': ownFiles,
    '/manage/profiles/{id}/files/{file}': ownFile,
    '/manage/profiles/{id}/files/{file} before its deletion': `${ownFile}?delete=1`,
    '/manage/profiles/{id}/files/{file}/transcript': `${ownFile}/transcript`,
    '/manage/profiles/{id}/content': `/manage/profiles/${ofMember}/content`,
    '/manage/profiles/{id}/content before a deletion': `/manage/profiles/${ofMember}/content?delete=${memberPage.json().id}`,
    '/manage/profiles/{id}/pages/{page}': editor,
    '/manage/profiles/{id}/pages/{page}/versions': `${editor}/versions?version=1`,
    '/manage/profiles/{id}/edit': `/manage/profiles/${ofMember}/edit`,
    '/manage/profiles/{id}/deals': `/manage/profiles/${ofMember}/deals`,
    '/manage/profiles/{id}/deals/{deal}': `/manage/profiles/${ofMember}/deals/${deal.json().negotiation_id}`,
    '/manage/profiles/{id}/services': `/manage/profiles/${ofMember}/services`,
    '/manage/profiles/{id}/services/{service}': `/manage/profiles/${ofMember}/services/${service.json().id}`,
    '/manage/profiles/{id}/sales': `/manage/profiles/${ofMember}/sales`,
    '/manage/profiles/{id}/access': `/manage/profiles/${ofMember}/access`,
    '/manage/profiles/{id}/access for a new tier': `/manage/profiles/${ofMember}/access?new=1`,
    '/manage/profiles/{id}/exports': `/manage/profiles/${ofMember}/exports`,
    '/manage/profiles/{id}/audit-log': `/manage/profiles/${ofMember}/audit-log?to=2020-01-01`,
    '/manage/profiles/{id}/connected-apps': `/manage/profiles/${ofMember}/connected-apps`,
    '/manage/profiles/import': '/manage/profiles/import',
    '/manage/profiles/import/{job}': `/manage/profiles/import/${imported.json().id}`,
    '/manage/profiles/{id}/customers': `/manage/profiles/${ofMember}/customers`,
    '/manage/profiles/{id}/analytics': `/manage/profiles/${ofMember}/analytics`,
    '/manage/profiles/{id}/webhooks': ownWebhooks,
    '/manage/profiles/{id}/webhooks with the log': `${ownWebhooks}?log=${webhook.json().subscription_id}`,
    '/manage/profiles/{id}/followers': `/manage/profiles/${ofMember}/followers`,
    '/manage/profiles/{id}/following': `/manage/profiles/${ofMember}/following`,
    '/manage/profiles/{id}/team': `/manage/profiles/${ofMember}/team`,
    '/dashboard': '/dashboard',
    '/account/notifications': '/account/notifications',
    '/account/notifications with unread ones': '/account/notifications?unread=true',
    '/account/bookmarks': '/account/bookmarks',
    '/account/second-factor': '/account/second-factor',
    '/account/security': '/account/security',
    '/account': '/account',
    '/account/sign-in': '/account/sign-in',
    '/account/sessions': '/account/sessions',
    '/account/notification-settings': '/account/notification-settings',
    '/account/exports': '/account/exports',
    '/account/delete': '/account/delete',
    '/account/keys': '/account/keys',
    '/account/connected-apps': '/account/connected-apps',
    '/account/connected-apps/{app}': `/account/connected-apps/${connected}`,
    '/device': '/device',
    '/device after a decision': '/device?done=allowed',
    '/oauth/authorize': authorizePath({ client_id, redirect_uri }),
    '/oauth/authorize for a program of the computer': authorizePath({ client_id, redirect_uri: 'http://localhost/' }),
    '/oauth/authorize of another address': authorizePath({ client_id, redirect_uri: 'https://other.example/' }),
    '/oauth/authorize of an unknown app': authorizePath({ client_id: 'unknown', redirect_uri }),
    '/account/payouts': '/account/payouts',
    '/account/transfers': '/account/transfers',
    '/account/plan': '/account/plan',
    '/account/plan/year': String(year.headers.location),
    '/email/change': `/email/change?token=${TOKEN}`,
    '/manage/profiles/new': '/manage/profiles/new',
    '/logout': '/logout',
    '/messages': '/messages',
    '/messages/new': '/messages/new?to=u/ada',
    '/messages/blocked': '/messages/blocked',
    '/messages/threads/{id}': thread,
    '/reports/new': `/reports/new?post=${first}`,
    'the report of a conversation': `/reports/new?conversation=${thread.split('/').at(-1)}`,
    'a profile of another person': '/u/ada',
    'a page of another person': '/u/ada/content/open',
    'a gate of another person': '/u/ada/content/met',
    'the feed of the service': '/feed',
    'a post of another person': `/feed/posts/${first}`,
    'the prices for an account': '/pricing',
    '/mcp': '/mcp',
    '/mcp/account': '/mcp/account',
    '/team/invite': '/team/invite',
    '/workspaces/invite': '/workspaces/invite',
    'the purchases of an account': '/purchases',
    'an own profile': `/u/${registration.username}`,
    'the feed of an own profile': `/feed/u/${registration.username}`,
  }
}, 120_000)
afterAll(() => test.close())

/** Routes whose pages other tests read, and one that sends no page without a session. */
const ELSEWHERE = new Set(['/files/{id}/markdown', '/feed/following', '/eep/content/{path}'])

it('visits every route that has a page', async () => {
  const { paths } = (await test.app.inject({ url: '/docs/openapi.json' })).json()
  const hasPage = ({ get }: { get?: { responses: Record<string, { content?: object }> } }) =>
    Object.keys(get?.responses[200]?.content ?? {}).includes('text/html')
  const routes = Object.keys(paths).filter((path) => hasPage(paths[path]) && !ELSEWHERE.has(path))
  const names = [visited, own, administered].flatMap((pages) => Object.keys(pages))
  expect(
    routes.filter((route) => !names.includes(route) && !names.some((name) => name.startsWith(`${route} `))),
  ).toEqual([])
})

describe.each(LANGUAGES)('pages for a reader of %s', (language) => {
  const foreignWords = createForeignWords(language)
  const asReader = { 'accept-language': language }

  /** The texts of a page that are foreign: words of other languages, and what people wrote outside an element that isolates it. */
  const foreignIn = (body: string) =>
    textsInLanguage(body).filter((text) => foreignWords(text).length > 0 || GREEK.test(text.replaceAll('Αγορα', '')))

  async function foreignTexts(pages: Readonly<Record<string, string>>, browser: ReturnType<typeof openBrowser>) {
    const found: Record<string, readonly string[]> = {}
    for (const [name, url] of Object.entries(pages)) {
      const { body, headers } = await browser.open(url, asReader)
      if (!String(headers['content-type']).startsWith('text/html')) found[name] = [`is ${headers['content-type']}`]
      else if (!body.includes(`<html lang="${language}"`)) found[name] = ['is in another language']
      else if (foreignIn(body).length > 0) found[name] = foreignIn(body)
    }
    return found
  }

  it('have no words of another language, and isolate all texts of authors, for visitors', async () => {
    expect(await foreignTexts(visited, openBrowser(test.app))).toEqual({})
  })

  it('have none for an account with something in each list', async () => {
    expect(await foreignTexts(own, member)).toEqual({})
  })

  it('have none for administrators', async () => {
    expect(await foreignTexts(administered, administrator)).toEqual({})
  })

  it('have none after forms of an account, sent or refused', async () => {
    const forms = [
      ['/connections/form', { prefix: 'u', username: 'ada', on: '1', next: '/u/ada' }],
      ['/connections/form', { prefix: 'u', username: 'ada', on: '0', next: '/u/ada' }],
      ['/feed/likes/form', { post: reported, on: '1', next: '/feed' }],
      ['/feed/posts/form', { body: ' ', next: '/feed' }],
      ['/messages/new', { to: 'u/ada', body: ' ' }],
      ['/reports/new', { post: reported, body: ' ' }],
      ['/account/plan/buy', { tier: 'none' }],
      ['/account/plan/year', { tier: 'none' }],
      ['/account/plan/cancel', {}],
      ['/account/plan/change', {}],
      ['/account/plan/resume', {}],
      ['/account/plan/portal', {}],
      ['/oauth/authorize', { request: 'x', decision: 'allow' }],
      ['/device', { user_code: 'BCDF' }],
    ] as const
    for (const [path, fields] of forms) {
      const { statusCode, body, headers } = await member.submit(path, fields as Record<string, string>, asReader)
      const shown = statusCode === 303 ? (await member.open(String(headers.location), asReader)).body : body
      expect([path, shown.includes(`<html lang="${language}"`), foreignIn(shown)]).toEqual([path, true, []])
    }
  })

  it('have none after forms that are refused', async () => {
    const browser = openBrowser(test.app, asReader)
    const refused = {
      '/login': { email: 'unknown@example.com', password: 'Wrong 1 password' },
      '/register': { email: 'not an address', username: 'ada', password: 'short' },
      '/forgot-password': { email: 'unknown' },
      '/reset-password': { token: TOKEN, password: PASSWORD },
      '/verify': { token: TOKEN },
      '/email/undo': { token: TOKEN },
      '/payouts/undo': { token: TOKEN },
      '/purchases': { email: 'unknown' },
    }
    for (const [path, fields] of Object.entries(refused)) {
      const { body } = await browser.submit(path, fields)
      expect([path, body.includes(`<html lang="${language}"`), foreignIn(body)]).toEqual([path, true, []])
    }
    const foreign = await browser.submit('/login', {}, { origin: 'https://other.example' })
    expect([foreign.statusCode, foreignIn(foreign.body)]).toEqual([403, []])
  })
})

it('shows the changes of a profile with the names of its fields in German', async () => {
  const page = await openBrowser(test.app, { 'accept-language': 'de' }).open('/u/ada/changelog')
  expect(page.body).toContain('Profil angelegt')
  expect(sentencesOf(page)).toMatch(/Geändert: .*Beschreibung/)
})
