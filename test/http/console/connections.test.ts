import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { actionsOn, browserOf, browserOfMember, formOf, roleIn } from '../../support/console.ts'
import { leadsTo } from '../../support/pages.ts'
import { newOrganization, type OwnedProfile } from '../../support/teams.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
let profile: OwnedProfile
let owner: Awaited<ReturnType<typeof browserOf>>
let followers: string
let following: string

beforeAll(async () => {
  test = await createTestApp()
  profile = await newOrganization(test.app)
  owner = await browserOf(test.app, profile.owner)
  followers = `/manage/profiles/${profile.id}/followers`
  following = `/manage/profiles/${profile.id}/following`
})
afterAll(() => test.close())

/** Lets the profile follow a new person. */
async function followed(): Promise<Person> {
  const person = await signUp(test.app)
  const header = { 'x-active-profile-id': String(profile.id) }
  const answer = await profile.owner.post(`/connections/u/${person.account.username}`, undefined, header)
  expect(answer.statusCode, answer.body).toBe(201)
  return person
}

describe('the screens with followers and followed profiles', () => {
  it('are empty at first, and link to each other', async () => {
    const none = await newOrganization(test.app, profile.owner)
    const paths = ['followers', 'following'].map((side) => `/manage/profiles/${none.id}/${side}`)
    const [ofFollowers, ofFollowing] = [await owner.open(paths[0] ?? ''), await owner.open(paths[1] ?? '')]
    expect(ofFollowers.body).toContain('No profile follows this one yet.')
    expect(ofFollowers.body).toContain(`href="${paths[1]}"`)
    expect(ofFollowing.body).toContain('This profile follows no other one.')
    expect(ofFollowing.body).toContain(`href="${paths[0]}"`)
    expect(ofFollowing.body).toMatch(/aria-current="page">Followers</)
  })

  it('list followers in pages, without private profiles', async () => {
    for (let made = 0; made < 31; made++) {
      const person = await signUp(test.app)
      await person.post(`/connections/o/${profile.username}`)
      if (made === 0) await person.put(`/profiles/u/${person.account.username}`, { visibility: 'private' })
    }
    const last = await signUp(test.app)
    await last.post(`/connections/o/${profile.username}`)
    const first = await owner.open(followers)
    expect(first.body).toContain(`href="/u/${last.account.username}"`)
    expect(first.body.split('<th scope="row">')).toHaveLength(31)
    const [, next = ''] = /rel="next" href="([^"]+)"/.exec(first.body) ?? []
    const second = await owner.open(next.replaceAll('&amp;', '&'))
    expect(second.body.split('<th scope="row">')).toHaveLength(2)
    expect((await owner.open(`${followers}?cursor=none`)).statusCode).toBe(400)
  }, 120_000)

  it('unfollow as the profile, and say so', async () => {
    const [one, two] = [await followed(), await followed()]
    expect((await owner.open(following)).body).toContain(`href="/u/${one.account.username}"`)
    const form = formOf('unfollow', { prefix: 'u', username: one.account.username })
    expect(leadsTo(await owner.submit(following, form))).toEqual([303, following])
    const after = await owner.open(following)
    expect(roleIn(after, 'status')).toBe('This profile no longer follows it.')
    expect(after.body).not.toContain(`href="/u/${one.account.username}"`)
    expect(after.body).toContain(`href="/u/${two.account.username}"`)
    const unknown = formOf('unfollow', { prefix: 'u', username: 'not-known-here' })
    const refused = await owner.submit(following, unknown)
    expect([refused.statusCode, roleIn(refused, 'alert')]).toEqual([
      404,
      'The other profile was not found. It may have been deleted.',
    ])
  })

  it.each(['viewer', 'editor', 'admin'] as const)('show a member with the role %s what it may do', async (role) => {
    const person = await followed()
    const browser = await browserOfMember(test.app, profile, role)
    const page = await browser.open(following)
    expect(page.body).toContain(`href="/u/${person.account.username}"`)
    expect(actionsOn(page).has('unfollow')).toBe(role !== 'viewer')
    const form = formOf('unfollow', { prefix: 'u', username: person.account.username })
    expect((await browser.submit(following, form)).statusCode).toBe(role === 'viewer' ? 403 : 303)
    expect((await owner.open(following)).body.includes(`href="/u/${person.account.username}"`)).toBe(role === 'viewer')
  })

  it('are refused for people outside the team', async () => {
    const stranger = await browserOf(test.app, await signUp(test.app))
    for (const path of [followers, following]) expect((await stranger.open(path)).statusCode).toBe(403)
  })
})
