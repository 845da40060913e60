import { Client } from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { createMigratedDatabase, createTestApp } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { createWriter } from '../../support/content.ts'
import { onPglite } from '../../support/database.ts'
import { pathsOf, searchUrl } from '../../support/search.ts'

/** Of transactions that overlap, PGlite has none. */
describe.skipIf(onPglite())('a search with consistency=strong', () => {
  it('waits for a change that is committed while an older transaction is open', async () => {
    const { app, close } = await createTestApp({ withSearch: true })
    const database = await createMigratedDatabase()
    const older = new Client({ connectionString: database.connectionString })
    await older.connect()
    afterAll(async () => {
      await older.end()
      await Promise.all([close(), database.drop()])
    })
    const writer = await createWriter(app)
    await pathsOf(app, 'quillwort')

    // The order of events is not known before it ends, in whichever database of the server it is.
    await older.query('begin')
    await older.query('select pg_current_xact_id()')
    const page = await writer.newPage({ title: 'Quillwort' })
    let isAnswered = false
    const searching = client(app)
      .get(searchUrl('quillwort'), { accept: 'application/json' })
      .finally(() => {
        isAnswered = true
      })
    for (let count = 0; count < 5; count += 1) await client(app).get('/search?q=quillwort')
    expect(isAnswered).toBe(false)
    await older.query('commit')
    expect((await searching).statusCode).toBe(200)
    expect(await pathsOf(app, 'quillwort')).toEqual([page.path])
  })
})
