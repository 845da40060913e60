import { expect, it } from 'vitest'
import { signUp } from '../../test/support/accounts.ts'
import { createTestApp } from '../../test/support/app.ts'
import { client } from '../../test/support/client.ts'
import { devicesModule, readsModule } from './own-credentials.ts'

it('signs members in by their devices, and counts what they read', async () => {
  const known = new Map<string, { accountId: string; isLost: boolean }>()
  const reads: [number, boolean][] = []
  const { app, close } = await createTestApp({
    modules: [
      devicesModule({ find: async (code) => known.get(code) }),
      readsModule((profileId, isAgent) => void reads.push([profileId, isAgent])),
    ],
  })
  const ada = await signUp(app)
  const { id: accountId, username, active_profile_id: profileId } = ada.account
  const visibility = `/profiles/${profileId}/visibility`
  const status = async (code: string) => (await client(app).get(visibility, { 'x-device': code })).statusCode

  known.set('d-1', { accountId, isLost: false }).set('d-2', { accountId, isLost: true })
  expect([await status('d-1'), await status('d-2'), await status('d-3')]).toEqual([200, 401, 401])

  await client(app).get(`/u/${username}`)
  await client(app).get(`/u/${username}`, { 'eep-agent-did': 'did:web:agents.example:scout' })
  expect(reads).toEqual([
    [profileId, false],
    [profileId, true],
  ])
  await close()
})
