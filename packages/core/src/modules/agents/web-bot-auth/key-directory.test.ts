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
  it('runs four fetches at a time, and one for each host', async () => {
    const { find, running, endAll } = heldDirectory()
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) find(`https://${name}.example${name}.com/keys`)
    find('https://a.examplea.com/other')
    await settle()
    expect(running.map(({ url }) => new URL(url).hostname[0])).toEqual(['a', 'b', 'c', 'd'])
    await endAll()
    expect(running.map(({ url }) => url)).toEqual([
      'https://e.examplee.com/keys',
      'https://f.examplef.com/keys',
      'https://a.examplea.com/other',
    ])
  })

  it('refreshes signers that were verified before while others fill all places of their host and domain', async () => {
    const { directory, find, running, endAll, later } = heldDirectory()
    const known = find('https://known.com/keys')
    await settle()
    await endAll()
    expect(await foundOf(known)).toEqual({ is: 'found', key })
    directory.noteVerified(sourceAt('https://known.com/keys'))
    for (let index = 0; index < 60; index += 1) find(`https://${index}.known.com/keys`, `192.0.2.${index}`)
    for (let index = 0; index < 60; index += 1) find(`https://known.com/${index}`, `192.0.2.${index}`)
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

  it.each<[string, number, (index: number) => string]>([
    ['five of a host', 5, (index) => `https://slow.com/${index}`],
    ['five of the last three labels of hosts', 5, (index) => `https://${index}.slow.co.uk/keys`],
    ['half of all places for the last two', 25, (index) => `https://${index}.slow.com/keys`],
  ])('lets wait no more URLs than %s', async (_case, count, urlOf) => {
    const { find } = heldDirectory()
    const sought = Array.from({ length: 30 }, (_, index) => find(urlOf(index)))
    await settle()
    expect(sought.filter(({ is }) => is === 'pending')).toHaveLength(count)
  })

  it('asks a new signer below a public suffix while slow signers below it wait', async () => {
    const { find, running, endAll } = heldDirectory()
    for (let index = 0; index < 6; index += 1) find(`https://slow${index}.co.uk/keys`)
    const sought = find('https://honest.co.uk/keys')
    await settle()
    await endAll({ is: 'failed', timedOut: true })
    expect(running.map(({ url }) => url)).toContain('https://honest.co.uk/keys')
    await endAll()
    expect(await foundOf(sought)).toEqual({ is: 'found', key })
  })

  it('keeps a verified signer while the operator of another domain verifies any number of others', async () => {
    const { directory, find, running, endAll } = heldDirectory()
    const verify = async (url: string, address: string) => {
      const sought = find(url, address)
      await settle()
      await endAll()
      if ((await foundOf(sought)).is === 'found') directory.noteVerified(sourceAt(url))
    }
    await verify('https://known.com/keys', 'known')
    for (let index = 0; index < 1_200; index += 1) {
      const url = index % 2 ? `https://evil.com/keys?n=${index}` : `https://${index}.evil.com/keys`
      await verify(url, `client ${index}`)
    }
    expect(find('https://known.com/keys')).toEqual({ is: 'found', key })
    expect(running).toEqual([])
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
    find('https://slow.com/a')
    const waiting = find('https://slow.com/b')
    await settle()
    directory.close()
    expect(await foundOf(waiting)).toEqual({ is: 'unavailable' })
  })
})
