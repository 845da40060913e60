import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { newRegistration, type SignedUp } from '../../support/accounts.ts'
import { createMigratedDatabase } from '../../support/app.ts'
import { startCrashHost } from '../../support/crash-host.ts'
import { onPglite } from '../../support/database.ts'
import type { Results } from '../../support/search.ts'
import { soon } from '../../support/wait.ts'

const POINTS = [
  ['before the index has it', 'quillwort'],
  ['when the index has it', 'spikemoss'],
  ['before the log is moved past it', 'bladderfern'],
] as const

/** Two processes, one after the other, need a database that both can open. */
describe.skipIf(onPglite())('a page of a host that is killed', () => {
  let database: Awaited<ReturnType<typeof createMigratedDatabase>>
  let sql: Client
  /** The host that was started again in the case before: it is the next to die. */
  let restarted: Awaited<ReturnType<typeof startCrashHost>> | undefined
  beforeAll(async () => {
    database = await createMigratedDatabase()
    sql = new Client({ connectionString: database.connectionString })
    await sql.connect()
  })
  afterAll(async () => {
    await restarted?.kill()
    await sql.end()
    await database.drop()
  })

  const start = () => startCrashHost({ DATABASE_URL: database.connectionString }, './search-host.ts')

  const count = async (query: string, word: string) => Number((await sql.query(query, [word])).rows[0]?.count ?? 0)

  async function send<Answer>(url: string, body: object, headers = {}): Promise<Answer> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as Answer
  }

  it.each(POINTS)(
    'is found once after the restart, when it was killed %s',
    async (point, word) => {
      const doomed = restarted ?? (await start())
      restarted = undefined
      onTestFinished(doomed.kill)
      await doomed.change({ DIE_AT: point, MARKER: word })
      const { url, exited } = doomed
      const { token, user } = await send<{ token: string; user: SignedUp }>(
        `${url}/auth/register`,
        newRegistration(`writer-${POINTS.findIndex(([, each]) => each === word)}`),
      )
      // Dead processes keep their lease for half a minute.
      await sql.query('update eep.followers set lease_until = now()')
      // The first host fills the index, in which the page would be whatever becomes of the log.
      await soon(async () => {
        const { rows } = await sql.query('select position, building from eep.search_state')
        expect(rows).toEqual([{ position: expect.any(String), building: null }])
      })
      const page = { profile_id: user.active_profile_id, title: `The ${word}`, body: 'Text', status: 'published' }
      // Whether the answer arrives is not known.
      await send(`${url}/manage/pages`, page, { authorization: `Bearer ${token}` }).catch(() => undefined)
      await exited

      restarted = await start()
      const { url: again } = restarted
      await sql.query('update eep.followers set lease_until = now()')
      const found = await soon(async () => {
        const response = await fetch(`${again}/search?q=${word}&scope=pages&format=json`)
        const { data } = (await response.json()) as Results
        expect(data).toHaveLength(1)
        return data
      })
      expect(found[0]).toMatchObject({ title: `The ${word}`, matched: ['keyword'] })
      expect(await count('select count(*) from eep.search_documents where title like $1', `The ${word}`)).toBe(1)
      expect(await count('select documents as count from eep.search_words where word = $1', word)).toBe(1)
    },
    600_000,
  )
})
