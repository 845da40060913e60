import assert from 'node:assert/strict'
import type { Stores } from '../../ports/storage/storage.ts'
import { freshName } from '../records.ts'
import { casesFor, HOUR, ODD_TEXT } from './bench.ts'

const newNonce = (expiresAt = new Date(Date.now() + HOUR)) => ({
  scope: freshName(),
  nonce: `${ODD_TEXT} ${freshName()}`,
  expiresAt,
})
const claim = (nonce: ReturnType<typeof newNonce>) => (tx: Stores) => tx.nonces.claim(nonce)

/** Before any other record that the storage may hold. */
const LONG_AGO = new Date(Date.UTC(1990, 0, 1))

export const nonceCases = casesFor([], (it, bench) => {
  it('accepts a nonce once in its scope', async () => {
    const nonce = newNonce()
    assert.equal(await bench.write(claim(nonce)), true)
    assert.equal(await bench.write(claim(nonce)), false)
    assert.equal(await bench.write(claim({ ...nonce, scope: freshName() })), true)
    assert.equal(await bench.write(claim({ ...nonce, nonce: freshName() })), true)
    assert.equal(await bench.write(claim({ ...nonce, nonce: '\0' })), false)
  })

  it('accepts a nonce again after it has expired', async () => {
    const nonce = newNonce()
    assert.equal(await bench.write(claim({ ...nonce, expiresAt: LONG_AGO })), true)
    assert.equal(await bench.write(claim(nonce)), true)
    assert.equal(await bench.write(claim(nonce)), false)
  })

  it('accepts a nonce from exactly one of 100 callers without an order', async () => {
    const nonce = newNonce()
    const given = await Promise.all(Array.from({ length: 100 }, () => bench.write(claim(nonce))))
    assert.equal(given.filter(Boolean).length, 1)
  })

  it('accepts a nonce from exactly one of many concurrent callers, or from the next when that one fails', async () => {
    for (const end of ['commit', 'rollback'] as const) {
      const nonce = newNonce()
      const { first, others } = await bench.overlap(claim(nonce), [claim(nonce), claim(nonce), claim(nonce)], end)
      const given = end === 'commit' ? [first, ...others] : others
      assert.deepEqual(
        given.filter((one) => one === true),
        [true],
      )
    }
  })
})
