import { expect, it } from 'vitest'
import { createKeyring } from '../../../kernel/keyring.ts'
import type { AgentAccess } from '../../../model/agent.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { Write } from '../../../runtime/storage/guard.ts'
import { createAccessLog } from './access-log.ts'

type AgentRead = Extract<AgentAccess, { kind: 'read' }>

/** A log over a storage that fails a number of times. */
function createLog(failures = 0) {
  const emitted: string[] = []
  const errors: unknown[] = []
  const write: Write = async (work) => {
    if (failures > 0) {
      failures -= 1
      throw new Error('unavailable')
    }
    // The log uses no other store.
    const tx = { nonces: { claim: async () => true } } as unknown as Stores
    return work(tx, (event, data) => void emitted.push(`${event.type} ${(data as { agentDid: string }).agentDid}`))
  }
  const keyring = createKeyring(['a secret for tests, of thirty-two characters or more'])
  const log = createAccessLog({ write, clock: () => new Date(0), keyring, onError: (error) => void errors.push(error) })
  const access = { resource: 'profile', path: '/u/ada', verified: false, keyId: undefined }
  const read = (did: string, more: Partial<AgentRead> = {}) =>
    log.add({ ...access, kind: 'read', did, profileId: 1, ...more })
  const find = (did: string) => log.add({ ...access, kind: 'search', did, profileId: 1 })
  return { ...log, emitted, errors, read, find }
}

it('reports at most sixty agents of a profile a minute', async () => {
  const { read, flush, emitted } = createLog()
  for (let index = 0; index < 500; index += 1) read(`did:key:invented-${index}`)
  read('did:key:elsewhere', { profileId: 2 })
  await flush()
  expect(emitted).toHaveLength(61)
  expect(emitted).toContain('agents.resource_read did:key:elsewhere')
})

it('reports agents that signed or used an API key, however many names other agents claim', async () => {
  const { read, flush, emitted } = createLog()
  for (let index = 0; index < 500; index += 1) read(`did:key:invented-${index}`)
  read('did:key:signed', { verified: true })
  read('did:key:with-api-key', { keyId: 7 })
  await flush()
  const known = emitted.filter((each) => !each.includes('invented'))
  expect(known.toSorted()).toEqual(['agents.resource_read did:key:signed', 'agents.resource_read did:key:with-api-key'])
})

it('counts what an agent reads apart from what it finds', async () => {
  const { read, find, flush, emitted } = createLog()
  for (let index = 0; index < 500; index += 1) find(`did:key:invented-${index}`)
  for (const access of [find, read, read, find]) access('did:key:one')
  await flush()
  const found = emitted.filter((each) => each.startsWith('agents.resource_found'))
  expect(found).toHaveLength(60)
  expect(emitted.filter((each) => !found.includes(each))).toEqual(['agents.resource_read did:key:one'])
})

it('keeps what could not be stored, and stores it once', async () => {
  const { read, flush, emitted, errors } = createLog(1)
  read('did:key:one')
  await flush()
  expect([emitted, errors.length]).toEqual([[], 1])
  read('did:key:one')
  await flush()
  await flush()
  expect(emitted).toEqual(['agents.resource_read did:key:one'])
})

it('ignores names that are longer than DIDs are', async () => {
  const { read, flush, emitted } = createLog()
  read(`did:key:${'x'.repeat(600)}`)
  await flush()
  expect(emitted).toEqual([])
})
