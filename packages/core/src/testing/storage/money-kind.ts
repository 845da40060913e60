import assert from 'node:assert/strict'
import type { MoneyKind, StoredMoney } from '../../ports/money-kind.ts'
import { casesFor } from './bench.ts'

const KINDS: readonly MoneyKind[] = ['sandbox', 'test', 'real']
const CALLS = 12

export const moneyKindCases = casesFor([], (it, bench) => {
  it('is bound to one kind of money, by one of concurrent first calls that saw what is stored', async () => {
    const network = 'eip155:84532'
    await bench.account()
    await bench.claim({ payer: { wallet: '0x01', network } })
    const seen: StoredMoney[] = []
    const undecided = (stored: StoredMoney): never => {
      seen.push(stored)
      throw new Error('undecided')
    }
    await assert.rejects(bench.storage.bindMoneyKind(undecided), /undecided/)
    assert.equal(seen[0]?.hasAccounts, true)
    assert.ok((seen[0]?.payments[network] ?? 0) > 0)

    let decisions = 0
    const bind = (kind: MoneyKind) =>
      bench.storage.bindMoneyKind(() => {
        decisions += 1
        return kind
      })
    // All connections are open, so that the calls begin together.
    await Promise.all(
      Array.from({ length: CALLS }, () => bench.storage.bindMoneyKind(undecided).catch(() => undefined)),
    )
    const kinds = Array.from({ length: CALLS }, (_, index) => KINDS[index % KINDS.length] as MoneyKind)
    const bound = await Promise.all(kinds.map(bind))
    assert.equal(new Set(bound).size, 1)
    assert.equal(decisions, 1)
    for (const kind of KINDS) assert.equal(await bind(kind), bound[0])
    assert.equal(decisions, 1)
  })
})
