import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAdministrator, newName, type Person, proveAddress, signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { catalogueOf, listService, openDeal } from '../support/deals.ts'
import { ask, kindOf, untilJob } from '../support/jobs.ts'
import { signUpTrusted, writeTo } from '../support/messages.ts'
import { follow, readNotifications, untilNotified, type WireNotification } from '../support/notifications.ts'
import { createCashApp, header, openShop } from '../support/shop.ts'
import { newMember, newOrganization } from '../support/teams.ts'
import { createReceivers, IMPATIENT, rename, subscribe, subscriptionTo } from '../support/webhooks.ts'

let test: Awaited<ReturnType<typeof createCashApp>>
const receiver = createReceivers()

beforeAll(async () => {
  const kinds = [
    kindOf(async () => ({})),
    kindOf(
      async () => {
        throw new Error('no')
      },
      { name: 'broken', attempts: 1 },
    ),
  ]
  test = await createCashApp({ jobs: { kinds }, http: { allowPrivateHosts: ['127.0.0.1'] }, webhooks: IMPATIENT })
})
afterAll(() => test.close())

const titlesOf = (items: readonly WireNotification[], kind: string) =>
  items.filter((item) => item.kind === kind).map(({ title }) => title)

/** Waits until the notifications of a kind have these titles, newest first. */
const untilTitled = (who: Person, kind: string, titles: readonly unknown[], profileId?: number) =>
  untilNotified(who, (items) => expect(titlesOf(items, kind)).toEqual(titles), profileId)

