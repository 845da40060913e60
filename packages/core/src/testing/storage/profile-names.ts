import assert from 'node:assert/strict'
import type { Profile } from '../../modules/profiles/store.ts'
import { freshName, newProfile } from '../records.ts'
import { type Bench, type Cases, present } from './bench.ts'

const AT = new Date('2026-03-01T00:00:00.000Z')
const LATER = new Date('2026-03-31T00:00:00.000Z')
const before = (date: Date) => new Date(date.getTime() - 1)

const change = (username: string) => ({ username, at: AT, keptUntil: LATER })

const named = async (bench: Bench, username: string, at = AT) => ({
  now: (await bench.read.profiles.getByUsername('person', username))?.id,
  once: (await bench.read.profiles.getByFormerName('person', username, at))?.id,
})

export const profileNameCases: Cases = (it, bench) => {
  const rename = (profile: Profile, username: string, at = AT, keptUntil = LATER) =>
    bench.write((tx) => tx.profiles.rename(profile.id, { username, at, keptUntil }))

  it('renames a profile and keeps the name it had until a moment', async () => {
    const made = await bench.profile()
    const username = freshName()
    const renamed = await rename(made, username)
    assert.deepEqual(renamed, { ...made, username, updatedAt: AT })
    assert.deepEqual(await bench.read.profiles.get(made.id), renamed)
    assert.deepEqual(await named(bench, username), { now: made.id, once: undefined })
    assert.deepEqual(await named(bench, made.username), { now: undefined, once: made.id })
    assert.deepEqual(await bench.read.profiles.getByFormerName('person', made.username, before(LATER)), renamed)
    assert.equal(await bench.read.profiles.getByFormerName('person', made.username, LATER), undefined)
    assert.equal(await bench.read.profiles.getByFormerName('place', made.username, AT), undefined)
    assert.deepEqual(await bench.read.profiles.listFormerNames(made.id, AT), [made.username])
    assert.deepEqual(await bench.read.profiles.listFormerNames(made.id, LATER), [])
    assert.deepEqual(await bench.read.profiles.listTypesOf(made.username, AT), ['person'])
    assert.deepEqual(await bench.read.profiles.listTypesOf(made.username, LATER), [])
    assert.equal(await bench.write((tx) => tx.profiles.rename(Number.MAX_SAFE_INTEGER, change(freshName()))), undefined)
  })

  it('gives a name that is kept to nobody else, and to everybody once it is kept no more', async () => {
    const made = await bench.profile()
    const other = await bench.profile()
    await rename(made, freshName())
    const { ownerAccountId, username } = made
    const insert = (createdAt: Date, type: Profile['type'] = 'person') =>
      bench.write((tx) => tx.profiles.insert(newProfile(ownerAccountId, { username, type, createdAt })))
    assert.equal(await insert(before(LATER)), undefined)
    assert.equal(await rename(other, username), undefined)
    assert.deepEqual(await bench.read.profiles.get(other.id), other)
    assert.ok(await insert(AT, 'place'), 'another type has names of its own')
    const taken = present(await insert(LATER))
    assert.deepEqual(await named(bench, username), { now: taken.id, once: made.id })
    await rename(taken, freshName(), LATER, new Date(LATER.getTime() + 1_000))
    assert.deepEqual(await named(bench, username, LATER), { now: undefined, once: taken.id })
  })

  it('gives a profile a name back that was kept for it', async () => {
    const made = await bench.profile()
    const username = freshName()
    await rename(made, username)
    assert.equal((await rename(made, made.username))?.username, made.username)
    assert.deepEqual(await named(bench, made.username), { now: made.id, once: undefined })
    assert.deepEqual(await bench.read.profiles.listFormerNames(made.id, AT), [username])
    assert.equal((await rename(made, made.username))?.username, made.username, 'the name it has is no change')
    assert.deepEqual(await bench.read.profiles.listFormerNames(made.id, AT), [username])
  })

  it('does not take a name that another profile of the type has', async () => {
    const [made, other] = [await bench.profile(), await bench.profile()]
    const agent = await bench.profile({ type: 'agent' })
    const outcome = await bench.write(async (tx) => {
      const renamed = await tx.profiles.rename(made.id, change(other.username))
      return { renamed, after: await tx.profiles.get(made.id) }
    })
    assert.deepEqual(outcome, { renamed: undefined, after: made })
    assert.deepEqual(await bench.read.profiles.listFormerNames(made.id, AT), [])
    assert.equal((await rename(made, agent.username))?.username, agent.username)
  })

  it('gives a name to the transaction that commits first, by whichever way', async () => {
    const [one, two] = [await bench.profile(), await bench.profile()]
    const username = freshName()
    const { first, others } = await bench.overlap(
      (tx) => tx.profiles.rename(one.id, change(username)),
      [
        (tx) => tx.profiles.rename(two.id, change(username)),
        (tx) => tx.profiles.insert(newProfile(one.ownerAccountId, { username, createdAt: AT })),
      ],
    )
    assert.equal(first?.username, username)
    assert.deepEqual(others, [undefined, undefined])
  })

  it('lets nobody take a name between its end and its being kept', async () => {
    const made = await bench.profile()
    const other = await bench.profile()
    const { username, ownerAccountId } = made
    const { others } = await bench.overlap(
      (tx) => tx.profiles.rename(made.id, change(freshName())),
      [
        (tx) => tx.profiles.insert(newProfile(ownerAccountId, { username, createdAt: AT })),
        (tx) => tx.profiles.rename(other.id, change(username)),
      ],
    )
    assert.deepEqual(others, [undefined, undefined])
    assert.deepEqual(await named(bench, username), { now: undefined, once: made.id })
  })

  it('frees the names that were kept for a profile with the profile', async () => {
    const made = await bench.profile()
    await rename(made, freshName())
    await bench.write((tx) => tx.profiles.delete(made.id))
    assert.deepEqual(await named(bench, made.username), { now: undefined, once: undefined })
    assert.ok(await bench.profile({ username: made.username, createdAt: AT }))
  })
}
