import { randomBytes } from 'node:crypto'
import { endOfLog, eventsAfter } from '@eep/core/testing'
import { describe, expect, it, vi } from 'vitest'
import { codeOf, PASSWORD, type Person, proveAddress, signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { openInstances } from '../support/instances.ts'
import { createMailbox, tokenIn } from '../support/mailbox.ts'
import { choose, untilNotified } from '../support/notifications.ts'
import { countingAllButRequests } from '../support/rate-limits.ts'
import {
  accept,
  invite,
  inviteByName,
  newMember,
  newOrganization,
  type OwnedProfile,
  rolesIn,
  teamOf,
} from '../support/teams.ts'

const DAY_MS = 86_400_000

const mailbox = createMailbox()
const { clock, daysAgo } = createClock()
const { database, instance } = await openInstances({ clock, email: { mailer: mailbox.mailer } })
const app = await instance()

const organization = (fields?: object, owner?: Person) => newOrganization(app, owner, fields)
const reject = (person: Person, token: unknown) => person.post(`/team/invites/${token}/reject`)
const mine = async (person: Person) => (await person.get('/team/invites')).json()
const verifyEmail = async ({ account: { email }, headers }: Person) =>
  client(app).post('/auth/verify', { token: tokenIn(await mailbox.take(email, 'verification')) }, headers)
const invitationTo = async (email: string) => tokenIn(await mailbox.take(email, 'invitation'))

describe('POST /profiles/{id}/team/invites', () => {
  it('sends an account a link to join', async () => {
    const [profile, guest] = [await organization(), await signUp(app)]
    const response = await inviteByName(profile, guest, 'admin')
    expect(response.statusCode).toBe(201)
    const { id, profile_type, username } = { id: profile.id, profile_type: 'organization', username: profile.username }
    expect(response.json()).toEqual({
      id: expect.any(Number),
      profile: { id, profile_type, username },
      email: null,
      username: guest.account.username,
      role: 'admin',
      invited_by: profile.owner.account.username,
      created_at: clock().toISOString(),
      expires_at: new Date(clock().getTime() + 7 * DAY_MS).toISOString(),
    })

    const mail = await mailbox.take(guest.account.email, 'invitation')
    expect(mail.text).toContain(`https://profiles.example/team/invite?token=${tokenIn(mail)}`)
    expect(mail.text).toContain(`https://profiles.example/o/${profile.username}`)
    expect(mail.html).toContain('<a href=')
    const joined = await accept(guest, tokenIn(mail))
    expect(joined.statusCode).toBe(200)
    expect(joined.json()).toEqual({ profile: { id, profile_type, username }, role: 'admin' })
    expect(await rolesIn(profile)).toEqual({ [guest.account.username]: 'admin' })
  })

  it('links to the configured page of the host', async () => {
    const other = await instance({ frontendUrls: { acceptInvitation: 'https://host.example/join?lang=en' } })
    const [profile, guest] = [await newOrganization(other), await signUp(other)]
    await inviteByName(profile, guest)
    const { text } = await mailbox.take(guest.account.email, 'invitation')
    expect(text).toMatch(/https:\/\/host\.example\/join\?lang=en&token=[\w-]{43}\n/)
  })

  it('sends an account with a proven address one email, a notification that leads to the same page', async () => {
    const [profile, guest] = [await organization(), await signUp(app)]
    await proveAddress(database, guest)
    const subject = `${profile.owner.account.username} invites you to the team of ${profile.username} as editor`
    const mailsTo = () => mailbox.mails.filter(({ to, subject }) => to === guest.account.email && /team/.test(subject))
    const untilMails = (count: number) => vi.waitFor(() => expect(mailsTo()).toHaveLength(count), 60_000)
    for (const [index, invitee] of [{ username: guest.account.username }, { email: guest.account.email }].entries()) {
      const { id } = (await invite(profile, { ...invitee, role: 'editor' })).json()
      await untilMails(index + 1)
      const mail = mailsTo()[index]
      expect(mail).toMatchObject({ subject, headers: { 'List-Unsubscribe': expect.any(String) } })
      expect(mail?.text).toContain(`https://profiles.example/team/invite?token=${id}\n`)
      expect((await reject(guest, id)).statusCode).toBe(200)
    }
    await choose(guest, { kind: 'team_invitation', in_app: true, email: 'off' })
    await inviteByName(profile, guest)
    await untilNotified(guest, (items) => expect(items).toHaveLength(3))
    expect(mailsTo()).toHaveLength(2)
  })

  it('sends an email with a token to each account when there are no notifications', async () => {
    const without = await instance({ notifications: false })
    const [profile, guest] = [await newOrganization(without), await signUp(without)]
    await proveAddress(database, guest)
    await inviteByName(profile, guest)
    const token = await invitationTo(guest.account.email)
    expect((await guest.post(`/team/invites/${token}/accept`)).statusCode).toBe(200)
  })

  it('responds the same whether or not an email address has an account', async () => {
    const [profile, guest] = [await organization(), await signUp(app)]
    const strange = `unknown-here-${profile.username}@example.com`
    const [known, unknown] = [
      await invite(profile, { email: guest.account.email, role: 'viewer' }),
      await invite(profile, { email: strange, role: 'viewer' }),
    ]
    expect([known.statusCode, unknown.statusCode]).toEqual([201, 201])
    const shape = { id: 0, email: '' }
    expect({ ...known.json(), ...shape }).toEqual({ ...unknown.json(), ...shape })
    const mails = [await mailbox.take(guest.account.email, 'invitation'), await mailbox.take(strange, 'invitation')]
    expect(mails[0]?.text.replace(tokenIn(mails[0]), '')).toBe(mails[1]?.text.replace(tokenIn(mails[1]), ''))
  })

  it('admits an account with the invited address, in any case, and verifies the address', async () => {
    const [profile, guest] = [await organization(), await signUp(app)]
    const { email } = guest.account
    const { id } = (await invite(profile, { email: email.toUpperCase(), role: 'viewer' })).json()
    // The domain has one spelling.
    const [local = '', domain] = email.split('@')
    const token = await invitationTo(`${local.toUpperCase()}@${domain}`)
    const start = await endOfLog(database.storage)
    expect((await mine(guest)).data).toEqual([])
    expect((await accept(guest, id)).statusCode, 'by its id, which proves nothing').toBe(404)
    expect((await accept(guest, token)).statusCode).toBe(200)
    expect(await rolesIn(profile)).toEqual({ [guest.account.username]: 'viewer' })
    expect((await guest.get('/auth/me')).json().email_verified).toBe(true)
    const events = await eventsAfter(database.storage, start)
    const verified = events.filter(({ type }) => type === 'accounts.email_verified')
    expect(verified).toMatchObject([{ accountId: guest.account.id }])
  })

  it('admits an account with another address once that address is confirmed', async () => {
    const [profile, guest, other] = [await organization(), await signUp(app), await signUp(app)]
    await invite(profile, { email: guest.account.email, role: 'viewer' })
    const token = await invitationTo(guest.account.email)
    for (const answer of [accept, reject]) {
      const refused = await answer(other, token)
      expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'email_not_confirmed'])
    }
    expect((await verifyEmail(other)).statusCode).toBe(200)
    expect((await mine(other)).data).toEqual([])
    expect((await accept(other, token)).statusCode).toBe(200)
    expect(await rolesIn(profile)).toEqual({ [other.account.username]: 'viewer' })
    expect((await guest.get('/auth/me')).json().email_verified).toBe(false)
  })

  it('replaces an earlier invitation of the same person', async () => {
    const [profile, guest] = [await organization(), await signUp(app)]
    const { id } = (await inviteByName(profile, guest, 'admin')).json()
    const old = await invitationTo(guest.account.email)
    await inviteByName(profile, guest, 'viewer')
    const token = await invitationTo(guest.account.email)
    for (const dead of [old, id]) expect(codeOf(await accept(guest, dead))).toBe('invitation_not_found')
    expect((await accept(guest, token)).json()).toMatchObject({ role: 'viewer' })
  })

  it('accepts an invitation once under concurrent requests', async () => {
    const [profile, guest] = [await organization(), await signUp(app)]
    await inviteByName(profile, guest)
    const token = await invitationTo(guest.account.email)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => (index % 2 ? accept(guest, token) : reject(guest, token))),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(answers.filter(({ statusCode }) => ![200, 404, 409].includes(statusCode))).toEqual([])
  })

  it('accepts an invitation of an account from that account only', async () => {
    const [profile, guest, other] = [await organization(), await signUp(app), await signUp(app)]
    await verifyEmail(other)
    await inviteByName(profile, guest)
    const token = await invitationTo(guest.account.email)
    const refused = await accept(other, token)
    expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'invitation_not_yours'])
    expect((await accept(guest, token)).statusCode).toBe(200)
  })

  it('expires after seven days', async () => {
    const [profile, guest] = [await organization(), await signUp(app)]
    const { id } = (await daysAgo(7.01, () => inviteByName(profile, guest))).json()
    const token = await invitationTo(guest.account.email)
    expect((await mine(guest)).data).toEqual([])
    expect((await teamOf(profile)).invitations).toEqual([])
    for (const late of [token, id]) {
      const response = await accept(guest, late)
      expect([response.statusCode, codeOf(response)]).toEqual([404, 'invitation_not_found'])
    }
  })

  it('lets the invited person decline, and inviters withdraw, an invitation', async () => {
    const [profile, guest] = [await organization(), await signUp(app)]
    const first = (await inviteByName(profile, guest)).json()
    expect((await reject(guest, first.id)).json()).toEqual({ success: true })
    expect(codeOf(await accept(guest, first.id))).toBe('invitation_not_found')

    const second = (await inviteByName(profile, guest)).json()
    const other = await organization()
    const url = ({ team }: OwnedProfile) => `${team}/invites/${second.id}`
    expect((await other.owner.delete(url(other))).statusCode, 'of another profile').toBe(404)
    expect((await guest.delete(url(profile))).statusCode).toBe(403)
    expect((await profile.owner.delete(url(profile))).json()).toEqual({ success: true })
    expect((await profile.owner.delete(url(profile))).statusCode).toBe(404)
    expect(codeOf(await accept(guest, second.id))).toBe('invitation_not_found')
    expect(await rolesIn(profile)).toEqual({})
  })

  it('shows invitations by id to their recipient only', async () => {
    const [profile, guest, other] = [await organization(), await signUp(app), await signUp(app)]
    const { id } = (await inviteByName(profile, guest)).json()
    for (const token of [id, 0, 'nothing', '9'.repeat(30), 'x'.repeat(43)]) {
      for (const answer of [accept, reject]) expect((await answer(other, token)).statusCode).toBe(404)
    }
    expect((await accept(guest, id)).statusCode).toBe(200)
  })

  it('rejects existing members, unknown accounts and the role owner', async () => {
    const profile = await organization()
    const editor = await newMember(app, profile, 'editor')
    for (const person of [profile.owner, editor]) {
      const response = await inviteByName(profile, person)
      expect([response.statusCode, codeOf(response)]).toEqual([409, 'already_member'])
    }
    expect(codeOf(await invite(profile, { username: 'unknown-name', role: 'editor' }))).toBe('account_not_found')
    const guest = await signUp(app)
    for (const body of [
      { username: guest.account.username, role: 'owner' },
      { role: 'editor' },
      { username: guest.account.username, email: guest.account.email, role: 'editor' },
      { email: 'no address', role: 'editor' },
    ]) {
      const response = await invite(profile, body)
      expect([response.statusCode, codeOf(response)]).toEqual([400, 'validation_failed'])
    }
  })

  it('adds a member who was invited by name and by email address once, with the existing role', async () => {
    const [profile, guest] = [await organization(), await signUp(app)]
    await verifyEmail(guest)
    const byName = (await inviteByName(profile, guest, 'admin')).json().id
    const byEmail = (await invite(profile, { email: guest.account.email, role: 'viewer' })).json().id
    expect((await mine(guest)).pagination.total).toBe(2)
    expect((await accept(guest, byName)).statusCode).toBe(200)
    expect((await mine(guest)).pagination.total).toBe(0)
    expect(codeOf(await accept(guest, byEmail))).toBe('invitation_not_found')

    const again = await invite(profile, { email: guest.account.email, role: 'viewer' })
    const response = await accept(guest, again.json().id)
    expect([response.statusCode, codeOf(response)]).toEqual([409, 'already_member'])
    expect(await rolesIn(profile)).toEqual({ [guest.account.username]: 'admin' })
  })

  it('limits an account and an address to ten invitation emails an hour', async () => {
    const limited = await instance({ limits: { rateLimit: { multiplier: 1, store: countingAllButRequests() } } })
    const [one, other] = [await newOrganization(limited), await newOrganization(limited)]
    const email = `often-invited@${one.username}.example`
    const codes = []
    for (let round = 0; round < 11; round++) codes.push((await invite(one, { email, role: 'viewer' })).statusCode)
    expect(codes).toEqual([...Array(10).fill(201), 429])
    const refused = await invite(one, { email, role: 'viewer' })
    expect(codeOf(refused)).toBe('too_many_mails')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000)

    expect((await invite(other, { email, role: 'viewer' })).statusCode).toBe(201)
    for (let round = 0; round < 10; round++) await mailbox.take(email, 'invitation')
    expect(await mailbox.has(email, 'invitation')).toBe(false)
  })

  it('limits a team to a hundred members and invitations', async () => {
    const profile = await organization()
    await newMember(app, profile, 'viewer')
    const addressOf = (guest: number) => `guest-${guest}@${profile.username}.example`
    await database.storage.transaction(async (tx) => {
      for (let guest = 0; guest < 98; guest++) {
        await tx.invitations.put({
          profileId: profile.id,
          email: addressOf(guest),
          accountId: null,
          role: 'viewer',
          hash: randomBytes(32).toString('hex'),
          invitedBy: profile.owner.account.id,
          createdAt: clock(),
          expiresAt: new Date(clock().getTime() + 7 * DAY_MS),
        })
      }
    })
    const last = await invite(profile, { email: addressOf(98), role: 'viewer' })
    expect(last.statusCode, 'the hundredth').toBe(201)
    const response = await invite(profile, { email: `late@${profile.username}.example`, role: 'viewer' })
    expect([response.statusCode, codeOf(response)]).toEqual([409, 'team_full'])
    const again = await invite(profile, { email: addressOf(7), role: 'editor' })
    expect(again.statusCode, 'one that takes the place of another').toBe(201)
  })

  it('stores only the digest of a token', async () => {
    const [profile, guest] = [await organization(), await signUp(app)]
    await inviteByName(profile, guest)
    const token = await invitationTo(guest.account.email)
    for (const row of (await database.dump?.()) ?? []) expect(row).not.toContain(token)
  })

  it('refuses invitations to a profile of an account in deletion', async () => {
    const [profile, guest] = [await organization(), await signUp(app)]
    const { id } = (await inviteByName(profile, guest)).json()
    await profile.owner.send('DELETE', '/auth/account', { password: PASSWORD })
    expect((await mine(guest)).data).toEqual([])
    expect((await accept(guest, id)).statusCode).toBe(404)
  })
})
