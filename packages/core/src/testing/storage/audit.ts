import assert from 'node:assert/strict'
import type { NewAuditEntry } from '../../ports/storage/audit.ts'
import { eraseAccount } from '../erase-account.ts'
import { freshName } from '../records.ts'
import { casesFor, ODD_JSON, present } from './bench.ts'

export const auditCases = casesFor(['audit'], (it, bench) => {
  const entry = (actorAccountId: string | null, changes: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
    actorAccountId,
    action: 'pricing.changed',
    target: freshName('pricing/'),
    before: {},
    after: ODD_JSON,
    at: new Date('2026-03-03T03:03:03.003Z'),
    ...changes,
  })
  const append = (one: NewAuditEntry) => bench.write((tx) => tx.audit.append(one))

  it('lists the actions of administrators, newest first, in pages', async () => {
    const { id } = await bench.account()
    const target = freshName('pricing/')
    for (const action of ['first', 'second', 'third']) await append(entry(id, { target, action }))
    const page = await bench.read.audit.list({ target }, { limit: 2 })
    assert.deepEqual([page.total, page.items.map(({ action }) => action)], [3, ['third', 'second']])
    const rest = await bench.read.audit.list({ target }, { limit: 2, cursor: page.nextCursor })
    assert.deepEqual(
      rest.items.map(({ id: _, ...one }) => one),
      [entry(id, { target, action: 'first' })],
    )
    assert.equal(rest.nextCursor, undefined)
    assert.deepEqual((await bench.read.audit.list({ target: freshName() }, { limit: 2 })).items, [])
    assert.equal((await bench.read.audit.list({}, { limit: 1 })).total >= 3, true)
  })

  it('deletes the oldest entries from before a time, up to the given limit', async () => {
    const target = freshName('pricing/')
    // Earlier than every other entry of the cases.
    const at = (ms: number) => new Date(Date.UTC(1990, 0, 1) + ms)
    for (const ms of [3, 1, 4, 2]) await append(entry(null, { target, action: `at ${ms}`, at: at(ms) }))
    const prune = (before: Date) => bench.write((tx) => tx.audit.prune(before, 2))
    const left = async () =>
      (await bench.read.audit.list({ target }, { limit: 9 })).items.map(({ action }) => action).sort()
    assert.equal(await prune(at(1)), 0)
    assert.equal(await prune(at(4)), 2)
    assert.deepEqual(await left(), ['at 3', 'at 4'])
    assert.deepEqual([await prune(at(4)), await prune(at(4))], [1, 0])
    assert.deepEqual(await left(), ['at 4'])
  })

  it('keeps actions of the operator without an actor', async () => {
    const target = freshName('accounts/')
    await append(entry(null, { target }))
    const [acted] = (await bench.read.audit.list({ target }, { limit: 1 })).items
    assert.equal(present(acted).actorAccountId, null)
  })

  it('removes a deleted account from entries, as actor and as subject', async () => {
    const [actor, other] = [await bench.account(), await bench.account()]
    const [of, about] = [entry(actor.id), entry(other.id, { target: `accounts/${actor.id}`, before: { tier: 'pro' } })]
    await append(of)
    await append(about)
    await bench.write((tx) => eraseAccount(tx, actor.id))
    const [acted] = (await bench.read.audit.list({ target: of.target }, { limit: 1 })).items
    assert.equal(present(acted).actorAccountId, null)
    assert.equal((await bench.read.audit.list({ target: about.target }, { limit: 1 })).total, 0)
    const [erased] = (await bench.read.audit.list({ target: 'accounts/erased' }, { limit: 1 })).items
    const { actorAccountId, before, after } = present(erased)
    assert.deepEqual([actorAccountId, before, after], [other.id, {}, {}])
  })
})
