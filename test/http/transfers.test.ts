import type { Mail } from '@eep/core/ports'
import { cashRail, createCashWallets, endOfLog, eventsAfter, newPayout, newWallet } from '@eep/core/testing'
import { describe, expect, it } from 'vitest'
import { codeOf, me, newName, PASSWORD, type Person, proveAddress, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { openInstances } from '../support/instances.ts'
import { createMailbox } from '../support/mailbox.ts'
import { rateLimitsOf } from '../support/rate-limits.ts'
import { decodeHeader, shopGate } from '../support/shop.ts'
import { join, newMember, newOrganization, type OwnedProfile } from '../support/teams.ts'

const DAY_MS = 86_400_000
const cashWallets = createCashWallets()

const mailbox = createMailbox()
const { clock, daysAgo } = createClock()
const { database, instance } = await openInstances({
  clock,
  email: { mailer: mailbox.mailer },
  payments: { rails: [cashRail({ cashWallets })] },
})
const app = await instance()

const offer = ({ id, owner }: Pick<OwnedProfile, 'id' | 'owner'>, username: string, by = owner) =>
  by.post(`/profiles/${id}/transfers`, { recipient_username: username })
const accept = (person: Person, id: number) => person.post(`/transfers/${id}/accept`)
const reject = (person: Person, id: number) => person.post(`/transfers/${id}/reject`)
const cancel = (person: Person, id: number) => person.delete(`/transfers/${id}`)
const transfersOf = async (person: Person) => (await person.get('/transfers')).json()

/** A profile with a pending transfer, its owner and the recipient. */
async function offered(fields: object = {}) {
  const profile = await newOrganization(app, undefined, fields)
  const recipient = await signUp(app)
  for (const side of [profile.owner, recipient]) await proveAddress(database, side)
  const response = await offer(profile, recipient.account.username)
  expect(response.statusCode).toBe(201)
  return { profile, owner: profile.owner, recipient, id: response.json<{ id: number }>().id }
}

const roleIn = async ({ headers }: Person, { id }: Pick<OwnedProfile, 'id'>) =>
  (await me(app, headers)).json().profiles.find((profile: { id: number }) => profile.id === id)?.role

describe('POST /profiles/{id}/transfers', () => {
  it('offers a profile for seven days, and notifies both sides by email', async () => {
    const [profile, recipient] = [await newOrganization(app), await signUp(app)]
    await proveAddress(database, recipient)
    const { owner } = profile
    const response = await offer(profile, recipient.account.username)
    expect(response.statusCode).toBe(201)
    const transfer = {
      id: expect.any(Number),
      profile: { id: profile.id, profile_type: 'organization', username: profile.username },
      from_username: owner.account.username,
      recipient_username: recipient.account.username,
      state: 'pending',
      created_at: clock().toISOString(),
      expires_at: new Date(clock().getTime() + 7 * DAY_MS).toISOString(),
      resolved_at: null,
    }
    expect(response.json()).toEqual({ ...transfer, direction: 'outgoing' })
    expect((await transfersOf(owner)).data).toEqual([{ ...transfer, direction: 'outgoing' }])
    expect((await transfersOf(recipient)).data).toEqual([{ ...transfer, direction: 'incoming' }])
    expect(await roleIn(recipient, profile)).toBeUndefined()

    const mails: Mail[] = [
      await mailbox.take(recipient.account.email, 'offer'),
      await mailbox.take(owner.account.email, 'offered'),
    ]
    for (const mail of mails) {
      expect(mail.text).toContain('https://profiles.example/transfers\n')
      expect(mail.text).toContain(profile.username)
      expect(mail.html).toContain('<a href="https://profiles.example/transfers"')
    }
  })

  it('allows one transfer at a time', async () => {
    const { profile, recipient, id } = await offered()
    const second = await offer(profile, recipient.account.username)
    expect([second.statusCode, codeOf(second)]).toEqual([409, 'transfer_pending'])
    await cancel(profile.owner, id)
    const answers = await Promise.all(Array.from({ length: 8 }, () => offer(profile, recipient.account.username)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, ...Array(7).fill(409)])
  })

  it('lets only the owner offer a transfer', async () => {
    const [profile, recipient] = [await newOrganization(app), await signUp(app)]
    const admin = await newMember(app, profile, 'admin')
    for (const person of [admin, recipient]) {
      const response = await offer(profile, recipient.account.username, person)
      expect([response.statusCode, codeOf(response)]).toEqual([403, 'not_profile_owner'])
    }
    const hidden = await newOrganization(app, undefined, { visibility: 'private' })
    expect((await offer(hidden, recipient.account.username, recipient)).statusCode).toBe(404)
    expect((await offer({ id: 999_999_999, owner: recipient }, recipient.account.username)).statusCode).toBe(404)
  })

  it('refuses unknown recipients, the owner, and the primary profile of an account', async () => {
    const profile = await newOrganization(app)
    const { owner } = profile
    const left = await signUp(app)
    await left.send('DELETE', '/auth/account', { password: PASSWORD })
    for (const name of ['unknown-name', left.account.username]) {
      expect(codeOf(await offer(profile, name))).toBe('account_not_found')
    }
    const own = await offer(profile, owner.account.username)
    expect([own.statusCode, codeOf(own)]).toEqual([409, 'recipient_is_owner'])

    const recipient = await signUp(app)
    const person = await offer({ id: owner.account.active_profile_id, owner }, recipient.account.username)
    expect([person.statusCode, codeOf(person)]).toEqual([409, 'primary_profile_required'])
    const stage = `stage-of-${owner.account.username}`
    await owner.post('/profiles', { profile_type: 'person', username: stage })
    const { id } = (await owner.get(`/profiles/u/${stage}`)).json()
    expect((await offer({ id, owner }, recipient.account.username)).statusCode).toBe(201)
  })

  it('limits the emails that an account can cause', async () => {
    const store = rateLimitsOf((key, windowMs) => ({
      count: key.startsWith('team-mail:') ? 11 : 1,
      resetAtMs: Date.now() + windowMs,
    }))
    const limited = await instance({ limits: { rateLimit: { multiplier: 1, store } } })
    const [profile, recipient] = [await newOrganization(limited), await signUp(limited)]
    const response = await offer(profile, recipient.account.username)
    expect([response.statusCode, codeOf(response)]).toEqual([429, 'too_many_mails'])
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('a transfer that is accepted', () => {
  it('makes the recipient the owner and the previous owner an editor, and notifies both', async () => {
    const { profile, owner, recipient, id } = await offered()
    const response = await accept(recipient, id)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({
      id,
      state: 'accepted',
      direction: 'incoming',
      resolved_at: clock().toISOString(),
    })
    expect([await roleIn(recipient, profile), await roleIn(owner, profile)]).toEqual(['owner', 'editor'])
    // It is older than the account, and still not who the account is.
    expect((await me(app, recipient.headers)).json().active_profile_id).toBe(recipient.account.active_profile_id)
    const team = (await recipient.get(profile.team)).json()
    expect(team.owner.username).toBe(recipient.account.username)
    expect(team.data).toMatchObject([
      { username: recipient.account.username, role: 'owner' },
      { username: owner.account.username, role: 'editor' },
    ])
    expect(team.pagination.total).toBe(2)

    expect((await owner.put(profile.path, { bio: 'Still an editor' })).statusCode).toBe(200)
    expect((await owner.delete(profile.path)).statusCode).toBe(403)
    const given = `The profile ${profile.username} was transferred to ${recipient.account.username}`
    const received = `You are now the owner of the profile ${profile.username}`
    for (const [{ account }, subject] of [[owner, given] as const, [recipient, received] as const]) {
      expect((await mailbox.take(account.email, 'transferred')).subject).toBe(subject)
    }
    const again = await offer({ ...profile, owner: recipient }, owner.account.username)
    expect(again.statusCode, 'back again').toBe(201)
    await accept(owner, again.json().id)
    expect([await roleIn(recipient, profile), await roleIn(owner, profile)]).toEqual(['editor', 'owner'])
  })

  it('removes other roles of the new owner, and pending invitations of the previous one', async () => {
    const profile = await newOrganization(app)
    const recipient = await newMember(app, profile, 'viewer')
    const guest = await signUp(app)
    const body = { username: guest.account.username, role: 'admin' }
    const invited = (await profile.owner.post(`${profile.team}/invites`, body)).json().id
    const { id } = (await offer(profile, recipient.account.username)).json()
    expect((await accept(recipient, id)).statusCode).toBe(200)
    const { data, pagination, invitations } = (await recipient.get(profile.team)).json()
    const names = [recipient.account.username, profile.owner.account.username]
    expect(data.map(({ username }: { username: string }) => username)).toEqual(names)
    expect([pagination.total, invitations]).toEqual([2, []])
    expect((await guest.post(`/team/invites/${invited}/accept`)).statusCode).toBe(404)
  })

  it('transfers a private profile without the email address of its owner', async () => {
    const { profile, recipient, id } = await offered({ visibility: 'private', email: 'old-owner@example.com' })
    expect((await recipient.get(profile.path)).statusCode).toBe(404)
    expect((await accept(recipient, id)).statusCode).toBe(200)
    const record = await recipient.get(profile.path)
    expect(record.statusCode).toBe(200)
    expect(record.body).not.toContain('old-owner')
  })

  it('pays later sales to the new owner', async () => {
    const { profile, owner, recipient, id } = await offered()
    const wallets = [owner, recipient].map(({ account }) => newWallet(account.id))
    await database.storage.transaction(async (tx) => {
      for (const wallet of wallets) {
        await tx.wallets.put(wallet)
        await tx.payouts.insert(newPayout(wallet, { network: 'cash:test' }))
      }
    })
    const page = { profile_id: profile.id, title: 'Engines', body: 'Sold.', status: 'published' }
    const category = (await owner.post('/manage/categories', { profile_id: profile.id, name: 'Notes' })).json()
    await owner.post('/manage/pages', { ...page, category_id: category.id })
    const did = encodeURIComponent(`did:web:profiles.example:o:${profile.username}`)
    await owner.put(`/eep/gates/${did}`, shopGate())
    const url = `/o/${profile.username}/content/notes/engines`
    const payTo = async () => decodeHeader(await client(app).get(url), 'payment-required').accepts[0].payTo
    const buyer = await signUp(app)
    const buy = async () => {
      const challenge = await buyer.get(url)
      const proof = cashWallets.answer(challenge.headers['payment-required'], { wallet: `0x${'7'.repeat(40)}` })
      return client(app).get(url, { ...buyer.headers, ...proof })
    }
    expect(await payTo()).toBe(wallets[0]?.address)
    expect((await buy()).statusCode).toBe(200)

    await accept(recipient, id)
    expect(await payTo()).toBe(wallets[1]?.address)
    expect((await owner.get(url)).statusCode, 'an editor reads what is sold').toBe(200)
    const { data } = (await buyer.get('/eep/payment/receipts')).json()
    const receipt = await database.storage.read.receipts.get(data[0].receipt_id)
    expect(receipt?.seller.accountId).toBe(owner.account.id)

    // The account that was paid refunds, and no other.
    const refund = (by: Person) =>
      by.post(`/eep/payment/receipts/${receipt?.receiptId}/refund`, {
        reference: cashWallets.giveBack({ to: `0x${'7'.repeat(40)}` }),
      })
    const refused = await refund(recipient)
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'forbidden'])
    expect((await refund(owner)).statusCode).toBe(200)
  })

  it('restricts keys of the previous owner to the rights of an editor', async () => {
    const { profile, owner, recipient, id } = await offered()
    const did = encodeURIComponent(`did:web:profiles.example:o:${profile.username}`)
    const key = await newKey(app, owner.headers, { scopes: ['write:gates', 'read:profiles'], profile_id: profile.id })
    const putGate = () => client(app).as(key).put(`/eep/gates/${did}`, shopGate())
    const team = async () => (await client(app).as(key).get(profile.team)).json()
    expect((await putGate()).statusCode).toBe(200)
    expect((await team()).invitations).toEqual([])
    await accept(recipient, id)
    expect((await putGate()).statusCode).toBe(403)
    expect((await team()).invitations).toBeUndefined()
    await recipient.delete(`${profile.team}/${owner.account.id}`)
    expect((await putGate()).statusCode).toBe(403)
    expect((await client(app).as(key).get(profile.team)).statusCode).toBe(403)
  })

  it('emits an event of the transfer with the new owner as its account', async () => {
    const { profile, recipient, id } = await offered()
    const start = await endOfLog(database.storage)
    await accept(recipient, id)
    const events = (await eventsAfter(database.storage, start, { profileId: profile.id })).filter(({ type }) =>
      type.startsWith('teams.'),
    )
    expect(events.map(({ type, accountId, data }) => ({ type, accountId, data }))).toEqual([
      {
        type: 'teams.profile_transferred',
        accountId: recipient.account.id,
        data: { transferId: id, accountId: recipient.account.id },
      },
    ])
  })
})

describe('a transfer that is not accepted', () => {
  it.each([
    ['rejected', reject, 'recipient'],
    ['cancelled', cancel, 'owner'],
  ] as const)('keeps the owner when a transfer is %s, and notifies both', async (state, end, side) => {
    const { profile, owner, recipient, id } = await offered()
    const response = await end({ owner, recipient }[side], id)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({ id, state, resolved_at: clock().toISOString() })
    expect([await roleIn(recipient, profile), await roleIn(owner, profile)]).toEqual([undefined, 'owner'])
    for (const { account } of [owner, recipient]) {
      expect((await mailbox.take(account.email, 'kept')).subject).toContain(`${state} the transfer`)
    }
    for (const answer of [await accept(recipient, id), await reject(recipient, id), await cancel(owner, id)]) {
      expect([answer.statusCode, codeOf(answer)]).toEqual([409, 'transfer_not_pending'])
      expect(answer.json().error.details).toEqual({ state })
    }
  })

  it('expires after seven days, and allows another transfer', async () => {
    const [profile, recipient] = [await newOrganization(app), await signUp(app)]
    const { owner } = profile
    const { id } = (await daysAgo(7.01, () => offer(profile, recipient.account.username))).json()
    expect((await transfersOf(recipient)).data).toMatchObject([{ id, state: 'expired', resolved_at: null }])
    for (const answer of [await accept(recipient, id), await reject(recipient, id), await cancel(owner, id)]) {
      expect(answer.json().error).toMatchObject({ code: 'transfer_not_pending', details: { state: 'expired' } })
    }
    expect((await offer(profile, recipient.account.username)).statusCode).toBe(201)
    expect((await transfersOf(owner)).data.map(({ state }: { state: string }) => state)).toEqual(['pending', 'expired'])
  })

  it('lets the recipient accept or reject, and the owner cancel', async () => {
    const { profile, owner, recipient, id } = await offered()
    const admin = await newMember(app, profile, 'admin')
    for (const answer of [await accept(owner, id), await reject(owner, id), await cancel(recipient, id)]) {
      expect([answer.statusCode, codeOf(answer)]).toEqual([403, 'transfer_not_yours'])
    }
    for (const answer of [await accept(admin, id), await reject(admin, id), await cancel(admin, id)]) {
      expect([answer.statusCode, codeOf(answer)]).toEqual([404, 'transfer_not_found'])
    }
    expect((await transfersOf(admin)).data).toEqual([])
    for (const number of ['0', 'x', '1.5'])
      expect((await recipient.delete(`/transfers/${number}`)).statusCode).toBe(404)
  })

  it('no longer names a private profile to a recipient who rejected it', async () => {
    const { profile, owner, recipient, id } = await offered({ visibility: 'private' })
    const nameIn = async (person: Person) => (await transfersOf(person)).data[0].profile
    const named = { id: profile.id, profile_type: 'organization', username: profile.username }
    expect(await nameIn(recipient)).toEqual(named)
    expect((await reject(recipient, id)).statusCode).toBe(200)
    const renamed = newName()
    expect((await owner.put(profile.path, { username: renamed })).statusCode).toBe(200)
    expect(await nameIn(recipient)).toBeNull()
    expect(await nameIn(owner)).toEqual({ ...named, username: renamed })
    expect((await owner.put(`/profiles/${profile.id}/visibility`, { visibility: 'public' })).statusCode).toBe(200)
    expect(await nameIn(recipient)).toEqual({ ...named, username: renamed })
  })

  it('ends when either account is deleted', async () => {
    const one = await offered()
    await one.owner.send('DELETE', '/auth/account', { password: PASSWORD })
    expect((await accept(one.recipient, one.id)).statusCode).toBe(404)
    const other = await offered()
    await other.recipient.send('DELETE', '/auth/account', { password: PASSWORD })
    expect((await accept(other.recipient, other.id)).statusCode).toBe(401)
    expect(await roleIn(other.owner, other.profile)).toBe('owner')
    expect((await cancel(other.owner, other.id)).statusCode).toBe(200)
  })

  it('deletes a transfer with its profile', async () => {
    const { profile, owner, recipient, id } = await offered()
    await owner.delete(profile.path)
    expect((await accept(recipient, id)).statusCode).toBe(404)
    expect((await transfersOf(recipient)).data).toEqual([])
  })
})

describe('concurrent requests', () => {
  it('end a transfer once, consistently with the owner of the profile', async () => {
    for (let round = 0; round < 4; round++) {
      const { profile, owner, recipient, id } = await offered()
      const answers = await Promise.all(
        Array.from({ length: 9 }, (_, index) =>
          [() => accept(recipient, id), () => cancel(owner, id), () => reject(recipient, id)][index % 3]?.(),
        ),
      )
      const winners = answers.filter((answer) => answer?.statusCode === 200)
      expect(winners).toHaveLength(1)
      expect(answers.filter((answer) => answer?.statusCode !== 200 && answer?.statusCode !== 409)).toEqual([])
      const { state } = winners[0]?.json() ?? {}
      expect(await roleIn(recipient, profile)).toBe(state === 'accepted' ? 'owner' : undefined)
      expect(await roleIn(owner, profile)).toBe(state === 'accepted' ? 'editor' : 'owner')
    }
  })

  it('leaves one owner when the recipient joins or the profile is deleted concurrently', async () => {
    const { profile, owner, recipient, id } = await offered()
    const answers = await Promise.all([
      accept(recipient, id),
      join(profile, recipient, 'admin').then(
        () => 'joined',
        () => 'kept out',
      ),
      owner.put(profile.path, { bio: 'Meanwhile' }),
    ])
    expect(answers[0].statusCode).toBe(200)
    const team = (await recipient.get(profile.team)).json()
    expect(team.owner.username).toBe(recipient.account.username)
    expect(team.data).toMatchObject([
      { username: recipient.account.username, role: 'owner' },
      { username: owner.account.username, role: 'editor' },
    ])
  })
})
