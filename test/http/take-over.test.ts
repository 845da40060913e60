import { randomUUID } from 'node:crypto'
import { accountHolder, emailHolder, LOG_START } from '@eep/core/ports'
import { cashRail, createCashWallets, eventsAfter, newPasskey } from '@eep/core/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { codeOf, login, me, newName, newRegistration, PASSWORD, type Person, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { client } from '../support/client.ts'
import { connectApp } from '../support/connected-app.ts'
import { tokenIn } from '../support/mailbox.ts'
import { leadsTo, openBrowser } from '../support/pages.ts'
import { countingAllButRequests } from '../support/rate-limits.ts'
import { header, openShop } from '../support/shop.ts'
import { CHAIN, OWNERS_PASSWORD, ok, openSquattedService, type Squat } from '../support/squats.ts'
import { join, newOrganization, type OwnedProfile } from '../support/teams.ts'
import { soon } from '../support/wait.ts'
import { keyOf, nonceFor, siweMessage } from '../support/wallets.ts'
import { joinWorkspace, newWorkspace, newWorkspaceMember, type OwnedWorkspace } from '../support/workspaces.ts'

type Headers = Record<string, string>

const NETWORK = `eip155:${CHAIN}`

const { app, cashWallets, database, instance, mailbox, newSquat, read, verificationToken } = await openSquattedService()
const onChain = cashRail({ id: 'on-chain', network: NETWORK, cashWallets: createCashWallets({ network: NETWORK }) })
const paidOnChain = await instance({ payments: { rails: [onChain] } })

type Probe = () => Promise<boolean>

const isSignedIn = async (headers: Headers) => (await me(app, headers)).statusCode === 200
const isPending = async (person: Person) =>
  (await person.get('/transfers')).json().data.some(({ state }: { state: string }) => state === 'pending')
const organization = (owner: Person): Promise<OwnedProfile> => newOrganization(app, owner)
const payer = (wallet: string) => ({ 'x-eep-payer-wallet': wallet, 'x-eep-payer-network': 'cash:test' })

let wallet = 0
async function linkWallet({ squatter }: Squat): Promise<string> {
  const message = siweMessage(keyOf(++wallet), await nonceFor(app, { ...squatter.headers }))
  const linked = await ok(squatter.post('/auth/siwe/verify', { message, signature: '0x01' }), 200)
  return linked.account_wallet_id
}

const tokenOf =
  (purpose: Parameters<typeof read.tokens.getNewest>[0]) =>
  ({ id }: Squat): Probe =>
  async () =>
    (await read.tokens.getNewest(purpose, id)) !== undefined

async function memberOfAnotherProfile({ squatter }: Squat): Promise<Probe> {
  const made = await organization(squatter)
  const member = await signUp(app)
  await join(made, member, 'editor')
  return async () => (await member.get(made.team)).statusCode === 200
}

