import assert from 'node:assert/strict'
import type { CatalogueFilter, PricedOffer, PricedRow } from '../../ports/storage/priced-resources.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import { freshName } from '../records.ts'
import { casesFor, ODD_TEXT, present } from './bench.ts'
import { gateConfig } from './gate-config.ts'

const at = new Date('2026-08-08T08:08:08.008Z')
const MANY = 1_000

/** An offer of a page for the catalogue. */
export const newPricedOffer = (changes: Partial<PricedOffer> = {}): PricedOffer => ({
  kind: 'page',
  resource: 'content.notes.engines',
  path: '/u/ada/content/notes/engines',
  currency: 'usdc',
  amount: '0.05',
  networks: ['eip155:84532'],
  assets: ['0x036CbD53842c5426634e7929541eC2318f3dCF7e'],
  payTo: [`wallet:${freshName()}`],
  updatedAt: at,
  ...changes,
})

export const pricedCatalogueCases = casesFor(['pricedResources'], (it, bench) => {
  const nextSequence = () => bench.write((tx) => tx.pricedResources.nextSequence())
  const put = (rows: readonly PricedRow[], sequence: number) =>
    bench.write((tx) => tx.pricedResources.put(rows, sequence))
  const finish = (profileId: number, sequence: number, limit = MANY) =>
    bench.write((tx) => tx.pricedResources.finish(profileId, sequence, limit))
  const request = (...ids: readonly number[]) => bench.write((tx) => tx.pricedResources.request(ids))
  const rowOf = ({ id }: Pick<Profile, 'id'>, key: string, changes?: Partial<PricedOffer>): PricedRow => ({
    profileId: id,
    key,
    offer: newPricedOffer({ resource: `content.${key}`, ...changes }),
  })
  const gone = ({ id }: Pick<Profile, 'id'>, key: string): PricedRow => ({ profileId: id, key, offer: null })
  const keysOf = async (
    profileId: number,
    {
      limit = 100,
      offset = 0,
      ...filter
    }: CatalogueFilter & { readonly limit?: number; readonly offset?: number } = {},
  ) =>
    (await bench.read.pricedResources.listOffers({ filter: { profileId, ...filter }, limit, offset })).map(
      ({ key }) => key,
    )
  const isRequested = async (id: number) => (await bench.read.pricedResources.listRequested(100_000)).includes(id)

  it('lists the resources that were updated last first, in pages, and counts them', async () => {
    const profile = await bench.profile()
    const second = (n: number) => new Date(at.getTime() + n * 1_000)
    await put(
      [
        rowOf(profile, 'old', { updatedAt: second(1) }),
        rowOf(profile, 'b', { updatedAt: second(2) }),
        rowOf(profile, 'a', { updatedAt: second(2), kind: 'file', resource: 'files.f8' }),
        rowOf(profile, 'new', { updatedAt: second(3) }),
      ],
      await nextSequence(),
    )
    const { id } = profile
    const listed = await bench.read.pricedResources.listOffers({ filter: { profileId: id }, limit: 10, offset: 0 })
    const keys = listed.map(({ key }) => key)
    assert.deepEqual([keys[0], new Set(keys.slice(1, 3)), keys[3]], ['new', new Set(['a', 'b']), 'old'])
    assert.deepEqual(
      listed.find(({ key }) => key === 'a'),
      { profileId: id, key: 'a', kind: 'file', resource: 'files.f8' },
    )
    assert.deepEqual(await keysOf(id, { limit: 2, offset: 1 }), keys.slice(1, 3))
    assert.deepEqual(await keysOf(id, { offset: 1_000_000 }), [])
    assert.equal(await bench.read.pricedResources.countOffers({ profileId: id }), 4)
  })

  it('finds resources by network, receiver and key, and nothing by texts that none can have', async () => {
    const profile = await bench.profile()
    const [receiver, key, other] = [`0x${freshName()}`.toLowerCase(), freshName(), freshName()]
    await put(
      [
        rowOf(profile, key, { networks: ['eip155:8453', 'eip155:137'], payTo: [receiver] }),
        rowOf(profile, other, { networks: [ODD_TEXT] }),
      ],
      await nextSequence(),
    )
    const { id } = profile
    assert.deepEqual(await keysOf(id, { network: 'eip155:137' }), [key])
    assert.deepEqual(await keysOf(id, { network: ODD_TEXT }), [other])
    assert.deepEqual(await keysOf(id, { payTo: receiver }), [key])
    assert.deepEqual(await keysOf(id, { payTo: receiver, network: ODD_TEXT }), [])
    for (const text of ['!!!', '{}', '%', 'a\0b', '']) {
      assert.deepEqual(await keysOf(id, { network: text }), [], JSON.stringify(text))
      assert.equal(await bench.read.pricedResources.countOffers({ payTo: text }), 0, JSON.stringify(text))
    }
    const found = await bench.read.pricedResources.findOffers([key, other, 'none'], { network: 'eip155:8453' })
    assert.deepEqual(
      found.map((each) => each.key),
      [key],
    )
    assert.deepEqual(await bench.read.pricedResources.findOffers([], {}), [])
  })

  it('lists tools alone, or everything else', async () => {
    const profile = await bench.profile()
    await put(
      [rowOf(profile, 'page_1'), rowOf(profile, 'tool_draw', { kind: 'tool', resource: 'tools.draw' })],
      await nextSequence(),
    )
    const { id } = profile
    assert.deepEqual(await keysOf(id, { isTool: true }), ['tool_draw'])
    assert.deepEqual(await keysOf(id, { isTool: false }), ['page_1'])
    assert.equal(await bench.read.pricedResources.countOffers({ profileId: id, isTool: true }), 1)
    const found = await bench.read.pricedResources.findOffers(['tool_draw'], { profileId: id, isTool: false })
    assert.deepEqual(found, [])
  })

  it('keeps the state with the higher sequence, whichever is stored first', async () => {
    const profile = await bench.profile()
    const { id } = profile
    const [older, newer] = [await nextSequence(), await nextSequence()]
    assert.ok(newer > older)
    await put([rowOf(profile, 'kept', { networks: ['new:1'] })], newer)
    await put([rowOf(profile, 'kept', { networks: ['old:1'] }), rowOf(profile, 'other')], older)
    assert.deepEqual(await keysOf(id, { network: 'new:1' }), ['kept'])
    assert.deepEqual(new Set(await keysOf(id)), new Set(['kept', 'other']))
    await put([gone(profile, 'kept')], newer)
    await put([rowOf(profile, 'kept')], older)
    assert.deepEqual(await keysOf(id), ['other'])
    await put([rowOf(profile, 'kept')], await nextSequence())
    assert.deepEqual(new Set(await keysOf(id)), new Set(['kept', 'other']))
  })

  it('keeps that a resource is not for sale against an older state that was not stored yet', async () => {
    const profile = await bench.profile()
    await request(profile.id)
    const [older, newer] = [await nextSequence(), await nextSequence()]
    await put([gone(profile, 'page_1')], newer)
    await put([rowOf(profile, 'page_1')], older)
    assert.deepEqual(await keysOf(profile.id), [])
  })

  it('stores nothing of a profile that sells nothing and was never requested', async () => {
    const profile = await bench.profile()
    await put([gone(profile, 'page_1')], await nextSequence())
    const candidates = await bench.read.pricedResources.listCandidates({ after: profile.id - 1, limit: 1 })
    assert.notEqual(candidates[0], profile.id)
  })

  it('ends the listing of a profile: deletes older states in parts, and accepts none after it', async () => {
    const [profile, other] = [await bench.profile(), await bench.profile()]
    const [first, second, third] = [await nextSequence(), await nextSequence(), await nextSequence()]
    await put(['a', 'b', 'c'].map((key) => rowOf(profile, key)).concat(rowOf(other, 'a')), first)
    await put([rowOf(profile, 'new')], second)
    await put([rowOf(profile, 'newest')], third)
    assert.equal(await finish(profile.id, second, 2), false)
    assert.equal(await finish(profile.id, second, 2), true)
    assert.deepEqual(new Set(await keysOf(profile.id)), new Set(['new', 'newest']))
    await put([rowOf(profile, 'late')], first)
    assert.equal(await finish(profile.id, first), true)
    await put([rowOf(profile, 'later')], first)
    assert.deepEqual(new Set(await keysOf(profile.id)), new Set(['new', 'newest']))
    assert.deepEqual(await keysOf(other.id), ['a'])
  })

  it('keeps the requests of profiles until a later listing has ended', async () => {
    const [one, other] = [await bench.profile(), await bench.profile()]
    const before = await nextSequence()
    await request(one.id)
    await request(other.id)
    const requested = await bench.read.pricedResources.listRequested(100_000)
    assert.ok(requested.indexOf(one.id) < requested.indexOf(other.id))
    await finish(one.id, before)
    assert.equal(await isRequested(one.id), true)
    const during = await nextSequence()
    await request(one.id)
    await finish(one.id, during)
    assert.equal(await isRequested(one.id), true)
    await put([rowOf(one, 'a')], during)
    const last = await nextSequence()
    assert.equal(await finish(one.id, last, 1), false)
    assert.equal(await isRequested(one.id), true)
    assert.equal(await finish(one.id, last, 1), true)
    assert.equal(await isRequested(one.id), false)
    assert.equal(await isRequested(other.id), true)
  })

  it('lets the higher sequence win when a listing and a change overlap', async () => {
    const profile = await bench.profile()
    const { id } = profile
    await request(id)
    const [rebuild, event] = [await nextSequence(), await nextSequence()]
    await bench.overlap(
      (tx) => tx.pricedResources.put([rowOf(profile, 'gone'), rowOf(profile, 'page_2')], rebuild),
      [
        (tx) =>
          tx.pricedResources.put([gone(profile, 'gone'), rowOf(profile, 'page_2', { networks: ['new:1'] })], event),
      ],
    )
    assert.deepEqual(await keysOf(id), ['page_2'])
    assert.deepEqual(await keysOf(id, { network: 'new:1' }), ['page_2'])
    const [older, newer] = [await nextSequence(), await nextSequence()]
    await bench.overlap(
      (tx) => tx.pricedResources.put([rowOf(profile, 'page_2', { networks: ['new:2'] })], newer),
      [(tx) => tx.pricedResources.put([rowOf(profile, 'page_2', { networks: ['old:2'] })], older)],
    )
    assert.deepEqual(await keysOf(id, { network: 'new:2' }), ['page_2'])
  })

  it('lets the end of a newer listing win over states that an older one still stores', async () => {
    const profile = await bench.profile()
    const { id } = profile
    // The row of the profile exists before, so that only its lock makes the two wait for each other.
    await request(id)
    for (const first of ['put', 'finish'] as const) {
      const [older, newer] = [await nextSequence(), await nextSequence()]
      const putting = (tx: Parameters<Parameters<typeof bench.write>[0]>[0]) =>
        tx.pricedResources.put([rowOf(profile, 'stale')], older)
      const ending = async (tx: Parameters<Parameters<typeof bench.write>[0]>[0]) => {
        await tx.pricedResources.finish(id, newer, MANY)
      }
      await bench.overlap(first === 'put' ? putting : ending, [first === 'put' ? ending : putting])
      assert.deepEqual(await keysOf(id), [], first)
    }
  })

  it('names the profiles that may sell something: those with a gate that asks for a payment, and listed ones', async () => {
    const [selling, listed, free] = [await bench.profile(), await bench.profile(), await bench.profile()]
    const open_ = { default_tier: 'public', tiers: { public: { requirements: [], access: ['*'] } } }
    await bench.write(async (tx) => {
      const gate = { changedBy: selling.ownerAccountId, updatedAt: at }
      await tx.gates.put({ ...gate, profileId: selling.id, config: gateConfig() })
      await tx.gates.put({ ...gate, profileId: free.id, config: open_ })
    })
    await put([rowOf(listed, 'endpoint')], await nextSequence())
    const found = await bench.read.pricedResources.listCandidates({ after: selling.id - 1, limit: 100_000 })
    assert.deepEqual(
      found.filter((id) => [selling.id, listed.id, free.id].includes(id)),
      [selling.id, listed.id],
    )
    assert.deepEqual(await bench.read.pricedResources.listCandidates({ after: selling.id - 1, limit: 1 }), [selling.id])
    const among = async (...ids: readonly number[]) =>
      bench.read.pricedResources.listCandidates({ after: 0, limit: 10, among: ids })
    assert.deepEqual(await among(free.id, listed.id), [listed.id])
    assert.deepEqual(await among(free.id), [])
    assert.deepEqual(await among(), [])
  })

  it('deletes the resources of a profile with it, in the same transaction, and stores none of it later', async () => {
    const account = await bench.account()
    const profile = await bench.profile({ ownerAccountId: account.id })
    const sequence = await nextSequence()
    await put([rowOf(profile, 'page_1')], sequence)
    await request(profile.id)
    await bench.write(async (tx) => {
      await tx.profiles.delete(profile.id)
      assert.equal(await tx.pricedResources.countOffers({ profileId: profile.id }), 0)
    })
    await put([rowOf(profile, 'page_1')], await nextSequence())
    await request(profile.id)
    assert.equal(await finish(profile.id, await nextSequence()), true)
    assert.equal(await bench.read.pricedResources.countOffers({ profileId: profile.id }), 0)
    assert.equal(await isRequested(profile.id), false)
  })

  it('stores nothing of a transaction that is rolled back, and never gives out its sequence again', async () => {
    const profile = await bench.profile()
    const { first } = await bench.overlap(
      async (tx) => {
        const sequence = await tx.pricedResources.nextSequence()
        await tx.pricedResources.put([rowOf(profile, 'page_1')], sequence)
        return sequence
      },
      [],
      'rollback',
    )
    assert.equal(first, undefined)
    assert.deepEqual(await keysOf(profile.id), [])
    const [one, two] = [await nextSequence(), await nextSequence()]
    assert.ok(two > one)
  })

  it('keeps the digest that was saved last', async () => {
    for (const digest of [freshName(), freshName()]) {
      await bench.write((tx) => tx.pricedResources.saveDigest(digest))
      assert.equal(present(await bench.read.pricedResources.digest()), digest)
    }
  })
})
