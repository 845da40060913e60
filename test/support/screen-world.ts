import { defineModule, type Screen } from '@eep/core/module'
import type { OptionalGroup, Storage } from '@eep/core/ports'
import { sandbox, sandboxRail } from '@eep/core/sandbox'
import { cashRail, createCashWallets, wavOf } from '@eep/core/testing'
import { makeAdministrator, PASSWORD, type Person, proveAddress, signUp } from './accounts.ts'
import { createTestApp, openStorage, PUBLIC_URL, SECRET, type TestAppOptions } from './app.ts'
import { client, type Response } from './client.ts'
import { advice, bodyOf, NEGOTIATIONS, price } from './deals.ts'
import { field, fileOf, PNG, upload } from './files.ts'
import { createMailbox } from './mailbox.ts'
import { connect } from './oauth-server.ts'
import { mergeOptions } from './options.ts'
import { createReceiver } from './receivers.ts'
import { header, receiptIdOf } from './shop.ts'
import { join, newOrganization, type OwnedProfile } from './teams.ts'
import { appCode } from './totp.ts'
import { soon } from './wait.ts'
import { keyOf, linkWallet } from './wallets.ts'
import { IMPATIENT } from './webhooks.ts'

const NETWORK = 'eip155:84532'

/** The roles in the team of a profile, from the one that may do least. */
export const TEAM = ['viewer', 'editor', 'admin', 'owner'] as const
export type TeamRole = (typeof TEAM)[number]

type May = (role: TeamRole, permission: string) => boolean

/** A storage in which everything that a request changes can be made to fail. */
function failingStorage(storage: Storage<OptionalGroup>) {
  let failure: (() => unknown) | undefined
  // What a request asks before its action, and what goes on without requests.
  const spared = new Set(['idempotency', 'sessions', 'nonces', 'events', 'webhooks', 'jobs', 'sentForms'])
  const failing: Storage<OptionalGroup> = {
    ...storage,
    transaction: (work) =>
      storage.transaction((tx) =>
        work(
          new Proxy(tx, {
            get(target, property, receiver) {
              const store = Reflect.get(target, property, receiver)
              if (typeof property !== 'string' || spared.has(property) || typeof store !== 'object') return store
              return new Proxy(store, {
                get(methods, name) {
                  if (failure) throw failure()
                  return Reflect.get(methods, name)
                },
              })
            },
          }),
        ),
      ),
  }
  return {
    storage: failing,
    /** Lets every change fail while `work` runs. */
    async failing<Result>(error: () => unknown, work: () => Promise<Result>): Promise<Result> {
      failure = error
      try {
        return await work()
      } finally {
        failure = undefined
      }
    },
  }
}

async function must<Body = { id: number }>(response: Promise<Response>): Promise<Body> {
  const { statusCode, body } = await response
  if (statusCode >= 300) throw new Error(`${statusCode}: ${body}`)
  return body === '' ? (undefined as Body) : JSON.parse(body)
}

/** A service with every feature, and the screens that its modules declare. */
export async function openScreens(options: TestAppOptions = {}) {
  const mailbox = createMailbox()
  const database = options.storage ? undefined : await openStorage()
  const stored = database?.storage ?? (options.storage as Storage<OptionalGroup>)
  const { storage, failing } = failingStorage(stored)
  const cashWallets = createCashWallets({ network: NETWORK })
  let screens: readonly Screen[] = []
  let may: May = () => false
  const reader = defineModule({
    name: 'screen-reader',
    routes(_app, _services, context) {
      screens = context.screens.map(({ screen }) => screen)
      may = context.may as May
    },
  })
  const defaults: TestAppOptions = {
    storage,
    modules: [sandbox(), reader],
    email: { mailer: mailbox.mailer },
    http: { allowPrivateHosts: ['127.0.0.1'] },
    webhooks: IMPATIENT,
    auth: { walletVerifier: { chainIds: [84532], verify: async () => true } },
    payments: {
      rails: [
        sandboxRail({ storage: stored, secret: SECRET }),
        { ...cashRail({ cashWallets, network: NETWORK }), moneyKind: 'sandbox' },
      ],
      settlementLeaseMs: 600_000,
    },
  }
  const test = await createTestApp({ ...mergeOptions(defaults, options), storage })
  return {
    ...test,
    publicUrl: options.publicUrl ?? PUBLIC_URL,
    /** The same database as another instance has it. */
    another: () => database?.another() ?? stored,
    screens,
    may,
    failing,
    cashWallets,
    mailbox,
    async close() {
      await test.close()
      await database?.close()
    },
  }
}

