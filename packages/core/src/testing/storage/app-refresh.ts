import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { AppConnection, AppRotation } from '../../ports/storage/connected-apps.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { newAppToken } from '../records.ts'
import { casesFor, HOUR, MINUTE, present } from './bench.ts'
import { connectApp } from './connected-apps.ts'

type Tx = Stores<'connectedApps'>

const NOW = new Date('2026-03-04T05:06:07.089Z')
const after = (ms: number) => new Date(NOW.getTime() + ms)

const rotate =
  ({ id }: { readonly id: string }, generation: number, now = NOW, token = newAppToken(), allowed = true) =>
  (tx: Tx) =>
    tx.connectedApps.rotate(id, { generation, now, check: () => allowed, token })

/** What a rotation answers with: its outcome, and the generation of the refresh token. */
const answer = (result: AppRotation | undefined) =>
  result && 'connection' in result ? [result.outcome, result.connection.generation] : [result?.outcome]

export const appRefreshCases = casesFor(['connectedApps'], (it, bench) => {
  it('rotates the refresh token and adds an access token', async () => {
    const { token: first, ...one } = await connectApp(bench)
    const token = newAppToken({ scopes: ['read:content'], resources: ['https://profiles.example/mcp'] })
    const result = await bench.write(rotate(one, 1, after(MINUTE), token))
    const rotated: AppConnection = {
      ...one,
      generation: 2,
      rotatedAt: after(MINUTE),
      lastUsedAt: after(MINUTE),
      idleEndsAt: after(MINUTE + one.idleSeconds * 1_000),
    }
    assert.deepEqual(result, { outcome: 'rotated', connection: rotated, wasAhead: false })
    const found = await bench.read.connectedApps.getByAccessHash(token.hash, NOW)
    assert.deepEqual(found?.token, { ...token, connectionId: one.id })
    assert.deepEqual(found?.connection, rotated)
    assert.ok(await bench.read.connectedApps.getByAccessHash(first.hash, NOW))
  })

  it('gives the token before the current one the same successor for a minute', async () => {
    const one = await connectApp(bench)
    await bench.write(rotate(one, 1))
    const token = newAppToken()
    assert.deepEqual(answer(await bench.write(rotate(one, 1, after(MINUTE), token))), ['repeated', 2])
    assert.ok(await bench.read.connectedApps.getByAccessHash(token.hash, NOW))
    assert.deepEqual(answer(await bench.write(rotate(one, 2, after(MINUTE)))), ['rotated', 3])
  })

  it('ends the connection when an older token is used', async () => {
    for (const generation of [1, 2]) {
      const one = await connectApp(bench)
      await bench.write(rotate(one, 1))
      await bench.write(rotate(one, 2))
      const now = after(generation === 1 ? 0 : MINUTE + 1)
      const token = newAppToken()
      const result = await bench.write(rotate(one, generation, now, token))
      assert.ok(result.outcome === 'reused')
      assert.deepEqual([result.ended.id, result.ended.endedAt], [one.id, now])
      assert.equal(result.ended.endReason, 'refresh_token_reused')
      for (const hash of [one.token.hash, token.hash])
        assert.equal(await bench.read.connectedApps.getByAccessHash(hash, NOW), undefined)
      assert.deepEqual(await bench.write(rotate(one, 3, now)), { outcome: 'unknown' })
    }
  })

  it('accepts a token that is newer than the stored one, as after a restored backup', async () => {
    const one = await connectApp(bench)
    const result = await bench.write(rotate(one, 7))
    assert.deepEqual([...answer(result), 'wasAhead' in result && result.wasAhead], ['rotated', 8, true])
    assert.deepEqual(answer(await bench.write(rotate(one, 7))), ['repeated', 8])
  })

  it('changes nothing when the check refuses, even for an old token', async () => {
    const one = await connectApp(bench)
    await bench.write(rotate(one, 1))
    await bench.write(rotate(one, 2))
    for (const generation of [1, 3]) {
      const token = newAppToken()
      assert.deepEqual(await bench.write(rotate(one, generation, NOW, token, false)), { outcome: 'unknown' })
      assert.equal(await bench.read.connectedApps.getByAccessHash(token.hash, NOW), undefined)
    }
    assert.equal((await bench.read.connectedApps.get(one.id))?.generation, 3)
  })

  it('rotates no token of a connection that is unknown, ended or expired', async () => {
    for (const id of [randomUUID(), 'no uuid'])
      assert.deepEqual(await bench.write(rotate({ id }, 1)), { outcome: 'unknown' })
    const ended = await connectApp(bench)
    await bench.write((tx) => tx.connectedApps.end(ended.accountId, ended.id, 'user', NOW))
    assert.deepEqual(await bench.write(rotate(ended, 1)), { outcome: 'unknown' })
    const idle = await connectApp(bench, { idleSeconds: 60 })
    assert.deepEqual(answer(await bench.write(rotate(idle, 1, after(MINUTE - 1)))), ['rotated', 2])
    assert.deepEqual(answer(await bench.write(rotate(idle, 2, after(MINUTE)))), ['rotated', 3])
    assert.deepEqual(await bench.write(rotate(idle, 3, after(2 * MINUTE))), { outcome: 'unknown' })
  })

  it('gives fifty concurrent uses of one token the same successor', async () => {
    const one = await connectApp(bench)
    const { first, others } = await bench.overlap(
      rotate(one, 1),
      Array.from({ length: 49 }, () => rotate(one, 1)),
    )
    assert.deepEqual(answer(first), ['rotated', 2])
    assert.deepEqual(
      others.map(answer),
      others.map(() => ['repeated', 2]),
    )
    assert.equal((await bench.read.connectedApps.get(one.id))?.generation, 2)
  })

  it('rotates again when the transaction that rotated is rolled back', async () => {
    const one = await connectApp(bench)
    const { others } = await bench.overlap(rotate(one, 1), [rotate(one, 1)], 'rollback')
    assert.deepEqual(others.map(answer), [['rotated', 2]])
  })

  it('adds no token to a connection that ends concurrently, in either order', async () => {
    const ending =
      ({ accountId, id }: AppConnection) =>
      (tx: Tx) =>
        tx.connectedApps.end(accountId, id, 'user', NOW)
    const [one, two] = [await connectApp(bench), await connectApp(bench)]
    const tokens = [newAppToken(), newAppToken()] as const
    const late = await bench.overlap(ending(one), [rotate(one, 1, NOW, tokens[0])])
    assert.deepEqual(late.others, [{ outcome: 'unknown' }])
    const early = await bench.overlap(rotate(two, 1, NOW, tokens[1]), [ending(two)])
    assert.equal(early.others[0]?.id, two.id)
    for (const { hash } of tokens) assert.equal(await bench.read.connectedApps.getByAccessHash(hash, NOW), undefined)
  })

  it('keeps the twenty newest access tokens of a connection', async () => {
    const one = await connectApp(bench)
    const tokens = [one.token]
    for (let generation = 1; generation <= 20; generation++) {
      const token = newAppToken({ expiresAt: after(HOUR) })
      tokens.push(token)
      await bench.write(rotate(one, generation, NOW, token))
    }
    const found = []
    for (const { hash } of tokens) found.push(await bench.read.connectedApps.getByAccessHash(hash, NOW))
    assert.deepEqual(
      found.map((each) => each !== undefined),
      tokens.map((_, at) => at > 0),
    )
    assert.equal(present(found.at(-1)).connection.generation, 21)
  })
})