/** The accesses that a squatter can create. Each returns a function that checks whether it still works. */
const LEFT: Readonly<Record<string, (squat: Squat) => Promise<Probe> | Probe>> = {
  'the session they registered with':
    ({ squatter }) =>
    () =>
      isSignedIn(squatter.headers),
  'another session': async ({ email }) => {
    const { token } = (await login(app, email)).json()
    return () => isSignedIn({ authorization: `Bearer ${token}` })
  },
  'the cookie of a session':
    ({ token }) =>
    () =>
      isSignedIn({ cookie: `__Host-eep_session=${token}` }),
  'their password':
    ({ email }) =>
    async () =>
      (await login(app, email)).statusCode === 200,
  'an API key': async ({ squatter }) => {
    const key = await newKey(app, squatter.headers)
    return () => isSignedIn(key.headers)
  },
  'an API key made by an API key': async ({ squatter }) => {
    const parent = await newKey(app, squatter.headers, { scopes: ['manage:keys', 'read:profiles'] })
    const child = await newKey(app, parent.headers, { scopes: ['read:profiles'] })
    return () => isSignedIn(child.headers)
  },
  'a linked wallet': async (squat) => {
    await linkWallet(squat)
    return async () => (await read.wallets.listOfAccount(squat.id)).length > 0
  },
  'a payout to their wallet': async (squat) => {
    const { squatter, id } = squat
    const payload = { account_wallet_id: await linkWallet(squat), network: NETWORK }
    await ok(client(paidOnChain).as(squatter).post('/manage/payouts', payload))
    return async () => Object.keys(await read.payouts.addressesOf(id)).length > 0
  },
  'a linked sign-in provider': async ({ id: accountId }) => {
    const identity = { provider: 'oidc', subject: randomUUID(), accountId, email: null, createdAt: new Date() }
    await database.storage.transaction((tx) => tx.identities.insert(identity))
    return async () => (await read.identities.getAccount('oidc', identity.subject)) !== undefined
  },
  'a passkey': async ({ id }) => {
    const passkey = newPasskey(id)
    await database.storage.transaction((tx) => tx.passkeys.insert(passkey, 20))
    return async () => (await read.passkeys.getWithAccount(passkey.credentialId)) !== undefined
  },
  'a connected app': async (squat) => {
    const token = await connectApp(database.storage, squat.id)
    return async () => (await read.connectedApps.getByAccessHash(token, new Date())) !== undefined
  },
  'a membership elsewhere': async ({ squatter, accomplice, id }) => {
    const acme = await organization(accomplice)
    await join(acme, squatter, 'admin')
    return async () => (await read.members.getRole(acme.id, id)) !== undefined
  },
  'a member of their profile': async ({ squatter, profileId }) => {
    const member = await signUp(app)
    await join({ owner: squatter, id: profileId, team: `/profiles/${profileId}/team` }, member, 'admin')
    return async () => (await member.get(`/profiles/${profileId}/team`)).statusCode === 200
  },
  'a member of another profile they made': memberOfAnotherProfile,
  'an invitation they sent by username': async ({ squatter, profileId }) => {
    const guest = await signUp(app)
    const body = { username: guest.account.username, role: 'admin' }
    await ok(squatter.post(`/profiles/${profileId}/team/invites`, body))
    return async () => (await guest.get('/team/invites')).json().data.length > 0
  },
  'an invitation they sent by email': async ({ squatter, profileId }) => {
    const body = { email: `${newName()}@example.com`, role: 'admin' }
    const { id } = await ok(squatter.post(`/profiles/${profileId}/team/invites`, body))
    return async () => (await read.invitations.get(id)) !== undefined
  },
  'an invitation they received': async ({ squatter, accomplice }) => {
    const acme = await organization(accomplice)
    const { id } = await ok(
      accomplice.post(`${acme.team}/invites`, { username: squatter.account.username, role: 'admin' }),
    )
    return async () => (await read.invitations.get(id)) !== undefined
  },
  'a membership in a workspace of others': async ({ squatter, accomplice, id }) => {
    const workspace = await newWorkspace(app, accomplice)
    await joinWorkspace(workspace, squatter, 'admin')
    return async () => (await read.workspaceMembers.getRole(workspace.id, id)) !== undefined
  },
  'the ownership of a workspace that others own too': async ({ squatter, accomplice, id }) => {
    const workspace = await newWorkspace(app, accomplice)
    await joinWorkspace(workspace, squatter, 'owner')
    return async () => (await read.workspaceMembers.getRole(workspace.id, id)) !== undefined
  },
  'a member of their workspace': async ({ squatter }) => {
    const workspace = await newWorkspace(app, squatter)
    const member = await newWorkspaceMember(app, workspace, 'admin')
    return async () => (await member.get(workspace.path)).statusCode === 200
  },
  'an invitation to their workspace by username': async ({ squatter }) => {
    const [{ path }, guest] = [await newWorkspace(app, squatter), await signUp(app)]
    await ok(squatter.post(`${path}/invites`, { username: guest.account.username, role: 'admin' }))
    return async () => (await guest.get('/workspaces/invites')).json().data.length > 0
  },
  'an invitation to their workspace by email': async ({ squatter }) => {
    const workspace = await newWorkspace(app, squatter)
    await ok(squatter.post(`${workspace.path}/invites`, { email: `${newName()}@example.com`, role: 'reader' }))
    return async () => (await read.workspaceInvitations.list(workspace.id, { limit: 9 })).total > 0
  },
  'an invitation to a workspace that an admin of theirs sent': async ({ squatter }) => {
    const workspace = await newWorkspace(app, squatter)
    const [admin, guest] = [await newWorkspaceMember(app, workspace, 'admin'), await signUp(app)]
    await ok(admin.post(`${workspace.path}/invites`, { username: guest.account.username, role: 'editor' }))
    return async () => (await guest.get('/workspaces/invites')).json().data.length > 0
  },
  'an invitation to a workspace that they received': async ({ squatter, accomplice }) => {
    const workspace = await newWorkspace(app, accomplice)
    await ok(accomplice.post(`${workspace.path}/invites`, { username: squatter.account.username, role: 'admin' }))
    return async () => (await read.workspaceInvitations.list(workspace.id, { limit: 9 })).total > 0
  },
  'a transfer they offered': async ({ squatter }) => {
    const [made, recipient] = [await organization(squatter), await signUp(app)]
    await ok(squatter.post(`/profiles/${made.id}/transfers`, { recipient_username: recipient.account.username }))
    return () => isPending(recipient)
  },
  'a transfer offered to them': async ({ squatter }) => {
    const giver = await signUp(app)
    const given = await organization(giver)
    await ok(giver.post(`/profiles/${given.id}/transfers`, { recipient_username: squatter.account.username }))
    return () => isPending(giver)
  },
  'a grant by hand': async ({ squatter, profileId, paidPage }) => {
    const body = { profile_id: profileId, tier: 'reader', payer_wallet: 'wallet:friend', payer_network: 'cash:test' }
    await ok(squatter.post('/manage/entitlements', body))
    return async () => (await client(app).get(paidPage, payer('wallet:friend'))).statusCode === 200
  },
  'a tier given by hand to their account': async (squat) => {
    const { id: accountId, squatter, accomplice } = squat
    const shop = await openShop(app, newName())
    for (const account of [accountId, squatter.account.username]) {
      const body = { profile_id: shop.profileId, tier: 'reader', account }
      await ok(client(app).post('/manage/entitlements', body, { ...shop.headers }))
    }
    expect((await client(app).as(squatter).get(shop.paid)).statusCode).toBe(200)
    expect((await client(app).as(accomplice).get(shop.paid)).statusCode).toBe(402)
    const holder = { profileId: shop.profileId, ...accountHolder(accountId) }
    return async () => (await read.entitlements.listActive(holder)).length > 0
  },
  'a code that deletes the account': async (squat) => {
    await ok(squat.squatter.post('/auth/account/delete-code'), 200)
    return tokenOf('delete_account')(squat)
  },
  'a nonce to link a wallet': async (squat) => {
    await nonceFor(app, squat.squatter.headers)
    return tokenOf('siwe_nonce')(squat)
  },
  'the rights of an administrator': async ({ id, squatter }) => {
    await database.storage.transaction((tx) => tx.accounts.save(id, { isAdmin: true }))
    expect((await squatter.get('/admin/stats')).statusCode).toBe(200)
    return async () => (await read.accounts.get(id))?.isAdmin === true
  },
}