describe('sources of notifications', () => {
  it('notifies of sales, folded by resource', async () => {
    const shop = await openShop(test.app, 'notified-seller', { per: 'request' })
    const buy = async (url: string) => {
      const payment = test.cashWallets.answer(header(await client(test.app).get(url), 'payment-required'))
      const paid = await client(test.app).get(url, payment)
      expect(paid.statusCode, paid.body).toBe(200)
    }
    await buy(shop.paid)
    await untilTitled(shop, 'sale', ['Engines was sold for 0.01 USDC'])
    await buy(shop.other)
    await buy(shop.paid)
    await untilTitled(shop, 'sale', ['2 sales of Engines', 'Looms was sold for 0.01 USDC'])
  })

  it('names the buyer with an account in the notification of a sale, and links to what was sold', async () => {
    const shop = await openShop(test.app, 'naming-seller', { amount: 2.5 })
    const buyer = await signUp(test.app)
    const payment = test.cashWallets.answer(header(await client(test.app).get(shop.paid), 'payment-required'))
    const paid = await buyer.get(shop.paid, payment)
    expect(paid.statusCode, paid.body).toBe(200)
    const sale = await untilNotified(shop, (items) => {
      const found = items.find(({ kind }) => kind === 'sale')
      if (!found) throw new Error('there is no notification of the sale')
      return found
    })
    expect(sale.title).toBe(`${buyer.account.username} bought Engines for 2.5 USDC`)
    expect(new URL(sale.url ?? '').pathname).toBe(shop.paid)
  })

  it('notifies of moves of the other party in a deal, and of its review', async () => {
    const deal = await openDeal(test.app)
    const { buyer, seller } = deal
    const [ofBuyer, ofSeller] = [buyer.account.username, seller.account.username]
    await deal.play('seller counter', 'buyer accept', 'seller invoice', 'buyer receipt', 'buyer complete')
    await untilTitled(seller, 'negotiation', [
      `${ofBuyer} confirmed the delivery`,
      `${ofBuyer} paid an invoice`,
      `${ofBuyer} accepted an offer`,
      `${ofBuyer} made an offer`,
    ])
    await untilTitled(buyer, 'negotiation', [`${ofSeller} sent an invoice`, `${ofSeller} made a counter-offer`])
    const service = await listService(seller)
    const bought = await openDeal(test.app, { buyer, seller }, { service, pricing: undefined })
    await bought.play('seller accept', 'buyer complete')
    const reviewed = await buyer.post(`${catalogueOf(seller)}/reviews`, { service_id: service, score: 4 })
    expect(reviewed.statusCode, reviewed.body).toBe(201)
    await untilTitled(seller, 'review', ['"An hour of advice" was reviewed: 4 of 5'])
    expect(titlesOf((await readNotifications(buyer)).data, 'review')).toEqual([])
  })

  it('notifies of invitations and of changes in a team', async () => {
    const acme = await newOrganization(test.app)
    const { owner, username, id } = acme
    const [ada, bert] = [await signUp(test.app), await signUp(test.app)]
    const asked = await owner.post(`${acme.team}/invites`, { username: ada.account.username, role: 'editor' })
    const invited = `${owner.account.username} invites you to the team of ${username} as editor`
    await untilTitled(ada, 'team_invitation', [invited])
    const [invitation] = (await readNotifications(ada)).data
    expect(invitation).toMatchObject({ profile_id: null, url: 'https://profiles.example/team/invites' })
    await ada.post(`/team/invites/${asked.json().id}/accept`)
    const invite = await owner.post(`${acme.team}/invites`, { username: bert.account.username, role: 'viewer' })
    await bert.post(`/team/invites/${invite.json().id}/reject`)
    await owner.put(`${acme.team}/${ada.account.id}`, { role: 'admin' })
    await untilTitled(ada, 'team', [`Your role in the team of ${username} is now admin`])
    const ofTeam = [
      `${bert.account.username} declined the invitation to the team of ${username}`,
      `${ada.account.username} joined the team of ${username}`,
    ]
    await untilTitled(owner, 'team', ofTeam, id)
    const cleo = await newMember(test.app, acme, 'viewer')
    await owner.delete(`${acme.team}/${cleo.account.id}`)
    await untilTitled(cleo, 'team', [`You were removed from the team of ${username}`])
    await ada.delete(`${acme.team}/${ada.account.id}`)
    const joinedAndLeft = [`${ada.account.username} left the team of ${username}`, expect.stringContaining('joined')]
    await untilTitled(owner, 'team', [...joinedAndLeft, ...ofTeam], id)
  })

  it('names a private profile to its team, to guests and to recipients of an offer, and to no one else', async () => {
    const acme = await newOrganization(test.app, undefined, { visibility: 'private' })
    const { owner } = acme
    const [ada, bert] = [await signUp(test.app), await signUp(test.app)]
    const invite = () => owner.post(`${acme.team}/invites`, { username: ada.account.username, role: 'editor' })
    const offer = () => owner.post(`/profiles/${acme.id}/transfers`, { recipient_username: bert.account.username })
    const invited = (name: string) => `${owner.account.username} invites you to the team of ${name} as editor`
    const [invitation, transfer] = [(await invite()).json().id, (await offer()).json().id]
    await untilTitled(ada, 'team_invitation', [invited(acme.username)])
    await untilTitled(bert, 'transfer', [`${owner.account.username} offers you the profile ${acme.username}`])

    await ada.post(`/team/invites/${invitation}/accept`)
    await bert.post(`/transfers/${transfer}/reject`)
    await owner.put(`${acme.team}/${ada.account.id}`, { role: 'admin' })
    await untilTitled(ada, 'team', [`Your role in the team of ${acme.username} is now admin`])
    await owner.delete(`${acme.team}/${ada.account.id}`)
    const username = newName()
    expect((await owner.put(acme.path, { username })).statusCode).toBe(200)
    await untilTitled(ada, 'team', [
      'You were removed from the team of a profile',
      'Your role in the team of a profile is now admin',
    ])
    await untilTitled(ada, 'team_invitation', [invited('a profile')])
    await untilTitled(owner, 'transfer', [`${bert.account.username} rejected the transfer of the profile ${username}`])
    const left = [await readNotifications(ada), await readNotifications(bert)]
    expect(left.flatMap(({ data }) => data)).not.toEqual([])
    expect(JSON.stringify(left)).not.toMatch(new RegExp(`${username}|${acme.username}`))
  })

  it('notifies an account of the first webhook that sends private events of a profile to a host', async () => {
    const [profile, other] = [await newOrganization(test.app), await newOrganization(test.app)]
    const { owner } = profile
    const hook = await receiver()
    const all = { event_types: ['*'] }
    // None of these sends private events of the profile to this host: two are public, and one was refused.
    await subscribe(owner, profile, hook)
    await subscribe(owner, other, hook, all)
    hook.confirmWith((_query, response) => response.writeHead(404).end())
    const refused = await owner.post(
      '/eep/subscribe',
      subscriptionTo(profile, hook, { event_types: ['*', 'entity.*'] }),
    )
    expect(refused.json()).toMatchObject({ status: 'rejected' })
    hook.confirmWith((query, response) => response.end(query.get('hub.challenge')))
    const made = await subscribe(owner, profile, hook, all)
    await subscribe(owner, profile, hook, { event_types: ['session.*'] })
    // Events are handled in order: when the notification of this one is there, those before it were handled.
    const third = await subscribe(owner, profile, await receiver(), all)
    const title = 'A new webhook receives private events'
    await untilTitled(owner, 'webhook_created', [title, title])
    const notices = (await readNotifications(owner)).data.filter(({ kind }) => kind === 'webhook_created')
    expect(notices.map(({ url }) => url)).toEqual([third, made].map(({ path }) => expect.stringContaining(path)))
    const { host } = new URL(hook.url)
    const sentence = `Events of ${profile.username} that only you or its team can read are delivered to ${host}.`
    expect(JSON.stringify(notices[1])).toContain(sentence)
  })

  it('sends no notification of a webhook for the profile of another account', async () => {
    const [profile, stranger] = [await newOrganization(test.app), await signUp(test.app)]
    await subscribe(stranger, profile, await receiver(), { event_types: ['*'] })
    await follow(await signUp(test.app), stranger)
    await untilNotified(stranger, (items) => expect(items.map(({ kind }) => kind)).toEqual(['follow']))
  })

  it('no longer names a profile that became private in the notification of a paused webhook', async () => {
    const [profile, ada, gone] = [await newOrganization(test.app), await signUp(test.app), await receiver()]
    await subscribe(ada, profile, gone)
    gone.answerWith((_received, response) => response.writeHead(410).end())
    await rename(profile, 'Gone')
    await untilTitled(ada, 'webhook_paused', ['One of your webhooks was paused'])
    await profile.owner.put(`/profiles/${profile.id}/visibility`, { visibility: 'private' })
    const [item] = (await readNotifications(ada)).data
    expect(item?.body.join('\n')).toContain('are no longer delivered to')
    expect(JSON.stringify(item)).not.toContain(profile.username)
  })

  it('notifies an account of invitations to its verified address only', async () => {
    const acme = await newOrganization(test.app)
    const [proven, unproven] = [await signUp(test.app), await signUp(test.app)]
    await proveAddress(test, proven)
    for (const { account } of [unproven, proven]) {
      const made = await acme.owner.post(`${acme.team}/invites`, { email: account.email, role: 'viewer' })
      expect(made.statusCode, made.body).toBe(201)
    }
    // Events are handled in order.
    await untilTitled(proven, 'team_invitation', [expect.stringContaining(acme.username)])
    expect((await readNotifications(unproven)).data).toEqual([])
  })

  it('notifies both sides of transfers', async () => {
    const acme = await newOrganization(test.app)
    const { owner, username, id } = acme
    const ada = await signUp(test.app)
    const offer = async () =>
      (await owner.post(`/profiles/${id}/transfers`, { recipient_username: ada.account.username })).json().id
    const [from, to] = [owner.account.username, ada.account.username]
    await ada.post(`/transfers/${await offer()}/reject`)
    await owner.delete(`/transfers/${await offer()}`)
    await ada.post(`/transfers/${await offer()}/accept`)
    const offered = `${from} offers you the profile ${username}`
    const ended = [
      `${from} cancelled the transfer of the profile ${username}`,
      `${to} rejected the transfer of the profile ${username}`,
    ]
    await untilTitled(owner, 'transfer', [`The profile ${username} was transferred to ${to}`, ...ended])
    const received = `You are now the owner of the profile ${username}`
    await untilTitled(ada, 'transfer', [received, offered, ended[0], offered, ended[1], offered])
  })

  it('notifies of webhooks that the service paused, but not of those that their owner paused', async () => {
    const [profile, ada, gone, kept] = [
      await newOrganization(test.app),
      await signUp(test.app),
      await receiver(),
      await receiver(),
    ]
    const paused = await subscribe(ada, profile, kept)
    await ada.post(`${paused.path}/pause`)
    const { id } = await subscribe(ada, profile, gone)
    gone.answerWith((_received, response) => response.writeHead(410).end())
    await rename(profile, 'Gone')
    await untilTitled(ada, 'webhook_paused', ['One of your webhooks was paused'])
    const [item] = (await readNotifications(ada)).data
    expect(item?.url).toBe(`https://profiles.example/eep/subscriptions/${id}`)
    expect(item?.body.join('\n')).toContain(
      `of ${profile.username} are no longer delivered to ${new URL(gone.url).host}`,
    )
  })

  it('notifies of finished jobs and of changes of the plan', async () => {
    const ada = await signUp(test.app)
    for (const kind of ['test', 'test', 'broken']) {
      const { id } = await ask(test.app, ada, {}, kind)
      await untilJob(test.app, id, ada)
    }
    await untilTitled(ada, 'job', ['The job "broken" failed', '2 jobs "test" finished'])
    const root = await signUp(test.app)
    await makeAdministrator(test, root)
    const changed = await client(test.app).put(`/admin/users/${ada.account.id}`, { tier: 'pro' }, root.headers)
    expect(changed.statusCode, changed.body).toBe(200)
    await untilTitled(ada, 'plan', ['Your plan is now pro'])
  })
})

