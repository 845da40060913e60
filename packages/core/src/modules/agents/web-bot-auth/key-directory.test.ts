import { describe, expect, it } from 'vitest'
import type { FetchedKeys } from './fetch-keys.ts'
import { createKeyDirectory, type SoughtKey } from './key-directory.ts'
import type { KeySource } from './key-source.ts'

const sourceAt = (url: string): KeySource => ({ url, identifier: url, origin: undefined, names: 'thumbprint' })
const key = {
  keyId: 'key-1',
  verifier: { algorithm: 'ed25519', verify: () => true },
  notBefore: 0,
  notAfter: Number.POSITIVE_INFINITY,
} as const
const fetched: FetchedKeys = { is: 'fetched', keys: new Map([[key.keyId, key]]), freshMs: 3_600_000 }
const settle = () => new Promise((done) => setImmediate(done))

/** A directory whose fetches the test ends. */
function heldDirectory() {
  let now = 1_000_000
  const running: { readonly url: string; end(result: FetchedKeys): void }[] = []
  const directory = createKeyDirectory({
    clock: () => new Date(now),
    fetchKeys: ({ url }) => new Promise((end) => void running.push({ url, end })),
  })
  return {
    directory,
    running,
    find: (url: string, address = url) => directory.find(sourceAt(url), key.keyId, address),
    later(ms: number) {
      now += ms
    },
    async endAll(result: FetchedKeys = fetched) {
      for (const { end } of running.splice(0)) end(result)
      await settle()
    },
  }
}
const foundOf = (sought: SoughtKey) => (sought.is === 'pending' ? sought.found : sought)

describe('a directory of keys', () => {
  it('runs four fetches at a time, and one for each domain', async () => {
    const { find, running, endAll } = heldDirectory()
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) find(`https://${name}.example${name}.com/keys`)
    find('https://other.examplea.com/keys')
    await settle()
    expect(running.map(({ url }) => new URL(url).hostname[0])).toEqual(['a', 'b', 'c', 'd'])
    await endAll()
    expect(running.map(({ url }) => new URL(url).hostname)).toEqual([
      'e.examplee.com',
      'f.examplef.com',
      'other.examplea.com',
    ])
  })

  it('refreshes signers that were verified before while other URLs hold all places', async () => {
    const { directory, find, running, endAll, later } = heldDirectory()
    const known = find('https://known.com/keys')
    await settle()
    await endAll()
    expect(await foundOf(known)).toEqual({ is: 'found', key })
    directory.noteVerified(sourceAt('https://known.com/keys'))
    for (const name of ['a', 'b', 'c', 'd', 'e']) find(`https://${name}.com/keys`)
    await settle()
    expect(running).toHaveLength(4)
    later(3_600_000)
    find('https://known.com/keys')
    await settle()
    expect(running.at(-1)?.url).toBe('https://known.com/keys')
  })

  it('is refreshed before its keys end, while they are used', async () => {
    const { find, running, endAll, later } = heldDirectory()
    find('https://known.com/keys')
    await settle()
    await endAll()
    later(3_000_000)
    expect(find('https://known.com/keys')).toEqual({ is: 'found', key })
    await settle()
    expect(running).toHaveLength(1)
  })

  it('refuses further URLs of a domain with many waiting', async () => {
    const { find, running } = heldDirectory()
    const sought = Array.from({ length: 8 }, (_, index) => find(`https://${index}.slow.com/keys`))
    await settle()
    expect(sought.filter(({ is }) => is === 'unavailable')).toHaveLength(3)
    expect(running).toHaveLength(1)
  })

  it('does not find a key outside of its time', async () => {
    const { find, endAll } = heldDirectory()
    const sought = find('https://early.com/keys')
    await settle()
    await endAll({ ...fetched, keys: new Map([[key.keyId, { ...key, notBefore: Number.MAX_SAFE_INTEGER }]]) })
    expect(await foundOf(sought)).toEqual({ is: 'missing' })
  })

  it('ends waiting requests when it is closed', async () => {
    const { directory, find } = heldDirectory()
    find('https://a.slow.com/keys')
    const waiting = find('https://b.slow.com/keys')
    await settle()
    directory.close()
    expect(await foundOf(waiting)).toEqual({ is: 'unavailable' })
  })
})
