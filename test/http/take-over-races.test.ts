import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, it } from 'vitest'
import { didOf, login, newName, PASSWORD, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import type { TestApp } from '../support/app.ts'
import { sendArchive } from '../support/archives.ts'
import { client } from '../support/client.ts'
import { onPglite } from '../support/database.ts'
import { fileOf } from '../support/files.ts'
import { leadsTo, openBrowser } from '../support/pages.ts'
import { OWNERS_PASSWORD, ok, openSquattedService, type Squat } from '../support/squats.ts'
import { newOrganization } from '../support/teams.ts'
import { keyOf, nonceFor, siweMessage } from '../support/wallets.ts'
import { newWorkspace, newWorkspaceMember } from '../support/workspaces.ts'

const { app, database, instance, newSquat, read, verificationToken } = await openSquattedService()

const takeOver = async (at: TestApp, token: string) =>
  expect(leadsTo(await openBrowser(at).submit('/verify', { token, take_over: 'yes' }))).toEqual([
    303,
    '/verify?done=taken_over',
  ])

/** An instance whose transactions wait, until they are released, when the first one is reached. */
async function heldInstance() {
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const { storage } = database
  const slow = await instance({
    storage: {
      ...storage,
      async transaction(work) {
        reached.resolve()
        await released.promise
        return storage.transaction(work)
      },
    },
  })
  return { slow, reached, released }
}

describe('a request that was under way when the account was taken over', () => {
  /** What lasts if it is written after the takeover. */
  const WRITES: Readonly<
    Record<string, (slow: TestApp, squat: Squat) => Promise<() => Promise<LightMyRequestResponse>>>
  > = {
    'makes no API key':
      async (slow, { squatter }) =>
      () =>
        client(slow).as(squatter).post('/api-keys', { name: 'back' }),
    'replaces no API key': async (slow, { squatter }) => {
      const { id } = await newKey(app, squatter.headers)
      return () => client(slow).as(squatter).post(`/api-keys/${id}/regenerate`)
    },
    'creates no profile':
      async (slow, { squatter }) =>
      () =>
        client(slow).as(squatter).post('/profiles', { profile_type: 'product', username: newName() }),
    'links no wallet': async (slow, { squatter }) => {
      const message = siweMessage(keyOf(1), await nonceFor(app, { ...squatter.headers }))
      return () => client(slow).as(squatter).post('/auth/siwe/verify', { message, signature: '0x01' })
    },
    'sends no invitation': async (slow, { squatter, profileId, accomplice }) => {
      const body = { username: accomplice.account.username, role: 'admin' }
      return () => client(slow).as(squatter).post(`/profiles/${profileId}/team/invites`, body)
    },
    'joins no team': async (slow, { squatter, accomplice }) => {
      const acme = await newOrganization(app, accomplice)
      const invited = await accomplice.post(`${acme.team}/invites`, {
        username: squatter.account.username,
        role: 'admin',
      })
      return () => client(slow).as(squatter).post(`/team/invites/${invited.json().id}/accept`)
    },
    'grants nothing by hand': async (slow, { squatter, profileId }) => {
      const body = { profile_id: profileId, tier: 'reader', payer_wallet: 'wallet:late', payer_network: 'cash:test' }
      return () => client(slow).as(squatter).post('/manage/entitlements', body)
    },
    'subscribes no webhook':
      async (slow, { squatter }) =>
      () =>
        client(slow)
          .as(squatter)
          .post('/eep/subscribe', {
            source_did: didOf(squatter),
            event_types: ['*'],
            delivery_method: 'webhook',
            delivery_url: 'https://receiver.example/events',
          }),
    'imports no profile':
      async (slow, { squatter }) =>
      () =>
        sendArchive(slow, squatter, [fileOf('an archive', 'export.zip')]),
    'follows no profile':
      async (slow, { squatter, accomplice }) =>
      () =>
        client(slow).as(squatter).post(`/connections/u/${accomplice.account.username}`),
    'changes no password':
      async (slow, { squatter }) =>
      () =>
        client(slow)
          .as(squatter)
          .put('/auth/change-password', { current_password: PASSWORD, new_password: OWNERS_PASSWORD }),
    'does not sign in':
      async (slow, { email }) =>
      () =>
        login(slow, email),
  }

  it.each(Object.entries(WRITES))('%s', async (_what, prepare) => {
    const squat = await newSquat()
    const token = await verificationToken(squat)
    const { slow, reached, released } = await heldInstance()
    const request = (await prepare(slow, squat))()
    await reached.promise
    await takeOver(app, token)
    released.resolve()
    expect((await request).statusCode).toBe(401)
    expect(await read.apiKeys.listOfAccount(squat.id)).toEqual([])
    expect(await read.wallets.listOfAccount(squat.id)).toEqual([])
    expect((await read.invitations.list(squat.profileId, { limit: 9 })).total).toBe(0)
    expect((await read.grants.list({ profileId: squat.profileId, active: true }, { limit: 9 })).total).toBe(0)
    expect((await read.sessions.listOfAccount(squat.id, new Date(), { limit: 9 })).total).toBe(0)
    expect(await read.accounts.getPasswordHash(squat.id)).toBeNull()
  })

  it.skipIf(onPglite())('leaves no invitation that an admin of their workspace sends meanwhile', async () => {
    const squat = await newSquat()
    const token = await verificationToken(squat)
    const workspace = await newWorkspace(app, squat.squatter)
    const [admin, guest] = [await newWorkspaceMember(app, workspace, 'admin'), await signUp(app)]
    const body = { username: guest.account.username, role: 'admin' }
    const { storage } = database
    const held = await instance({
      storage: {
        ...storage,
        transaction: (work) =>
          storage.transaction((tx) => {
            const workspaceMembers: typeof tx.workspaceMembers = {
              ...tx.workspaceMembers,
              async deleteOfAccount(id) {
                await ok(admin.post(`${workspace.path}/invites`, body))
                return tx.workspaceMembers.deleteOfAccount(id)
              },
            }
            return work({ ...tx, workspaceMembers })
          }),
      },
    })
    await takeOver(held, token)
    expect((await guest.get('/workspaces/invites')).json().data).toEqual([])
  })

  it.each(['a takeover', 'a new password'])(
    'does not own the address by a password that %s ended meanwhile',
    async (what) => {
      const squat = await newSquat()
      const token = await verificationToken(squat)
      const { slow, reached, released } = await heldInstance()
      const proof = openBrowser(slow).submit('/verify', { token, password: PASSWORD })
      await reached.promise
      if (what === 'a takeover') await takeOver(app, token)
      else {
        const change = { current_password: PASSWORD, new_password: OWNERS_PASSWORD }
        expect((await squat.squatter.put('/auth/change-password', change)).statusCode).toBe(200)
      }
      released.resolve()
      expect((await proof).statusCode).toBe(what === 'a takeover' ? 400 : 401)
      expect((await read.accounts.get(squat.id))?.emailOwned).toBe(what === 'a takeover')
    },
  )
})