export type Screens = Awaited<ReturnType<typeof openScreens>>

/** The people of a profile: its team, and an administrator. */
async function newPeople(test: Screens, profile: OwnedProfile) {
  const people = new Map<TeamRole, Person>([['owner', profile.owner]])
  for (const role of ['viewer', 'editor', 'admin'] as const) {
    const person = await signUp(test.app, `the-${role}`)
    await proveAddress(test, person)
    await join(profile, person, role)
    people.set(role, person)
  }
  return people as ReadonlyMap<TeamRole, Person>
}

/** Pages in each state, and a gate with a history. */
async function addContent({ owner, id }: OwnedProfile, did: string) {
  const category = await must(owner.post('/manage/categories', { profile_id: id, name: 'Notes' }))
  await must(owner.post('/manage/categories', { profile_id: id, name: 'Nothing yet' }))
  const page = (title: string, more: object = {}) =>
    must<{ id: number; version: number }>(
      owner.post('/manage/pages', { profile_id: id, title, body: `All about ${title}.`, status: 'published', ...more }),
    )
  const sold = await page('Engines', { category_id: category.id })
  const shown = await page('Looms')
  const plain = await page('Mills')
  const idea = await page('An idea', { status: 'draft' })
  const planned = await page('A plan', { status: 'draft' })
  const at = new Date(Date.now() + 3_600_000).toISOString()
  await must(owner.put(`/manage/pages/${planned.id}`, { publish_at: at }))
  await must(owner.put(`/manage/pages/${shown.id}`, { body: 'More about looms.' }))
  await must(owner.put(`/manage/pages/${shown.id}/draft`, { title: 'Looms', body: 'Even more.' }))
  await must(owner.post(`/manage/pages/${idea.id}/preview-links`))
  const tiers = (amount: number) => ({
    default_tier: 'public',
    tiers: {
      public: { requirements: [], access: ['profile.*', 'content.*'] },
      reader: {
        label: 'Readers',
        requirements: [{ type: 'payment', amount, currency: 'usdc', per: 'month' }],
        access: ['content.notes.*'],
      },
    },
  })
  await must(owner.put(`/eep/gates/${did.replaceAll('%', '%25')}`, tiers(2)))
  await must(owner.put(`/eep/gates/${did.replaceAll('%', '%25')}`, tiers(3)))
  return { category: category.id, sold: sold.id, shown: shown.id, plain: plain.id, idea: idea.id, planned: planned.id }
}

async function addFiles(test: Screens, { owner, username, id }: OwnedProfile, page: number) {
  const { publicUrl } = test
  const as = { ...owner.headers, 'x-active-profile-id': String(id) }
  const store = async (content: Buffer, name: string) =>
    (await must(upload(test.app, [field('username', username), fileOf(content, name)], as))).id
  const picture = await store(PNG, 'engine.png')
  const talk = await store(wavOf(2), 'talk.wav')
  await must(owner.put(`/manage/pages/${page}`, { cover_url: `${publicUrl}/files/${picture}` }))
  const address = `${publicUrl}/files/${picture}`
  await must(owner.put(`/profiles/o/${username}`, { avatar_url: address, cover_url: address, bio: 'Builds looms' }))
  return { picture, talk }
}

