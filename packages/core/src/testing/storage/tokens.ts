import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Token } from '../../ports/storage/tokens.ts'
import { newToken } from '../records.ts'
import { type Bench, casesFor, ODD_JSON } from './bench.ts'

const RESET = 'reset_password'

const put = (bench: Bench, token: Token, replace = false) => bench.write((tx) => tx.tokens.put(token, { replace }))
const consume = (bench: Bench, { purpose, hash, accountId }: Token, whose = accountId ?? undefined) =>
  bench.write((tx) => tx.tokens.consume({ purpose, hash, accountId: whose }))

export const tokenCases = casesFor([], (it, bench) => {
  const kept = async (changes?: Partial<Token>) => {
    const token = newToken((await bench.account()).id, changes)
    await put(bench, token)
    return token
  }

  it('returns a token once, as it was stored', async () => {
    const mine = await kept({ data: ODD_JSON, triesLeft: 5 })
    const withoutAccount = newToken(null, { purpose: 'oauth_state' })
    await put(bench, withoutAccount)
    for (const token of [mine, withoutAccount]) {
      assert.deepEqual(await consume(bench, token), token)
      assert.equal(await consume(bench, token), undefined)
    }
  })

  it('returns a token to exactly one of many callers', async () => {
    const token = await kept()
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => consume(bench, token)))
    assert.deepEqual(
      outcomes.filter((outcome) => outcome !== undefined),
      [token],
    )
  })

  it('makes other callers wait for the one that consumes a token, and returns it to them when that one fails', async () => {
    for (const end of ['commit', 'rollback'] as const) {
      const { purpose, hash, id } = await kept()
      const take = { purpose, hash }
      const { others } = await bench.overlap(
        (tx) => tx.tokens.consume(take),
        [(tx) => tx.tokens.consume(take), (tx) => tx.tokens.consume(take)],
        end,
      )
      assert.deepEqual(
        others.flatMap((token) => token?.id ?? []),
        end === 'commit' ? [] : [id],
      )
    }
  })

  it('returns no token for another purpose or account, or after it has expired', async () => {
    const token = await kept()
    const { id: other } = await bench.account()
    assert.equal(await consume(bench, { ...token, purpose: 'verify_email' }), undefined)
    assert.equal(await consume(bench, token, other), undefined)
    assert.equal(await consume(bench, token, 'no uuid'), undefined)
    assert.equal(await consume(bench, { ...token, hash: '\0' }), undefined)

    const short = await kept({ expiresAt: new Date(Date.now() + 60) })
    await sleep(120)
    assert.equal(await consume(bench, short), undefined)
    assert.ok(await consume(bench, token), 'the token is still there')
  })

  it('separates tokens of different accounts with the same digest', async () => {
    const { hash } = newToken(null)
    const [one, other] = [await kept({ hash }), await kept({ hash })]
    assert.deepEqual(await consume(bench, other), other)
    assert.deepEqual(await consume(bench, one), one)
  })

  it('finds a token by one of several digests', async () => {
    const { purpose, hash, accountId, ...token } = await kept({ triesLeft: 1 })
    const any = (...hashes: readonly string[]) =>
      bench.write((tx) => tx.tokens.consume({ purpose, hash: hashes, accountId: accountId ?? '' }))
    assert.deepEqual(await any('another', '\0', hash), { purpose, hash, accountId, ...token })
    assert.equal(await any('another', hash), undefined)
    assert.equal(await any(), undefined)
  })

  it('counts wrong attempts, and deletes a token with the last one', async () => {
    const token = await kept({ triesLeft: 2 })
    const { accountId } = token
    assert.ok(accountId)
    const uncounted = newToken(accountId)
    const elsewhere = newToken(accountId, { purpose: 'delete_account', triesLeft: 1 })
    await put(bench, uncounted)
    await put(bench, elsewhere)
    const wrong = () => bench.write((tx) => tx.tokens.consume({ purpose: RESET, hash: ['one', 'two'], accountId }))
    await wrong()
    assert.equal((await consume(bench, token))?.triesLeft, 1, 'one wrong attempt is left')
    await put(bench, token)
    await wrong()
    await wrong()
    assert.equal(await consume(bench, token), undefined)
    assert.deepEqual(await consume(bench, uncounted), uncounted)
    assert.deepEqual(await consume(bench, elsewhere), elsewhere)
  })

  it('counts each of many concurrent wrong attempts', async () => {
    const token = await kept({ triesLeft: 21 })
    const { accountId } = token
    assert.ok(accountId)
    const guess = { purpose: RESET, hash: 'wrong', accountId } as const
    await Promise.all(Array.from({ length: 20 }, () => bench.write((tx) => tx.tokens.consume(guess))))
    assert.equal((await consume(bench, token))?.triesLeft, 1)
  })

  it('deletes older tokens of the account and purpose when a new one replaces them', async () => {
    const old = await kept()
    const { accountId } = old
    const kin = [await kept(), newToken(accountId, { purpose: 'verify_email' }), newToken(null)] as const
    await put(bench, kin[1])
    await put(bench, kin[2])
    const beside = newToken(accountId)
    await put(bench, beside)
    const fresh = newToken(accountId)
    await put(bench, fresh, true)
    await put(bench, newToken(null), true)
    assert.equal(await consume(bench, old), undefined)
    assert.equal(await consume(bench, beside), undefined)
    for (const token of [fresh, ...kin]) assert.deepEqual(await consume(bench, token), token)
  })

  it('keeps one token when many replace it concurrently', async () => {
    const { id } = await bench.account()
    const [first, ...others] = Array.from({ length: 4 }, () => newToken(id))
    assert.ok(first)
    await bench.overlap(
      (tx) => tx.tokens.put(first, { replace: true }),
      others.map((token) => (tx) => tx.tokens.put(token, { replace: true })),
    )
    const left = []
    for (const token of [first, ...others]) left.push(await consume(bench, token))
    assert.equal(left.filter((token) => token !== undefined).length, 1)
  })

  it('finds the newest token, expired or not', async () => {
    const { id } = await bench.account()
    assert.equal(await bench.read.tokens.getNewest(RESET, id), undefined)
    const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms)
    const newest = newToken(id, { createdAt: at(3), expiresAt: at(4) })
    for (const token of [newToken(id, { createdAt: at(2) }), newest, newToken(id, { createdAt: at(1) })]) {
      await put(bench, token)
    }
    await put(bench, newToken(id, { createdAt: at(9), purpose: 'verify_email' }))
    assert.deepEqual(await bench.read.tokens.getNewest(RESET, id), newest)
    assert.equal(await bench.read.tokens.getNewest(RESET, randomUUID()), undefined)
  })

  it('finds a token by its digest without consuming it', async () => {
    const token = await kept()
    const { purpose, hash } = token
    assert.deepEqual(await bench.read.tokens.getNewest(purpose, { hash }), token)
    assert.equal(await bench.read.tokens.getNewest('verify_email', { hash }), undefined)
    assert.deepEqual(await consume(bench, token), token)
    assert.equal(await bench.read.tokens.getNewest(purpose, { hash }), undefined)
  })

  it('deletes all tokens of an account for a purpose', async () => {
    const token = await kept()
    const { accountId } = token
    assert.ok(accountId)
    const kin = [await kept(), newToken(accountId, { purpose: 'verify_email' })] as const
    await put(bench, kin[1])
    await bench.write((tx) => tx.tokens.deleteOf(RESET, accountId))
    assert.equal(await consume(bench, token), undefined)
    for (const one of kin) assert.deepEqual(await consume(bench, one), one)
  })

  it('deletes the tokens of an account for a purpose that were created after a time', async () => {
    const { id } = await bench.account()
    const now = Date.now()
    const at = (ms: number) => newToken(id, { createdAt: new Date(now + ms) })
    const [earlier, same, later] = [at(-1), at(0), at(1)] as const
    const kin = [await kept({ createdAt: later.createdAt }), { ...at(1), purpose: 'verify_email' }] as const
    for (const token of [earlier, same, later, kin[1]]) await put(bench, token)
    await bench.write((tx) => tx.tokens.deleteOf(RESET, id, same.createdAt))
    assert.equal(await consume(bench, later), undefined)
    for (const token of [earlier, same, ...kin]) assert.deepEqual(await consume(bench, token), token)
  })
})
