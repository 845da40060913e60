import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAdministrator, type Person, signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { actionsOn, browserOf, formOf, roleIn } from '../../support/console.ts'
import { leadsTo } from '../../support/pages.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
let root: Person
let admin: Awaited<ReturnType<typeof browserOf>>
let stranger: Awaited<ReturnType<typeof browserOf>>

beforeAll(async () => {
  test = await createTestApp()
  root = await signUp(test.app, 'rosalind')
  await makeAdministrator(test, root)
  admin = await browserOf(test.app, root)
  stranger = await browserOf(test.app, await signUp(test.app, 'stranger'))
})
afterAll(() => test.close())

const SCREENS = [
  '/admin',
  '/admin/accounts',
  '/admin/changes',
  '/admin/moderation',
  '/admin/plan-prices',
  '/admin/refund-claims',
] as const

describe('the screens of administrators', () => {
  it.each(SCREENS)('exist for administrators alone: %s', async (path) => {
    const page = await admin.open(path)
    expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'private, no-store'])
    for (const other of SCREENS) expect(page.body).toContain(`href="${other}"`)
    expect(page.body.match(/aria-current="page"/g)).toHaveLength(1)
    expect((await stranger.open(path)).statusCode).toBe(404)
  })

  it.each([
    ['/admin/accounts/:id', 'ban', {}],
    ['/admin/accounts/:id', 'unban', {}],
    ['/admin/accounts/:id', 'plan', { plan: 'team' }],
    ['/admin/accounts/:id', 'appoint', {}],
    ['/admin/accounts/:id', 'dismiss', {}],
    ['/admin/accounts/:id', 'resetFactor', {}],
    ['/admin/plan-prices', 'save', { plan: 'pro', usd: '1', eur: '1', usdc: '1', trial: '0' }],
    ['/admin/refund-claims', 'confirm', { receipt: 'rcpt_x' }],
    ['/admin/moderation/00000000-0000-4000-8000-000000000000', 'decide', { status: 'resolved', note: '' }],
  ])('refuse a form that another account posts by hand: %s %s', async (path, action, fields) => {
    const url = path.replace(':id', root.account.id)
    expect((await stranger.submit(url, formOf(action, fields))).statusCode).toBe(404)
  })

  it('show the health of the service and its numbers', async () => {
    const { body } = await admin.open('/admin')
    expect(body).toContain('The service is ready.')
    expect(body).toMatch(/<dt><code>storage<\/code><\/dt><dd><span class="tag ok">Available/)
    expect(body).toMatch(/<dt>Accounts<\/dt><dd><a href="\/admin\/accounts">\d+<\/a> · <bdi>\d+<\/bdi> verified/)
  })
})

