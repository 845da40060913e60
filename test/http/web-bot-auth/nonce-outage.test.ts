import type { OptionalGroup, Storage } from '@eep/core/ports'
import { storageUnavailable } from '@eep/core/ports'
import { afterAll, expect, it } from 'vitest'
import { createTestApp, openStorage } from '../../support/app.ts'
import { botModule } from '../../support/bot-module.ts'
import { client } from '../../support/client.ts'
import { newSigningKey, openDirectory, signedHeaders } from '../../support/signers.ts'

const key = await newSigningKey()
const directory = await openDirectory([key])
const database = await openStorage()
afterAll(() => Promise.all([directory.close(), database.close()]))

it('gives no access by identity while nonces cannot be stored, and everything else', async () => {
  let isDown = false
  const storage: Storage<OptionalGroup> = {
    ...database.storage,
    transaction: (work) => (isDown ? Promise.reject(storageUnavailable()) : database.storage.transaction(work)),
  }
  const hosts = { http: { allowPrivateHosts: [directory.host] } }
  const { app, close } = await createTestApp({ storage, modules: [botModule()], ...hosts })
  isDown = true
  const headers = await signedHeaders({ key, agent: directory.origin })
  const refused = await client(app).get('/shown-bots/granted/page', headers)
  expect([refused.statusCode, refused.json().error.code]).toEqual([503, 'storage_unavailable'])
  expect((await client(app).get('/shown-bots/settled', headers)).json().bot).toMatchObject({ state: 'verified' })
  isDown = false
  expect((await client(app).get('/shown-bots/granted/page', headers)).json().bot).toMatchObject({ state: 'verified' })
  await close()
})
