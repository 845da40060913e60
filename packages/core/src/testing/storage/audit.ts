import assert from 'node:assert/strict'
import type { NewAuditEntry } from '../../ports/storage/audit.ts'
import { eraseAccount } from '../erase-account.ts'
import { freshName } from '../records.ts'
import { casesFor, ODD_JSON, present } from './bench.ts'

export const auditCases = casesFor(['audit'], (it, bench) => {
  const entry = (actorAccountId: string, changes: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
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