describe('the screen of an account', () => {
  it('is found by a part of the email address', async () => {
    const person = await signUp(test.app, 'findable')
    const { body } = await admin.open(`/admin/accounts?q=${encodeURIComponent(person.account.email)}&plan=&state=`)
    expect(body).toContain(`href="/admin/accounts/${person.account.id}"`)
    expect(body).toContain('Found: 1')
    expect((await admin.open('/admin/accounts?q=unknown-name')).body).toContain('No account was found.')
  })

  it('bans an account, whose sessions end immediately, and lifts the ban', async () => {
    const person = await signUp(test.app)
    const path = `/admin/accounts/${person.account.id}`
    expect(actionsOn(await admin.open(path))).toEqual(new Set(['plan', 'ban', 'appoint', 'resetFactor']))
    expect(leadsTo(await admin.submit(path, formOf('ban')))).toEqual([303, path])
    const banned = await admin.open(path)
    expect(roleIn(banned, 'status')).toBe('The account was banned.')
    expect((await person.get('/auth/me')).statusCode).toBe(401)
    expect(actionsOn(banned)).toContain('unban')
    await admin.submit(path, formOf('unban'))
    expect(actionsOn(await admin.open(path))).toContain('ban')
  })

  it('grants a plan, and lists the change with both values', async () => {
    const person = await signUp(test.app)
    const path = `/admin/accounts/${person.account.id}`
    await admin.submit(path, formOf('plan', { plan: 'team' }))
    expect((await person.get('/auth/me')).json().subscription_tier ?? 'team').toBe('team')
    const { body } = await admin.open(`/admin/changes?target=accounts/${person.account.id}`)
    expect(body).toContain('account.decided')
    expect(body).toContain('&quot;granted_tier&quot;: &quot;team&quot;')
  })

  it('has no buttons against oneself, and refuses them by hand with a reason', async () => {
    const path = `/admin/accounts/${root.account.id}`
    expect(actionsOn(await admin.open(path))).toEqual(new Set(['plan']))
    const refused = await admin.submit(path, formOf('dismiss'))
    expect([refused.statusCode, roleIn(refused, 'alert')]).toEqual([
      409,
      'You cannot ban yourself or remove your own rights. Ask another administrator.',
    ])
  })

  it('keeps the stored plan selected when another form was refused', async () => {
    const { id } = root.account
    const path = `/admin/accounts/${id}`
    await admin.submit(path, formOf('plan', { plan: 'team' }))
    const refused = await admin.submit(path, formOf('ban'))
    expect([refused.statusCode, refused.body.includes('<option value="team" lang="und" selected')]).toEqual([409, true])
    await admin.submit(path, formOf('plan', { plan: 'community' }))
  })

  it('is 404 for an account that does not exist', async () => {
    expect((await admin.open('/admin/accounts/00000000-0000-4000-8000-000000000000')).statusCode).toBe(404)
  })
})

describe('the screen with the prices of plans', () => {
  it('saves prices as people write them', async () => {
    const form = formOf('save', { plan: 'pro', usd: '13.50', eur: '12,5', usdc: '120', trial: '7' })
    expect(leadsTo(await admin.submit('/admin/plan-prices', form))).toEqual([303, '/admin/plan-prices'])
    const { tiers } = (await test.app.inject('/tiers?format=json')).json()
    expect(tiers.find(({ tier }: { tier: string }) => tier === 'pro')).toMatchObject({
      prices: { price_usd_monthly_cents: 1350, price_eur_monthly_cents: 1250, price_usdc_yearly_cents: 12_000 },
      trial_days: 7,
    })
  })

  it('keeps what was entered when an amount is not valid, in its own form alone', async () => {
    const form = formOf('save', { plan: 'pro', usd: '12.345', eur: '77', usdc: '120', trial: '7' })
    const refused = await admin.submit('/admin/plan-prices', form)
    expect(refused.statusCode).toBe(400)
    expect(refused.body).toContain('Enter an amount such as 12 or 12.50.')
    expect(refused.body).toMatch(/id="pro-eur"[^>]* value="77"/)
    expect(refused.body).not.toMatch(/id="team-eur"[^>]* value="77"/)
  })
})

describe('the screen of a report', () => {
  it('shows what was reported, and keeps the decision with its note', async () => {
    const author = await signUp(test.app, 'loud')
    const posted = await author.post(
      '/feed',
      { body: 'Buy <b>now</b>' },
      { 'x-active-profile-id': String(await profileOf(author)) },
    )
    expect(posted.statusCode, posted.body).toBeLessThan(300)
    const reader = await signUp(test.app)
    const reported = await reader.post(`/feed/${posted.json().id}/report`, { reason: 'Nothing but advertising' })
    expect(reported.statusCode, reported.body).toBeLessThan(300)
    const queue = await admin.open('/admin/moderation')
    expect(queue.body).toContain('Nothing but advertising')
    const path = `/admin/moderation/${reported.json().id}`
    const page = await admin.open(path)
    expect(page.body).toContain('Buy &lt;b&gt;now&lt;/b&gt;')
    expect(leadsTo(await admin.submit(path, formOf('decide', { status: 'resolved', note: 'Removed.' })))).toEqual([
      303,
      path,
    ])
    expect((await admin.open('/admin/moderation?status=resolved')).body).toContain(`href="${path}"`)
    expect((await admin.open(path)).body).toContain('Removed.</textarea>')
  })
})

const profileOf = async (person: Person): Promise<number> => (await person.get('/auth/me')).json().profiles[0].id
