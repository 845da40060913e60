import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { actionsOn, browserOf, browserOfMember, formOf, roleIn } from '../../support/console.ts'
import { createMailbox } from '../../support/mailbox.ts'
import { leadsTo } from '../../support/pages.ts'
import { join, newOrganization, type OwnedProfile } from '../../support/teams.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
let profile: OwnedProfile
let owner: Awaited<ReturnType<typeof browserOf>>
let path: string
const mailbox = createMailbox()

beforeAll(async () => {
  test = await createTestApp({ email: { mailer: mailbox.mailer } })
  profile = await newOrganization(test.app)
  owner = await browserOf(test.app, profile.owner)
  path = `/manage/profiles/${profile.id}/team`
})
afterAll(() => test.close())

const memberNamed = (body: string, username: string) => {
  const row = body.split('<tr>').find((each) => each.includes(`/u/${username}"`)) ?? ''
  return /name="member" value="([^"]+)"/.exec(row)?.[1] ?? ''
}

describe('the screen of a team', () => {
  it('invites by email address or username, shows the invitation until it is withdrawn, and reports what is wrong', async () => {
    const sent = await owner.submit(path, formOf('invite', { invited: 'new-colleague@example.com', role: 'admin' }))
    expect(leadsTo(sent)).toEqual([303, path])
    const page = await owner.open(path)
    expect(roleIn(page, 'status')).toBe('The invitation was sent. It is valid for 7 days.')
    expect(page.body).toContain('new-colleague@example.com')
    expect((await mailbox.take('new-colleague@example.com', 'invitation')).to).toBe('new-colleague@example.com')
    const id = /name="invitation" value="(\d+)"/.exec(page.body)?.[1] ?? ''
    await owner.submit(path, formOf('withdraw', { invitation: id }))
    expect((await owner.open(path)).body).not.toContain('new-colleague@example.com')
    const unknown = await owner.submit(path, formOf('invite', { invited: 'unknown-name', role: 'viewer' }))
    expect([unknown.statusCode, roleIn(unknown, 'alert')]).toEqual([
      404,
      'There is no account with this name. Invite by email address instead.',
    ])
    expect(unknown.body).toContain('value="unknown-name"')
    expect((await owner.submit(path, formOf('invite', { invited: 'not a name', role: 'viewer' }))).body).toContain(
      'Enter an email address or a username.',
    )
  })

  it('changes the role of a member, and removes it', async () => {
    const person = await signUp(test.app)
    await join(profile, person, 'viewer')
    const { username } = person.account
    const id = memberNamed((await owner.open(path)).body, username)
    await owner.submit(path, formOf('setRole', { member: id, role: 'editor' }))
    expect(roleIn(await owner.open(path), 'status')).toBe('The role was saved.')
    expect((await person.get(`/profiles/${profile.id}/team`)).json().data).toContainEqual(
      expect.objectContaining({ username, role: 'editor' }),
    )
    await owner.submit(path, formOf('remove', { member: id }))
    expect((await owner.open(path)).body).not.toContain(`/u/${username}"`)
  })

  it.each([
    ['viewer', ['leave']],
    ['editor', ['leave']],
    ['admin', ['invite', 'leave', 'setRole', 'remove']],
  ] as const)(
    'shows a member with the role %s the buttons that it may use, and refuses the others',
    async (role, may) => {
      const browser = await browserOfMember(test.app, profile, role)
      const shown = actionsOn(await browser.open(path))
      for (const action of may) expect(shown.has(action) || !['invite', 'leave'].includes(action)).toBe(true)
      const forms = {
        invite: { invited: 'x@example.com', role: 'viewer' },
        withdraw: { invitation: '1' },
        setRole: { member: 'x', role: 'viewer' },
        remove: { member: 'x' },
        transfer: { recipient: 'ada', name: profile.username },
      }
      for (const [action, fields] of Object.entries(forms)) {
        if (shown.has(action) || (role === 'admin' && action !== 'transfer')) continue
        expect([action, (await browser.submit(path, formOf(action, fields))).statusCode]).toEqual([action, 403])
      }
      expect(leadsTo(await browser.submit(path, formOf('leave')))).toEqual([303, '/dashboard'])
      expect((await browser.open(path)).statusCode).not.toBe(200)
    },
  )

  it('keeps the owner, who can only offer the profile by typing its name', async () => {
    const page = await owner.open(path)
    expect(actionsOn(page)).toContain('transfer')
    expect(actionsOn(page)).not.toContain('leave')
    const recipient = await signUp(test.app)
    const form = { recipient: recipient.account.username, name: 'another name' }
    const refused = await owner.submit(path, formOf('transfer', form))
    expect([refused.statusCode, roleIn(refused, 'alert')]).toEqual([400, 'Type the username of this profile.'])
    expect(leadsTo(await owner.submit(path, formOf('transfer', { ...form, name: profile.username })))).toEqual([
      303,
      path,
    ])
    expect((await recipient.get('/transfers')).json().data).toMatchObject([{ state: 'pending' }])
  })
})
