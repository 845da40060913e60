import { postgresStorage } from '@eep/adapters-postgres'
import { eep as eepPlugin } from '@eep/core'
import { everything } from '@eep/core/everything'
import type { SearchIndex } from '@eep/core/ports'
import Fastify from 'fastify'
import { Pool } from 'pg'
import { obeyTest, reach } from './crash-points.ts'
import { PATIENT } from './patient-search.ts'

/**
 * A host that dies at a point of indexing a document with `MARKER` in its title: a separate process on the database of
 * `DATABASE_URL`. It prints its address. The test may change `DIE_AT` and `MARKER` later.
 */
const storage = postgresStorage({ pool: new Pool({ connectionString: process.env.DATABASE_URL }) })
const index = storage.search(PATIENT)
let isMarkerPut = false

const crashing: SearchIndex = {
  ...index,
  async put(documents) {
    const { MARKER: marker = '' } = process.env
    const hasMarker = marker !== '' && documents.some(({ title }) => title.includes(marker))
    if (hasMarker) await reach('before the index has it')
    await index.put(documents)
    isMarkerPut ||= hasMarker
    if (hasMarker) await reach('when the index has it')
  },
  async mark(position) {
    await index.mark(position)
    if (isMarkerPut) await reach('before the log is moved past it')
  },
}

obeyTest()
const app = Fastify()
await app.register(eepPlugin, {
  publicUrl: 'https://profiles.example',
  secret: 'a secret for tests, of thirty-two characters or more',
  storage,
  modules: everything({ search: { index: crashing } }),
  limits: { rateLimit: { multiplier: 1_000 } },
  auth: { passwordHashing: { memoryKiB: 1_024 } },
})
process.stdout.write(`listening on ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
