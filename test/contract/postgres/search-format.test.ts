import { createEep } from '@eep/core'
import { search } from '@eep/core/search'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { onPglite } from '../../support/database.ts'
import { openPooledStorage, type PooledStorage } from '../../support/pooled-storage.ts'
import { untilIndexed } from '../../support/search.ts'
import { soon } from '../../support/wait.ts'

const SECRET = 'a secret of thirty-two characters or more'
let opened: PooledStorage

beforeAll(async () => {
  if (!onPglite()) opened = await openPooledStorage()
})
afterAll(() => opened?.close())

it.skipIf(onPglite())(
  'rebuilds an index of a release with another format, although that release marked it since',
  async () => {
    const { pool, storage } = opened
    const first = await createTestApp({ storage, search: { index: storage.search() } })
    await signUp(first.app, 'found')
    await untilIndexed(first.app)
    await first.close()
    const index = storage.search()
    expect(await index.stats()).toMatchObject({ documents: 1, isOutdated: false })
    // An instance of the previous release still held the lease after the migration: it stores its position, and no format.
    await pool.query('update eep.search_state set format = null, format_of = null')
    await pool.query('delete from eep.search_documents')
    await index.mark((await index.position()) ?? '')
    expect(await index.stats()).toMatchObject({ documents: 0, isOutdated: true })

    const upgraded = createEep({
      publicUrl: 'https://example.org',
      secret: SECRET,
      storage,
      modules: [search({ index })],
    })
    await upgraded.start()
    try {
      await soon(async () => expect(await index.stats()).toMatchObject({ documents: 1, isOutdated: false }))
    } finally {
      await upgraded.stop()
    }
  },
)

it.skipIf(onPglite())('does not take a rebuild by the previous release for one by this release', async () => {
  const { pool, storage } = opened
  const index = storage.search()
  await (await index.rebuild()).commit()
  expect(await index.stats()).toMatchObject({ isOutdated: false })
  await pool.query('update eep.search_state set live = live + 1')
  expect(await index.stats()).toMatchObject({ isOutdated: true })
})
