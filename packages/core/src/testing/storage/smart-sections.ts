import assert from 'node:assert/strict'
import type { SmartSection } from '../../ports/storage/smart-sections.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { eraseAccount } from '../erase-account.ts'
import { casesFor } from './bench.ts'
import { gateConfig } from './gate-config.ts'

const at = new Date('2026-08-08T08:08:08.008Z')

const section = (key: string, others: Partial<SmartSection> = {}): SmartSection => ({
  key,
  title: 'Zoë \u{1f680} "quoted"',
  body: 'Line one\n\nLine *two*',
  agentTypes: ['recruiter', 'general'],
  position: 3,
  visibility: 'public',
  ...others,
})

export const smartSectionCases = casesFor(['smartSections'], (it, bench) => {
  const putting = (profileId: number, sections: readonly SmartSection[]) => (tx: Stores<'smartSections'>) =>
    tx.smartSections.put({ profileId, sections, updatedAt: at })

  it('replaces all sections of a profile, in their order, and counts the versions', async () => {
    const { id: profileId } = await bench.profile()
    assert.equal(await bench.read.smartSections.get(profileId), undefined)
    const sections = [section('z'), section('a', { agentTypes: ['sales'], visibility: 'team', body: '' })]
    const first = await bench.write(putting(profileId, sections))
    assert.deepEqual(first, { profileId, sections, version: 1, updatedAt: at })
    assert.deepEqual(await bench.read.smartSections.get(profileId), first)
    const second = await bench.write(putting(profileId, []))
    assert.deepEqual(second, { profileId, sections: [], version: 2, updatedAt: at })
    assert.deepEqual(await bench.read.smartSections.get(profileId), second)
  })

  it('gives each of many concurrent changes a separate version', async () => {
    const { id } = await bench.profile()
    const { first, others } = await bench.overlap(
      putting(id, [section('first')]),
      ['a', 'b', 'c', 'd'].map((key) => putting(id, [section(key)])),
    )
    assert.equal(first?.version, 1)
    assert.deepEqual(others.map((each) => each?.version).sort(), [2, 3, 4, 5])
    assert.equal((await bench.read.smartSections.get(id))?.version, 5)
  })

  it('lists the sections of several profiles with their gates, without those of others', async () => {
    const [one, other, without] = [await bench.profile(), await bench.profile(), await bench.profile()]
    await bench.write(putting(one.id, [section('one')]))
    await bench.write(putting(other.id, [section('other')]))
    const found = await bench.read.smartSections.listOfProfiles([one.id, without.id])
    assert.deepEqual([...found], [[one.id, { sections: [section('one')], gates: null }]])
    const config = gateConfig()
    const changedBy = one.ownerAccountId
    await bench.write((tx) => tx.gates.put({ profileId: one.id, config, changedBy, updatedAt: at }))
    const gated = await bench.read.smartSections.listOfProfiles([one.id])
    assert.deepEqual(gated.get(one.id), { sections: [section('one')], gates: config })
    assert.equal((await bench.read.smartSections.listOfProfiles([])).size, 0)
  })

  it('stores no sections in a failed transaction or of a deleted profile', async () => {
    const { id, ownerAccountId } = await bench.profile()
    await bench.overlap(putting(id, [section('lost')]), [], 'rollback')
    assert.equal(await bench.read.smartSections.get(id), undefined)
    await bench.write(putting(id, [section('kept')]))
    assert.equal(await bench.write((tx) => eraseAccount(tx, ownerAccountId)), true)
    assert.equal(await bench.read.smartSections.get(id), undefined)
    assert.equal(await bench.write(putting(id, [section('late')])), undefined)
  })
})
