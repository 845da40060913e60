import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Stores } from '../../ports/storage/storage.ts'
import { casesFor } from './bench.ts'
import { gateConfig } from './gate-config.ts'

export const gateCases = casesFor([], (it, bench) => {
  const put = (profileId: number, label: string) => (tx: Stores) =>
    tx.gates.put({
      profileId,
      config: gateConfig(label),
      changedBy: randomUUID(),
      updatedAt: new Date('2026-07-07T07:07:07.007Z'),
    })

  it('stores the configuration of a profile, and counts its versions', async () => {
    const { id: profileId } = await bench.profile()
    assert.equal(await bench.read.gates.get(profileId), undefined)
    const updatedAt = new Date('2026-07-07T07:07:07.007Z')
    const first = await bench.write((tx) =>
      tx.gates.put({ profileId, config: gateConfig(), changedBy: randomUUID(), updatedAt }),
    )
    assert.deepEqual(first, { profileId, config: gateConfig(), boundDids: {}, version: 1, updatedAt })
    assert.deepEqual(await bench.read.gates.get(profileId), first)

    const later = new Date('2026-07-08T00:00:00.000Z')
    const boundDids = { 'did:web:profiles.example:u:ada': 7, 'did:web:127.0.0.1%3A3000:o:demo': 8 }
    const second = await bench.write((tx) =>
      tx.gates.put({ profileId, config: gateConfig('new'), boundDids, changedBy: randomUUID(), updatedAt: later }),
    )
    assert.deepEqual(second, { profileId, config: gateConfig('new'), boundDids, version: 2, updatedAt: later })
    assert.deepEqual(await bench.read.gates.get(profileId), second)
  })

  it('counts each of many concurrent changes', async () => {
    const { id } = await bench.profile()
    const { first, others } = await bench.overlap(
      put(id, 'first'),
      ['a', 'b', 'c', 'd'].map((label) => put(id, label)),
    )
    assert.equal(first?.version, 1)
    assert.deepEqual(others.map(({ version }) => version).sort(), [2, 3, 4, 5])
    assert.equal((await bench.read.gates.get(id))?.version, 5)
  })

  it('separates the configurations of profiles', async () => {
    const [one, other] = [await bench.profile(), await bench.profile()]
    await bench.write(put(one.id, 'one'))
    await bench.write(put(other.id, 'other'))
    assert.equal((await bench.read.gates.get(one.id))?.config.tiers.reader?.label, 'one')
    assert.equal((await bench.read.gates.get(other.id))?.version, 1)
  })
})

export const gateVersionCases = casesFor(['gateVersions'], (it, bench) => {
  const put = (profileId: number, label: string) => (tx: Stores) =>
    tx.gates.put({
      profileId,
      config: gateConfig(label),
      changedBy: randomUUID(),
      updatedAt: new Date('2026-07-07T07:07:07.007Z'),
    })

  it('lists earlier versions, newest first, in pages', async () => {
    const { id: profileId, ownerAccountId: changedBy } = await bench.profile()
    const at = (day: number) => new Date(Date.UTC(2026, 6, day))
    for (const day of [1, 2, 3]) {
      await bench.write((tx) =>
        tx.gates.put({ profileId, config: gateConfig(`${day}`), changedBy, updatedAt: at(day) }),
      )
    }
    const version = (number: number) => ({
      profileId,
      version: number,
      bytes: Buffer.byteLength(JSON.stringify(gateConfig(`${number}`))),
      changedBy,
      changedAt: at(number),
    })
    const first = await bench.read.gateVersions.list(profileId, { limit: 2 })
    assert.deepEqual([first.items, first.total], [[version(3), version(2)], 3])
    const second = await bench.read.gateVersions.list(profileId, { limit: 2, cursor: first.nextCursor })
    assert.deepEqual([second.items, second.total, second.nextCursor], [[version(1)], 3, undefined])
    assert.equal((await bench.read.gateVersions.list((await bench.profile()).id, { limit: 2 })).total, 0)
    assert.deepEqual(await bench.read.gateVersions.get(profileId, 2), { ...version(2), config: gateConfig('2') })
    for (const number of [0, 4, Number.MAX_SAFE_INTEGER]) {
      assert.equal(await bench.read.gateVersions.get(profileId, number), undefined)
    }
  })

  it('deletes all but the newest versions, and never the current configuration', async () => {
    const [{ id }, other] = [await bench.profile(), await bench.profile()]
    for (const label of ['1', '2', '3', '4']) await bench.write(put(id, label))
    await bench.write(put(other.id, 'other'))
    const numbers = async (profileId: number) =>
      (await bench.read.gateVersions.list(profileId, { limit: 9 })).items.map(({ version }) => version)
    assert.equal(await bench.write((tx) => tx.gateVersions.prune(id, 4)), 0)
    assert.equal(await bench.write((tx) => tx.gateVersions.prune(id, 2)), 2)
    assert.deepEqual(await numbers(id), [4, 3])
    assert.equal(await bench.write((tx) => tx.gateVersions.prune(id, 0)), 1)
    assert.deepEqual(await numbers(id), [4])
    assert.equal((await bench.read.gates.get(id))?.version, 4)
    assert.deepEqual(await numbers(other.id), [1])
    assert.equal(await bench.write((tx) => tx.gateVersions.prune(Number.MAX_SAFE_INTEGER, 1)), 0)
    assert.equal((await bench.write(put(id, '5'))).version, 5)
  })
})
