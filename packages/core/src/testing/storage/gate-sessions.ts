import assert from 'node:assert/strict'
import type { Stores } from '../../ports/storage/storage.ts'
import { eraseAccount } from '../erase-account.ts'
import { casesFor } from './bench.ts'

const at = new Date('2001-06-06T06:06:06.006Z')
const later = (ms: number) => new Date(at.getTime() + ms)
const AGENT = 'did:key:zAgent'

export const gateSessionCases = casesFor(['gateSessions'], (it, bench) => {
  const revoking =
    (profileId: number, revokedAt: Date, agentDid = AGENT) =>
    (tx: Stores<'gateSessions'>) =>
      tx.gateSessions.revoke({ profileId, agentDid, revokedAt })
  const revokedAt = (profileId: number, agentDid = AGENT) => bench.read.gateSessions.getRevokedAt(profileId, agentDid)

  it('revokes the sessions of one agent at one profile', async () => {
    const [one, other] = [await bench.profile(), await bench.profile()]
    assert.equal(await revokedAt(one.id), undefined)
    assert.equal(await bench.write(revoking(one.id, at)), true)
    assert.deepEqual(await revokedAt(one.id), at)
    assert.deepEqual([await revokedAt(other.id), await revokedAt(one.id, 'did:key:zOther')], [undefined, undefined])
  })

  it('keeps the latest time of concurrent revocations', async () => {
    const { id } = await bench.profile()
    const made = await bench.overlap(revoking(id, later(2)), [revoking(id, later(3)), revoking(id, later(1))])
    assert.deepEqual([made.first, ...made.others], [true, true, true])
    assert.deepEqual(await revokedAt(id), later(3))
  })

  it('revokes nothing in a failed transaction or at a deleted profile', async () => {
    const { id, ownerAccountId } = await bench.profile()
    await bench.overlap(revoking(id, at), [], 'rollback')
    assert.equal(await revokedAt(id), undefined)
    await bench.write(revoking(id, at))
    await bench.write((tx) => eraseAccount(tx, ownerAccountId))
    assert.equal(await revokedAt(id), undefined)
    assert.equal(await bench.write(revoking(id, at)), false)
  })

  it('deletes old revocations, a limited number at a time', async () => {
    const { id } = await bench.profile()
    const agents = ['did:key:za', 'did:key:zb', 'did:key:zc']
    for (const agent of agents) await bench.write(revoking(id, at, agent))
    await bench.write(revoking(id, later(9)))
    const prune = () => bench.write((tx) => tx.gateSessions.prune(later(5), 2))
    const deleted = [await prune(), await prune()]
    for (let more = deleted.at(-1); more === 2; ) more = await prune()
    assert.equal(deleted[0], 2)
    assert.deepEqual(await Promise.all(agents.map((agent) => revokedAt(id, agent))), [undefined, undefined, undefined])
    assert.deepEqual(await revokedAt(id), later(9))
  })
})
