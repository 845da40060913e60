import { expect, it } from 'vitest'
import { createTestApp, openStorage } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter } from '../support/content.ts'
import { countedStorage } from '../support/counted-storage.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { LONG } from '../support/wait.ts'

it('reads an open file, its profile and its gate once each while nothing is cached', async () => {
  const database = await openStorage()
  const { calls, storage, breakLog } = countedStorage(database.storage)
  const test = await createTestApp({ storage })
  const ada = await createWriter(test.app, 'ada')
  const sent = await upload(test.app, [field('username', 'ada'), fileOf('some bytes')], ada.headers)
  const read = async () => {
    calls.length = 0
    expect((await client(test.app).get(`/files/${sent.json().id}`)).statusCode).toBe(200)
    return calls.filter((call) => /^(files|profiles|gates)\./.test(call)).toSorted()
  }
  // Cached values are not read again.
  await expect.poll(read, LONG).toEqual([])
  breakLog()
  await expect.poll(async () => (await read()).length, LONG).toBeGreaterThan(0)
  expect(await read()).toEqual(['files.get', 'gates.get', 'profiles.get'])
  await test.close()
  await database.close()
})
