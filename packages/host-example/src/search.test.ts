import { makeParts, readConfig } from '@eep/core/host'
import { expect, it } from 'vitest'
import { host } from './host.ts'

const embedderOf = async (environment: Record<string, string>) =>
  (await makeParts(host, readConfig(host, environment), ['a secret'])).embedder
const URL = 'https://vectors.example/v1'

it('gives the vectors of a service a minimum similarity, so that a word that no page contains finds nothing', async () => {
  expect(await embedderOf({ EMBEDDINGS_URL: URL })).toMatchObject({ minSimilarity: 0.25 })
})

it('takes the minimum similarity of a service from its variable', async () => {
  const environment = { EMBEDDINGS_URL: URL, EMBEDDINGS_MIN_SIMILARITY: '0.4' }
  expect(await embedderOf(environment)).toMatchObject({ minSimilarity: 0.4 })
})