it('makes one notification of the messages of each conversation', async () => {
  const [ada, bert, cleo] = [
    await signUpTrusted(test.app, test.storage),
    await signUpTrusted(test.app, test.storage),
    await signUp(test.app),
  ]
  for (const [who, text] of [
    [ada, 'Hello'],
    [ada, 'Are you there?'],
    [bert, 'Hi'],
  ] as const) {
    await follow(cleo, who)
    const sent = await writeTo(who, cleo, text)
    expect(sent.statusCode, sent.body).toBeLessThan(300)
  }
  await untilTitled(cleo, 'message', [
    `${bert.account.username} wrote to ${cleo.account.username}`,
    `${ada.account.username} wrote to ${cleo.account.username}`,
  ])
  expect(titlesOf((await readNotifications(ada)).data, 'message')).toEqual([])
})

it('notifies of mentions and replies, once for a reply that mentions the author', async () => {
  const [ada, bert, cleo] = [await signUp(test.app), await signUp(test.app), await signUp(test.app)]
  const at = ({ account }: Person) => `@u/${account.username}`
  const post = async (who: Person, body: object) => {
    const made = await who.post('/feed', body)
    expect(made.statusCode, made.body).toBe(201)
    return made.json().id
  }
  const first = await post(ada, { body: `Hello ${at(bert)} and ${at(ada)}` })
  await post(bert, { body: `Hello ${at(ada)} and ${at(cleo)}`, reply_to: first })
  await untilTitled(cleo, 'mention', [`${bert.account.username} mentioned ${cleo.account.username}`])
  await untilTitled(ada, 'reply', [`${bert.account.username} replied to ${ada.account.username}`])
  await post(cleo, { body: 'Hello both', reply_to: first })
  await untilTitled(ada, 'reply', [`2 profiles replied to ${ada.account.username}`])
  expect((await readNotifications(ada)).data).toMatchObject([
    { kind: 'reply', url: `https://profiles.example/feed/posts/${first}` },
  ])
  await untilTitled(bert, 'mention', [`${ada.account.username} mentioned ${bert.account.username}`])
})