const hosted = await instance({
  auth: {
    hostAuth: {
      async authenticate({ headers }) {
        return headers['x-host-user'] ? JSON.parse(String(headers['x-host-user'])) : undefined
      },
    },
  },
})

/** Presses the button of the visitor who did not create the account. */
async function takeOverOnPage(squat: Squat, tab: ReturnType<typeof openBrowser>) {
  const taken = await tab.submit('/verify', { token: await verificationToken(squat), take_over: 'yes' })
  expect(leadsTo(taken)).toEqual([303, '/verify?done=taken_over'])
}

/** The ways in which the owner of the address takes the account. */
const WAYS: Readonly<Record<string, (squat: Squat) => Promise<unknown>>> = {
  async 'the page without a session'(squat) {
    await takeOverOnPage(squat, openBrowser(app))
  },
  async 'the page in a session of another account'(squat) {
    const tab = openBrowser(app)
    await tab.submit('/register', newRegistration())
    await takeOverOnPage(squat, tab)
  },
  async 'the page after the address was verified without a session'(squat) {
    await ok(client(app).post('/auth/verify', { token: await verificationToken(squat) }), 200)
    const tab = openBrowser(app, { cookie: `__Host-eep_session=${squat.token}` })
    await tab.submit('/dashboard/resend-verification', {})
    await takeOverOnPage(squat, openBrowser(app))
  },
  async 'a password reset'({ email }) {
    await client(app).post('/auth/forgot-password', { email })
    const token = tokenIn(await mailbox.take(email, 'reset'))
    await ok(client(app).post('/auth/reset-password', { token, password: OWNERS_PASSWORD }), 200)
  },
  async 'a host that vouches for the address'(squat) {
    const isMember = await memberOfAnotherProfile(squat)
    expect(await isMember()).toBe(true)
    const user = JSON.stringify({ externalId: randomUUID(), email: squat.email, emailVerified: true })
    await ok(me(hosted, { 'x-host-user': user }), 200)
    // `app` drops the roles in its cache when it reads the takeover from the event log.
    await soon(async () => expect(await isMember()).toBe(false))
  },
}