/** Sales with a claim of a refund, and access that was given. */
async function addSales(test: Screens, { owner, username, id }: OwnedProfile) {
  const buy = async (wallet: string) => {
    const path = `/o/${username}/content/notes/engines`
    const asked = await client(test.app).get(path)
    const paid = await client(test.app).get(path, {
      ...(await test.cashWallets.answer(header(asked, 'payment-required'), { wallet })),
    })
    if (paid.statusCode !== 200) throw new Error(`not bought: ${paid.statusCode} ${paid.body}`)
    return receiptIdOf(paid)
  }
  const [sold, claimed] = [await buy('wallet:one'), await buy('wallet:two')]
  await must(owner.post(`/eep/payment/receipts/${claimed}/refund`, { reference: 'a bank transfer', reason: 'Late' }))
  const guest = await signUp(test.app, 'the-guest')
  await must(
    owner.post('/manage/entitlements', {
      profile_id: id,
      tier: 'reader',
      payer_wallet: 'wallet:friend',
      payer_network: NETWORK,
    }),
  )
  return { sold, claimed, guest }
}

/** Deals of the profile in the states from which it can move, by the move. */
async function addDeals(
  { owner, id }: OwnedProfile,
  did: string,
  { guest, guestDid }: { guest: Person; guestDid: string },
) {
  const acting = { 'x-active-profile-id': String(id) }
  const sell = async (...moves: readonly (readonly [who: 'buyer' | 'seller', action: string])[]) => {
    const made = await must<{ negotiation_id: string }>(
      guest.post(NEGOTIATIONS, { seller_did: did, service: 'Advice', pricing: price(90), reason: 'It is torn' }),
    )
    const path = `${NEGOTIATIONS}/${made.negotiation_id}`
    for (const [who, action] of moves) {
      const sent = who === 'buyer' ? guest.post(`${path}/${action}`, bodyOf(action)) : undefined
      await must(sent ?? owner.post(`${path}/${action}`, bodyOf(action), acting))
    }
    return made.negotiation_id
  }
  const bought = await must<{ negotiation_id: string }>(
    owner.post(
      NEGOTIATIONS,
      {
        seller_did: guestDid,
        service: 'Repair',
        pricing: price(10),
      },
      acting,
    ),
  )
  const asBuyer = bought.negotiation_id
  const due = await must<{ negotiation_id: string }>(
    owner.post(
      NEGOTIATIONS,
      {
        seller_did: guestDid,
        service: 'Storage',
        pricing: price(20),
      },
      acting,
    ),
  )
  await must(guest.post(`${NEGOTIATIONS}/${due.negotiation_id}/accept`))
  await must(guest.post(`${NEGOTIATIONS}/${due.negotiation_id}/invoice`, bodyOf('invoice')))
  return {
    open: await sell(),
    accepted: await sell(['seller', 'accept']),
    paid: await sell(['seller', 'accept'], ['seller', 'invoice'], ['buyer', 'receipt']),
    disputed: await sell(['seller', 'accept'], ['buyer', 'dispute']),
    asBuyer,
    due: due.negotiation_id,
  }
}

/** A webhook that is active and one that is paused, for each member: members see their own. */
async function addWebhooks(people: ReadonlyMap<TeamRole, Person>, did: string, path: string) {
  const receivers = []
  const webhooks = new Map<TeamRole, string>()
  for (const [role, person] of people) {
    const [active, paused] = [await createReceiver(), await createReceiver()]
    receivers.push(active, paused)
    const subscribe = (url: string) =>
      must<{ subscription_id: string }>(
        person.post('/eep/subscribe', {
          source_did: did,
          event_types: ['entity.updated'],
          delivery_method: 'webhook',
          delivery_url: url,
        }),
      )
    webhooks.set(role, (await subscribe(active.url)).subscription_id)
    const { subscription_id } = await subscribe(paused.url)
    await must(person.post(`/eep/subscriptions/${subscription_id}/pause`))
  }
  const owner = people.get('owner')
  await owner?.put(path, { full_name: 'Works of the Loom' })
  for (const each of receivers.filter((_, index) => index % 2 === 0)) {
    await soon(() => {
      if (each.envelopes().length === 0) throw new Error('no delivery yet')
    })
  }
  const hook = await createReceiver()
  return { webhooks, hook, receivers: [...receivers, hook] }
}

/** What an account has on its own screens. */
async function addAccount(test: Screens, person: Person) {
  const site = { domain: new URL(test.publicUrl).host, uri: test.publicUrl }
  await must(person.post('/api-keys', { name: 'A key', scopes: ['read:profiles'] }))
  const paid = await linkWallet(test.app, keyOf(1), { ...person.headers }, site)
  await must(person.post('/manage/payouts', { account_wallet_id: paid, network: NETWORK }))
  const other = await linkWallet(test.app, keyOf(2), { ...person.headers }, site)
  return { paid, other }
}