it('makes no second notification when an administrator hides a post and shows it again', async () => {
  const [admin, ada, bert, cleo] = [
    await signUp(test.app),
    await signUp(test.app),
    await signUp(test.app),
    await signUp(test.app),
  ]
  await makeAdministrator(test, admin)
  const post = async (body: string, reply_to?: number) => {
    const made = await ada.post('/feed', { body, reply_to })
    expect(made.statusCode, made.body).toBe(201)
    return made.json().id
  }
  const first = (await bert.post('/feed', { body: 'First' })).json().id
  const ids = [await post(`Hello @u/${cleo.account.username}`), await post('A reply', first)]
  const mentioned = `${ada.account.username} mentioned ${cleo.account.username}`
  await untilTitled(cleo, 'mention', [mentioned])
  await untilTitled(bert, 'reply', [`${ada.account.username} replied to ${bert.account.username}`])
  for (const who of [bert, cleo]) expect((await who.post('/notifications/read', { all: true })).statusCode).toBe(200)
  for (const hidden of [true, false]) {
    for (const id of ids) expect((await admin.put(`/admin/feed/${id}`, { hidden })).statusCode).toBe(200)
  }
  // Events are handled in their order, so the notifications of these posts come after any of the others.
  await post(`Again @u/${cleo.account.username}`)
  await post('Another reply', first)
  await untilTitled(cleo, 'mention', [mentioned, mentioned])
  const again = `${ada.account.username} replied to ${bert.account.username}`
  await untilTitled(bert, 'reply', [again, again])
})

it('makes no notification of a post that its recipient cannot open', async () => {
  const [ada, bert, cleo] = [await signUp(test.app), await signUp(test.app), await signUp(test.app)]
  await bert.put(`/profiles/${bert.account.active_profile_id}/visibility`, { visibility: 'unlisted' })
  for (const who of [bert, ada]) {
    const made = await who.post('/feed', { body: `Hello @u/${cleo.account.username}` })
    expect(made.statusCode, made.body).toBe(201)
  }
  await untilTitled(cleo, 'mention', [`${ada.account.username} mentioned ${cleo.account.username}`])
})