/** What the test checks for each way but the first, which checks everything: all of them call one function. */
const ENDED_BY_ALL = [
  'the session they registered with',
  'their password',
  'an API key',
  'an API key made by an API key',
  'a linked wallet',
  'a passkey',
  'a member of another profile they made',
  'the rights of an administrator',
]
const leftFor = (way: string) => (way === Object.keys(WAYS)[0] ? Object.keys(LEFT) : ENDED_BY_ALL)

describe.each(Object.entries(WAYS))('the takeover by %s', (way, takeOver) => {
  const before = new Map<string, boolean>()
  const probes = new Map<string, Probe>()
  let squat: Squat
  let paid: Headers
  let inviteOfOthers: number
  let workspaceOfOthers: OwnedWorkspace
  /** A workspace that the account owns alone, and a document in it that another member wrote. */
  let workspace: OwnedWorkspace
  let documentId: string
  let elsewhere: number

  beforeAll(async () => {
    squat = await newSquat()
    for (const what of leftFor(way)) {
      const probe = await LEFT[what]?.(squat)
      if (!probe) throw new Error(`nothing leaves ${what}`)
      probes.set(what, probe)
      before.set(what, await probe())
    }
    const offer = await client(app).get(squat.paidPage)
    const buyer = `wallet:buyer-${squat.id}`
    await ok(
      client(app).get(
        `${squat.paidPage}?format=json`,
        cashWallets.answer(header(offer, 'payment-required'), { wallet: buyer }),
      ),
      200,
    )
    paid = payer(buyer)
    const shop = await openShop(app, newName())
    elsewhere = shop.profileId
    const given = { profile_id: shop.profileId, tier: 'reader', email: squat.email }
    await ok(client(app).post('/manage/entitlements', given, { ...shop.headers }))
    const sold = header(await client(app).get(shop.paid), 'payment-required')
    const bought = { ...squat.squatter.headers, ...cashWallets.answer(sold, { wallet: `wallet:own-${squat.id}` }) }
    await ok(client(app).get(`${shop.paid}?format=json`, bought), 200)
    const acme = await organization(squat.accomplice)
    const invited = await ok(squat.accomplice.post(`${acme.team}/invites`, { email: squat.email, role: 'viewer' }))
    inviteOfOthers = invited.id
    workspaceOfOthers = await newWorkspace(app, squat.accomplice)
    await ok(squat.accomplice.post(`${workspaceOfOthers.path}/invites`, { email: squat.email, role: 'reader' }))
    workspace = await newWorkspace(app, squat.squatter, { name: 'Kept notes' })
    const editor = await newWorkspaceMember(app, workspace, 'editor')
    documentId = (await ok(editor.post(`${workspace.path}/documents`, { title: 'Kept', body: 'A text' }))).id
    await takeOver(squat)
  }, 300_000)

  it.each(leftFor(way))('ends %s', async (what) => {
    expect(before.get(what), 'works before').toBe(true)
    expect(await probes.get(what)?.()).toBe(false)
  })

  it('verifies the address, and leaves the profile, what was paid for, and what the address was given', async () => {
    const account = await read.accounts.get(squat.id)
    expect(account).toMatchObject({ email: squat.email, emailVerified: true, emailOwned: true })
    expect((await read.profiles.get(squat.profileId))?.ownerAccountId).toBe(squat.id)
    expect((await client(app).get(squat.paidPage, paid)).statusCode).toBe(200)
    expect(await read.invitations.get(inviteOfOthers)).toBeDefined()
    for (const holder of [accountHolder(squat.id), emailHolder(squat.email)]) {
      expect(await read.entitlements.listActive({ profileId: elsewhere, ...holder })).toHaveLength(1)
    }
    const events = await eventsAfter({ read }, LOG_START)
    const types = events.filter(({ accountId }) => accountId === squat.id).map(({ type }) => type)
    expect(types.filter((type) => type === 'accounts.account_taken_over')).toHaveLength(1)
    expect(types.filter((type) => type === 'accounts.email_verified')).toHaveLength(1)
    const revoked = events.filter(({ accountId, type }) => accountId === squat.id && type === 'api_keys.key_revoked')
    // Each of the probes has one, and the one of the second is made by another.
    expect(new Set(revoked.map(({ data }) => data.keyId)).size).toBeGreaterThanOrEqual(3)
  })

  it('leaves the workspaces that it owns alone with their documents, and invitations to the address', async () => {
    const { items } = await read.workspaces.listOfAccount(squat.id, { limit: 99 })
    expect(items.every(({ role }) => role === 'owner')).toBe(true)
    expect(items.map((item) => item.workspace.id)).toContain(workspace.id)
    expect(await read.workspaceMembers.getRole(workspace.id, squat.id)).toBe('owner')
    expect((await read.workspaceDocuments.listByIds([documentId])).map(({ title, body }) => [title, body])).toEqual([
      ['Kept', 'A text'],
    ])
    const invitations = await read.workspaceInvitations.list(workspaceOfOthers.id, { limit: 9 })
    expect(invitations.items.map(({ email }) => email)).toEqual([squat.email])
  })

  it.runIf(way.startsWith('the page'))('sends a link to choose a password to the address alone', async () => {
    const mail = await mailbox.take(squat.email, 'takenOver')
    expect(await read.accounts.getPasswordHash(squat.id)).toBeNull()
    await ok(client(app).post('/auth/reset-password', { token: tokenIn(mail), password: OWNERS_PASSWORD }), 200)
    expect((await login(app, squat.email, OWNERS_PASSWORD)).statusCode).toBe(200)
    expect((await login(app, squat.email, PASSWORD)).statusCode).toBe(401)
  })
})