/** Connects an app to an account, and returns the id of the connection. */
async function connectedApp(test: Screens, person: Person, maySpend = true): Promise<string> {
  await connect(test, person, { resources: [test.publicUrl], maySpend })
  const { data } = await must<{ data: readonly { readonly id: string }[] }>(person.get('/account/apps'))
  const [{ id } = { id: '' }] = data
  return id
}

/**
 * A service in which each screen has something to show: a profile with a team, and another one without anything, whose owner has nothing.
 * It ends with `close`.
 */
export async function openScreenWorld(options: TestAppOptions = {}) {
  const test = await openScreens(options)
  const owner = await signUp(test.app, 'the-owner')
  await proveAddress(test, owner)
  await test.storage.transaction((tx) => tx.accounts.save(owner.account.id, { grantedTier: 'team' }))
  const profile = await newOrganization(test.app, owner, { full_name: 'The Works' })
  const did = test.app.eep.profiles.didOf({ type: 'organization', username: profile.username })
  const people = await newPeople(test, profile)
  const chief = await signUp(test.app, 'the-chief')
  await makeAdministrator(test, chief)
  const pages = await addContent(profile, did)
  const files = await addFiles(test, profile, pages.plain)
  const sales = await addSales(test, profile)
  await must(owner.post(`${profile.team}/invites`, { email: 'invited@example.com', role: 'viewer' }))
  const { id: service } = await must<{ id: string }>(
    owner.post(`/eep/services/${did.replaceAll('%', '%25')}`, advice()),
  )
  const deals = await addDeals(profile, did, {
    guest: sales.guest,
    guestDid: test.app.eep.profiles.didOf({ type: 'person', username: sales.guest.account.username }),
  })
  const { webhooks, hook, receivers } = await addWebhooks(people, did, profile.path)
  const wallets = await addAccount(test, owner)
  const post = await must<{ id: string }>(owner.post('/feed', { body: 'Buy now' }))
  const report = await must<{ id: string }>(sales.guest.post(`/feed/${post.id}/report`, { reason: 'Advertising' }))
  const banned = await signUp(test.app, 'the-banned')
  await must(chief.put(`/admin/users/${banned.account.id}`, { banned: true }))
  const secured = await signUp(test.app, 'the-secured')
  const { secret } = await must<{ secret: string }>(secured.post('/auth/second-factor'))
  await must(secured.post('/auth/second-factor/confirm', { code: appCode(secret, new Date()), password: PASSWORD }))
  const second = await signUp(test.app, 'the-second-chief')
  await must(chief.put(`/admin/users/${second.account.id}`, { is_admin: true }))
  const acting = { 'x-active-profile-id': String(profile.id) }
  await must(owner.post('/connections/u/the-guest', undefined, acting))
  await must(sales.guest.post(`/connections/o/${profile.username}`))
  const blankOwner = await signUp(test.app, 'the-blank')
  const blank = await newOrganization(test.app, blankOwner)
  const { id: blankPage } = await must(
    blankOwner.post('/manage/pages', { profile_id: blank.id, title: 'Untitled', body: '' }),
  )
  const apps = {
    owned: await connectedApp(test, owner),
    second: await connectedApp(test, owner),
    blank: await connectedApp(test, blankOwner, false),
  }
  const { id: blankFile } = await must(
    upload(test.app, [field('username', blank.username), fileOf(wavOf(1), 'empty.wav')], {
      ...blankOwner.headers,
      'x-active-profile-id': String(blank.id),
    }),
  )
  return {
    ...test,
    owner,
    profile,
    people,
    chief,
    pages,
    files,
    sales,
    service,
    deals,
    webhooks,
    hook,
    wallets,
    report: report.id,
    banned,
    second,
    secured,
    blank,
    blankOwner,
    blankPage,
    blankFile,
    apps,
    async close() {
      await test.close()
      for (const receiver of receivers) await receiver.close()
    },
  }
}

export type ScreenWorld = Awaited<ReturnType<typeof openScreenWorld>>
