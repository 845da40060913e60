import assert from 'node:assert/strict'
import type { Stores } from '../../ports/storage.ts'
import type { Cases } from './bench.ts'
import { gateConfig } from './gate-config.ts'

export const gateCases: Cases = (it, bench) => {
  const put = (profileId: number, label: string) => (tx: Stores) =>
    tx.gates.put({ profileId, config: gateConfig(label), updatedAt: new Date('2026-07-07T07:07:07.007Z') })

  it('keeps the configuration of a profile and counts its changes', async () => {
    const { id: profileId } = await bench.profile()
    assert.equal(await bench.read.gates.get(profileId), undefined)
    const updatedAt = new Date('2026-07-07T07:07:07.007Z')
    const first = await bench.write((tx) => tx.gates.put({ profileId, config: gateConfig(), updatedAt }))
    assert.deepEqual(first, { profileId, config: gateConfig(), version: 1, updatedAt })
    assert.deepEqual(await bench.read.gates.get(profileId), first)

    const later = new Date('2026-07-08T00:00:00.000Z')
    const second = await bench.write((tx) => tx.gates.put({ profileId, config: gateConfig('new'), updatedAt: later }))
    assert.deepEqual(second, { profileId, config: gateConfig('new'), version: 2, updatedAt: later })
    assert.deepEqual(await bench.read.gates.get(profileId), second)
  })

  it('counts every change of many at once', async () => {
    const { id } = await bench.profile()
    const { first, others } = await bench.overlap(
      put(id, 'first'),
      ['a', 'b', 'c', 'd'].map((label) => put(id, label)),
    )
    assert.equal(first?.version, 1)
    assert.deepEqual(others.map(({ version }) => version).sort(), [2, 3, 4, 5])
    assert.equal((await bench.read.gates.get(id))?.version, 5)
  })

  it('keeps the configurations of profiles apart', async () => {
    const [one, other] = [await bench.profile(), await bench.profile()]
    await bench.write(put(one.id, 'one'))
    await bench.write(put(other.id, 'other'))
    assert.equal((await bench.read.gates.get(one.id))?.config.tiers.reader?.label, 'one')
    assert.equal((await bench.read.gates.get(other.id))?.version, 1)
  })
}
