import assert from 'node:assert/strict'
import { newIdentity, newPasskey } from '../records.ts'
import { casesFor } from './bench.ts'

export const groupsWithDataCases = casesFor(['identities', 'passkeys'], (it, bench) => {
  it('names a group of some once it has data, and no other group', async () => {
    const { id } = await bench.account()
    await bench.write((tx) => tx.passkeys.insert(newPasskey(id), 20))
    const found = await bench.storage.groupsWithData?.(['passkeys'])
    if (!found) return
    assert.deepEqual(found, ['passkeys'])
    await bench.write((tx) => tx.identities.insert(newIdentity(id)))
    assert.deepEqual(await bench.storage.groupsWithData?.(['passkeys', 'identities']), ['passkeys', 'identities'])
    assert.deepEqual(await bench.storage.groupsWithData?.([]), [])
  })
})
