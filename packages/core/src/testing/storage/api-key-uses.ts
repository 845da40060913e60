import assert from 'node:assert/strict'
import type { ApiKey, CountedUse } from '../../ports/storage/api-keys.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { newApiKey } from '../records.ts'
import { casesFor, HOUR, present } from './bench.ts'

const DAY = 24 * HOUR

const add =
  (...uses: CountedUse[]) =>
  (tx: Stores<'apiKeys'>) =>
    tx.apiKeys.addUses(uses)

export const apiKeyUseCases = casesFor(['apiKeys'], (it, bench) => {
  const made = async (accountId?: string): Promise<ApiKey> => {
    const key = newApiKey(accountId ?? (await bench.account()).id)
    return present(await bench.write((tx) => tx.apiKeys.insert(key)))
  }
  const usageOf = async ({ id, accountId }: ApiKey) => {
    const keys = await bench.read.apiKeys.listOfAccount(accountId)
    return present(keys.find((key) => key.id === id)).usage
  }
  const ago = (ms: number) => new Date(Date.now() - ms)

  it('counts uses per day, per month and in total', async () => {
    const [key, other] = [await made(), await made()]
    const lastUsedAt = ago(1_000)
    const use = (count: number, at: Date) => ({ keyId: key.id, count, lastUsedAt: at })
    await bench.write(add(use(1, ago(2 * DAY)), use(2, lastUsedAt), { keyId: other.id, count: 50, lastUsedAt }))
    await bench.write(add(use(4, ago(23 * HOUR)), use(8, ago(20 * DAY)), use(16, ago(40 * DAY))))
    assert.deepEqual(await usageOf(key), { lastUsedAt, total: 31, last24h: 6, last30d: 15 })
    await bench.write(add(use(32, ago(60 * DAY))))
    await bench.write(add(use(64, ago(HOUR))))
    assert.deepEqual(await usageOf(key), { lastUsedAt, total: 127, last24h: 70, last30d: 79 })
    assert.deepEqual(await usageOf(other), { lastUsedAt, total: 50, last24h: 50, last30d: 50 })
  })

  it('ignores uses of deleted keys, and counts the others', async () => {
    const key = await made()
    const lastUsedAt = ago(0)
    await bench.write(add())
    await bench.write(
      add({ keyId: Number.MAX_SAFE_INTEGER, count: 1, lastUsedAt }, { keyId: key.id, count: 1, lastUsedAt }),
    )
    assert.equal((await usageOf(key)).total, 1)
  })

  it('loses no use when concurrent writers count keys in different orders', async () => {
    const { id: accountId } = await bench.account()
    const keys = await Promise.all([1, 2, 3, 4].map(() => made(accountId)))
    const lastUsedAt = ago(0)
    const uses = keys.map(({ id }) => ({ keyId: id, count: 1, lastUsedAt }))
    await bench.overlap(add(...uses), [add(...uses.toReversed()), add(...uses)])
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => bench.write(add(...(index % 2 ? uses : uses.toReversed())))),
    )
    for (const key of keys) assert.deepEqual(await usageOf(key), { lastUsedAt, total: 23, last24h: 23, last30d: 23 })
  })
})
