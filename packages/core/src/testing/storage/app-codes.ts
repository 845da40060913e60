import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { AppDecision, AppGrant, AppRedemption, NewAppConnection } from '../../ports/storage/connected-apps.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { newAppConnection, newAppDecision, newAppGrant, newSession } from '../records.ts'
import { casesFor, MINUTE, ODD_TEXT, present } from './bench.ts'

type Tx = Stores<'connectedApps'>

const NOW = new Date('2026-03-04T05:06:07.089Z')
const after = (ms: number) => new Date(NOW.getTime() + ms)

const decide = (decision: AppDecision) => (tx: Tx) => tx.connectedApps.decide(decision)
const redeem =
  (hash: string, connection: NewAppConnection = newAppConnection(), { now = NOW, allowed = true } = {}) =>
  (tx: Tx) =>
    tx.connectedApps.redeem(hash, { now, check: () => allowed, connection })

const count = (results: readonly (AppRedemption | undefined)[], outcome: AppRedemption['outcome']) =>
  results.filter((result) => result?.outcome === outcome).length

export const appCodeCases = casesFor(['connectedApps'], (it, bench) => {
  /** A code of a new account, or of the account of the changes. */
  const coded = async (changes: Partial<AppGrant> = {}) => {
    const grant = newAppGrant(changes.accountId ?? (await bench.account()).id, changes)
    const decision = newAppDecision(grant, { decidedAt: NOW })
    const code = { ...present(decision.code ?? undefined), expiresAt: after(MINUTE) }
    assert.deepEqual(await bench.write(decide({ ...decision, code })), { isFirst: true, decision: 'approved' })
    return { ...decision, grant, code }
  }

  it('finds a code by its hash, also one that was redeemed', async () => {
    const { code } = await coded()
    assert.deepEqual(await bench.read.connectedApps.getCode(code.hash), { ...code, redeemedAt: null })
    await bench.write(redeem(code.hash))
    assert.deepEqual(await bench.read.connectedApps.getCode(code.hash), { ...code, redeemedAt: NOW })
    assert.equal(await bench.read.connectedApps.getCode('\0'), undefined)
    assert.equal(await bench.read.connectedApps.getCode(randomUUID()), undefined)
  })

  it('redeems a code for a connection and its first access token', async () => {
    const account = await bench.account({ fullName: ODD_TEXT })
    const { id: profileId } = await bench.profile({ ownerAccountId: account.id })
    const session = newSession(account.id)
    await bench.write((tx) => tx.sessions.insert(session))
    const { grant, code } = await coded({
      accountId: account.id,
      sessionId: session.id,
      scopes: ['read:content', ODD_TEXT],
      reach: 'one',
      profileId,
      maySpend: false,
      spending: { usd: { purchase: 1, day: 2, month: 3 } },
      resources: ['https://profiles.example/mcp', ODD_TEXT],
      app: {
        kind: 'registered',
        clientId: `eepd_${ODD_TEXT}`,
        name: ODD_TEXT,
        host: null,
        verified: false,
        redirectHost: null,
      },
    })
    const made = newAppConnection()
    const result = await bench.write(redeem(code.hash, made))
    assert.ok(result.outcome === 'redeemed')
    assert.deepEqual(result.ended, [])
    assert.deepEqual(result.connection, {
      ...grant,
      id: made.id,
      seed: made.seed,
      generation: 1,
      rotatedAt: NOW,
      createdAt: NOW,
      lastUsedAt: NOW,
      idleEndsAt: after(grant.idleSeconds * 1_000),
      endedAt: null,
      endReason: null,
    })
    assert.deepEqual(await bench.read.connectedApps.get(made.id), result.connection)
    assert.deepEqual(await bench.read.connectedApps.getByAccessHash(made.token.hash, NOW), {
      token: { ...made.token, connectionId: made.id },
      connection: result.connection,
      account,
    })
  })

  it('shows the code and its account to the check, and changes nothing when it refuses', async () => {
    const { code, grant } = await coded()
    const seen: unknown[] = []
    const refused = await bench.write((tx) =>
      tx.connectedApps.redeem(code.hash, {
        now: NOW,
        check(...shown) {
          seen.push(...shown)
          return false
        },
        connection: newAppConnection(),
      }),
    )
    assert.deepEqual(refused, { outcome: 'unknown' })
    assert.deepEqual(seen, [{ ...code, redeemedAt: null }, await bench.read.accounts.get(grant.accountId)])
    assert.equal((await bench.write(redeem(code.hash))).outcome, 'redeemed')
    // A request that the check refuses is not a replay.
    assert.deepEqual(await bench.write(redeem(code.hash, undefined, { allowed: false })), { outcome: 'unknown' })
    const list = await bench.read.connectedApps.listOfAccount(grant.accountId, { now: NOW }, { limit: 9 })
    assert.equal(list.total, 1)
  })

  it('redeems no code that is unknown or expired, nor one whose session or profile is gone', async () => {
    for (const hash of ['', '\0', randomUUID()]) {
      assert.deepEqual(await bench.write(redeem(hash)), { outcome: 'unknown' })
    }
    const expired = await coded()
    const late = redeem(expired.code.hash, undefined, { now: after(MINUTE) })
    assert.deepEqual(await bench.write(late), { outcome: 'unknown' })
    for (const sessionId of [randomUUID(), 'no uuid']) {
      const { code } = await coded({ sessionId })
      assert.deepEqual(await bench.write(redeem(code.hash)), { outcome: 'unknown' })
    }
    const profile = await bench.profile()
    const { code } = await coded({ accountId: profile.ownerAccountId, reach: 'one', profileId: profile.id })
    await bench.write((tx) => tx.profiles.delete(profile.id))
    assert.deepEqual(await bench.write(redeem(code.hash)), { outcome: 'unknown' })
  })

  it('ends the connection of a code that is redeemed again', async () => {
    const { code } = await coded()
    const made = newAppConnection()
    await bench.write(redeem(code.hash, made))
    const replayed = await bench.write(redeem(code.hash, undefined, { now: after(5 * MINUTE) }))
    assert.ok(replayed.outcome === 'replayed')
    assert.deepEqual(
      [replayed.ended?.id, replayed.ended?.endedAt, replayed.ended?.endReason],
      [made.id, after(5 * MINUTE), 'code_replayed'],
    )
    assert.equal(await bench.read.connectedApps.getByAccessHash(made.token.hash, NOW), undefined)
    assert.deepEqual(await bench.write(redeem(code.hash)), { outcome: 'replayed', ended: undefined })
  })

  it('lets one of twenty concurrent redemptions make a connection, which the others end', async () => {
    // Few of them are surely under way while the first is held open.
    for (const many of [2, 19]) {
      const { code, accountId } = await coded()
      const others = Array.from({ length: many }, () => redeem(code.hash))
      const results = await bench.overlap(redeem(code.hash), others)
      assert.equal(results.first?.outcome, 'redeemed')
      assert.equal(count(results.others, 'replayed'), many)
      assert.equal(results.others.filter((result) => result.outcome === 'replayed' && result.ended).length, 1)
      const all = await bench.read.connectedApps.listOfAccount(accountId, { now: NOW, withEnded: true }, { limit: 99 })
      assert.deepEqual(
        all.items.map(({ endReason }) => endReason),
        ['code_replayed'],
      )
    }
  })

  it('redeems a code again when the transaction that redeemed it is rolled back', async () => {
    const { code, accountId } = await coded()
    const { others } = await bench.overlap(redeem(code.hash), [redeem(code.hash)], 'rollback')
    assert.equal(others[0]?.outcome, 'redeemed')
    const list = await bench.read.connectedApps.listOfAccount(accountId, { now: NOW }, { limit: 9 })
    assert.equal(list.total, 1)
  })

  it('counts the first of concurrent decisions on a request', async () => {
    for (const end of ['commit', 'rollback'] as const) {
      const grant = newAppGrant((await bench.account()).id)
      const allowed = newAppDecision(grant)
      const denied = { ...allowed, code: null }
      const { first, others } = await bench.overlap(decide(denied), [decide(allowed)], end)
      if (end === 'commit') {
        assert.deepEqual(
          [first, ...others],
          [
            { isFirst: true, decision: 'denied' },
            { isFirst: false, decision: 'denied' },
          ],
        )
      } else assert.deepEqual(others, [{ isFirst: true, decision: 'approved' }])
      const stored = end === 'commit' ? 'denied' : 'approved'
      assert.equal(await bench.read.connectedApps.getDecision(allowed.requestId, grant.accountId), stored)
      const redeemed = await bench.write(redeem(allowed.code?.hash ?? ''))
      assert.equal(redeemed.outcome, end === 'commit' ? 'unknown' : 'redeemed')
    }
  })

  it('keeps the code of a decision that is repeated, also after it was redeemed', async () => {
    const { code, ...decision } = await coded()
    await bench.write(redeem(code.hash))
    assert.deepEqual(await bench.write(decide({ ...decision, code })), { isFirst: false, decision: 'approved' })
    assert.equal((await bench.write(redeem(code.hash))).outcome, 'replayed')
  })

  it('returns no decision to another account', async () => {
    const decision = await coded()
    const { id: accountId } = await bench.account()
    assert.equal(await bench.write(decide({ ...decision, accountId })), undefined)
    assert.equal(await bench.read.connectedApps.getDecision(decision.requestId, accountId), undefined)
    assert.equal(await bench.read.connectedApps.getDecision('\0', decision.accountId), undefined)
    assert.equal(await bench.read.connectedApps.getDecision(decision.requestId, 'no uuid'), undefined)
  })

  it('ends the least recently used connections above the limits of the account and of the app', async () => {
    const { id: accountId } = await bench.account()
    const { app } = newAppGrant(accountId)
    const limits = { account: 3, app: 2 }
    const made = async (minutes: number, changes: Partial<AppGrant> = {}) => {
      const { code } = await coded({ accountId, ...changes })
      const connection = newAppConnection({ limits })
      const result = await bench.write(redeem(code.hash, connection, { now: after(minutes) }))
      assert.ok(result.outcome === 'redeemed')
      return { id: connection.id, ended: result.ended.map(({ id, endReason }) => [id, endReason]) }
    }
    const first = await made(0, { app })
    const other = await made(1)
    const second = await made(2, { app })
    const third = await made(3, { app })
    assert.deepEqual([...second.ended, ...third.ended], [[first.id, 'replaced']])
    await bench.write((tx) => tx.connectedApps.touch(other.id, after(2 * MINUTE)))
    assert.deepEqual((await made(4)).ended, [[second.id, 'replaced']])
  })

  it('exceeds no limit in concurrent redemptions', async () => {
    const { id: accountId } = await bench.account()
    const codes = [await coded({ accountId }), await coded({ accountId }), await coded({ accountId })]
    const [first, ...others] = codes.map(({ code }) =>
      redeem(code.hash, newAppConnection({ limits: { account: 2, app: 2 } })),
    )
    await bench.overlap(present(first), others)
    const list = await bench.read.connectedApps.listOfAccount(accountId, { now: NOW }, { limit: 9 })
    assert.equal(list.total, 2)
  })

  it('makes no connection that outlives the end of its session or of all connections', async () => {
    const { id: accountId } = await bench.account()
    const endings: ((sessionId: string) => (tx: Tx) => Promise<unknown>)[] = [
      (sessionId) => async (tx) => {
        await tx.sessions.delete(accountId, { id: sessionId })
        await tx.connectedApps.endOfSessions(accountId, { id: sessionId }, NOW)
      },
      () => (tx) => tx.connectedApps.endAll(accountId, 'account', NOW),
    ]
    for (const ending of endings) {
      for (const isRedeemedFirst of [true, false]) {
        const session = newSession(accountId)
        await bench.write((tx) => tx.sessions.insert(session))
        const { code } = await coded({ accountId, sessionId: session.id })
        const redeeming = redeem(code.hash)
        if (isRedeemedFirst) await bench.overlap(redeeming, [ending(session.id)])
        else {
          const { others } = await bench.overlap(ending(session.id), [redeeming])
          assert.deepEqual(others, [{ outcome: 'unknown' }])
        }
        const list = await bench.read.connectedApps.listOfAccount(accountId, { now: NOW }, { limit: 9 })
        assert.deepEqual(list.items, [])
      }
    }
  })
})