describe('verification', () => {
  const verify = (token: string, headers?: Headers) => ok(client(app).post('/auth/verify', { token }, headers), 200)
  const addressOf = async ({ id }: Pick<Squat, 'id'>) => {
    const { emailVerified, emailOwned } = (await read.accounts.get(id)) ?? {}
    return [emailVerified, emailOwned]
  }

  it('in a session of the account proves that it owns the address, and keeps the session', async () => {
    const { squatter, ...squat } = await newSquat()
    const key = await newKey(app, squatter.headers)
    const token = tokenIn(await mailbox.take(squat.email, 'verification'))
    const answer = await verify(token, { cookie: `__Host-eep_session=${squat.token}` })
    expect(answer).toMatchObject({ success: true, email_owned: true })
    for (const headers of [squatter.headers, key.headers]) {
      expect((await me(app, headers)).json()).toMatchObject({ email_verified: true, email_owned: true })
    }
    expect((await login(app, squat.email)).statusCode).toBe(200)
  })

  it.each<[string, (squat: Squat) => Promise<Headers>]>([
    ['without a session', async () => ({})],
    ['in a session of another account', async () => (await signUp(app)).headers],
    ['with an API key of the account', async ({ squatter }) => (await newKey(app, squatter.headers)).headers],
  ])('%s verifies the address and does nothing further', async (_how, credentialsFor) => {
    const squat = await newSquat()
    const key = await newKey(app, squat.squatter.headers)
    const answer = await verify(await verificationToken(squat), await credentialsFor(squat))
    expect(answer).toMatchObject({ success: true, email_owned: false })
    expect(await addressOf(squat)).toEqual([true, false])
    expect(await isSignedIn(squat.squatter.headers)).toBe(true)
    expect(await isSignedIn(key.headers)).toBe(true)
    expect((await login(app, squat.email)).statusCode).toBe(200)
  })

  it('without a session hands the person who registered nothing that belongs to the address', async () => {
    const squat = await newSquat()
    const administered = await instance({ auth: { adminEmails: [squat.email] } })
    const shop = await openShop(app, newName())
    const given = { profile_id: shop.profileId, tier: 'reader', email: squat.email }
    await ok(client(app).post('/manage/entitlements', given, { ...shop.headers }))
    const acme = await organization(squat.accomplice)
    const before = await ok(squat.accomplice.post(`${acme.team}/invites`, { email: squat.email, role: 'admin' }))
    const workspace = await newWorkspace(app, squat.accomplice)
    await ok(squat.accomplice.post(`${workspace.path}/invites`, { email: squat.email, role: 'reader' }))
    await verify(await verificationToken(squat))

    const { token } = (await login(administered, squat.email)).json()
    const attacker = client(administered).with({ authorization: `Bearer ${token}` })
    expect((await attacker.get('/auth/me')).json()).toMatchObject({ email_verified: true, isAdmin: false })
    expect((await attacker.get('/admin/stats')).statusCode).toBe(403)
    expect((await attacker.get(shop.paid)).statusCode).toBe(402)
    expect((await attacker.get('/team/invites')).json().data).toEqual([])
    expect((await attacker.get('/workspaces/invites')).json().data).toEqual([])
    expect((await attacker.post(`/team/invites/${before.id}/accept`)).statusCode).toBe(404)
    await expect(administered.eep.admin.appoint({ email: squat.email })).rejects.toMatchObject({
      code: 'email_not_verified',
    })
    // The owner of the address gets it back.
    await client(app).post('/auth/forgot-password', { email: squat.email })
    const reset = tokenIn(await mailbox.take(squat.email, 'reset'))
    await ok(client(app).post('/auth/reset-password', { token: reset, password: OWNERS_PASSWORD }), 200)
    expect((await attacker.get('/auth/me')).statusCode).toBe(401)
    const owner = (await login(administered, squat.email, OWNERS_PASSWORD)).json()
    expect(owner.user.isAdmin).toBe(true)
    const back = client(administered).with({ authorization: `Bearer ${owner.token}` })
    expect((await back.get(shop.paid)).statusCode).toBe(200)
    expect((await back.get('/team/invites')).json().data).toHaveLength(1)
  })

  it('on the page with the password of the account proves that it owns the address, and keeps everything', async () => {
    const squat = await newSquat()
    const token = await verificationToken(squat)
    const tab = openBrowser(app)
    const wrong = await tab.submit('/verify', { token, password: OWNERS_PASSWORD })
    expect([wrong.statusCode, wrong.body.includes('The password is wrong.')]).toEqual([401, true])
    expect(await addressOf(squat)).toEqual([false, false])
    const done = await tab.submit('/verify', { token, password: PASSWORD })
    expect(leadsTo(done)).toEqual([303, '/verify?done=verified'])
    expect(await addressOf(squat)).toEqual([true, true])
    expect(await isSignedIn(squat.squatter.headers)).toBe(true)
    expect((await tab.submit('/verify', { token, password: PASSWORD })).statusCode).toBe(400)
  })

  it('counts wrong passwords on the page with those of sign-ins', async () => {
    const limited = await instance({ limits: { rateLimit: { multiplier: 1, store: countingAllButRequests() } } })
    const squat = await newSquat()
    const token = await verificationToken(squat)
    const tab = openBrowser(limited)
    let refused = await tab.submit('/verify', { token, password: OWNERS_PASSWORD })
    for (let attempt = 0; attempt < 30 && refused.statusCode === 401; attempt++) {
      refused = await tab.submit('/verify', { token, password: OWNERS_PASSWORD })
    }
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
    expect(codeOf(await login(limited, squat.email))).toBe('too_many_wrong_passwords')
  })

  it('does not take over an account that owns its address', async () => {
    const squat = await newSquat()
    const token = await verificationToken(squat)
    await database.storage.transaction((tx) => tx.accounts.save(squat.id, { emailVerified: true, emailOwned: true }))
    const answer = await openBrowser(app).submit('/verify', { token, take_over: 'yes' })
    expect(leadsTo(answer)).toEqual([303, '/verify?done=verified'])
    expect(await isSignedIn(squat.squatter.headers)).toBe(true)
  })

  it('makes only the owner of an administrator’s address an administrator', async () => {
    const squat = await newSquat()
    const administered = await instance({ auth: { adminEmails: [squat.email] } })
    await takeOverOnPage(squat, openBrowser(app))
    expect((await me(administered, squat.squatter.headers)).statusCode).toBe(401)
    const token = tokenIn(await mailbox.take(squat.email, 'takenOver'))
    await ok(client(administered).post('/auth/reset-password', { token, password: OWNERS_PASSWORD }), 200)
    expect((await login(administered, squat.email, OWNERS_PASSWORD)).json().user.isAdmin).toBe(true)
  })

  it('gives a user of the host the address in a request of that user only, and takes nothing over', async () => {
    const newUser = (emailVerified: boolean) => {
      const user = { externalId: randomUUID(), email: `${newName()}@example.com`, emailVerified }
      return [user.email, { 'x-host-user': JSON.stringify(user) }] as const
    }
    const [[email, user], [, other]] = [newUser(false), newUser(true)]
    const { id } = await ok(me(hosted, user), 200)
    await ok(client(hosted).with(user).post('/auth/resend-verification'), 200)
    const sent = tokenIn(await mailbox.take(email, 'verification'))
    const taken = await openBrowser(hosted, other).submit('/verify', { token: sent, take_over: 'yes' })
    expect(leadsTo(taken)).toEqual([303, '/verify?done=verified'])
    expect(await addressOf({ id })).toEqual([true, false])
    const [another, same] = newUser(false)
    const made = await ok(me(hosted, same), 200)
    await ok(client(hosted).with(same).post('/auth/resend-verification'), 200)
    const token = tokenIn(await mailbox.take(another, 'verification'))
    await ok(client(hosted).post('/auth/verify', { token }, same), 200)
    expect(await addressOf(made)).toEqual([true, true])
  })
})
