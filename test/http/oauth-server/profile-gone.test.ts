import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { connect } from '../../support/oauth-server.ts'
import { newMember, newOrganization } from '../../support/teams.ts'

let service: Awaited<ReturnType<typeof createTestApp>>
beforeAll(async () => {
  service = await createTestApp()
})
afterAll(() => service.close())

it('ends the apps of a member for a profile when the member leaves its team, and keeps the other apps', async () => {
  const profile = await newOrganization(service.app)
  const [leaver, colleague] = [
    await newMember(service.app, profile, 'editor'),
    await newMember(service.app, profile, 'editor'),
  ]
  await connect(service, leaver, { profileId: profile.id })
  await connect(service, leaver)
  await connect(service, colleague, { profileId: profile.id })
  const boundTo = async (person: typeof leaver): Promise<readonly (number | null)[]> =>
    (await person.get('/account/apps')).json().data.map((app: { profile_id: number | null }) => app.profile_id)
  expect(new Set(await boundTo(leaver))).toEqual(new Set([profile.id, null]))

  expect((await profile.owner.delete(`${profile.team}/${leaver.account.id}`)).statusCode).toBe(200)
  await vi.waitFor(async () => expect(await boundTo(leaver)).toEqual([null]), { timeout: 20_000 })
  expect(await boundTo(colleague)).toEqual([profile.id])
})
