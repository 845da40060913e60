import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { AppConnection, AppEndReason, AppGrant, NewAppToken } from '../../ports/storage/connected-apps.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { lockForErasure } from '../erase-account.ts'
import { newAppConnection, newAppDecision, newAppGrant, newAppToken, newSession } from '../records.ts'
import { type Bench, casesFor, HOUR, MINUTE, present } from './bench.ts'

type Tx = Stores<'connectedApps'>

const NOW = new Date('2026-03-04T05:06:07.089Z')
const DAY = 24 * HOUR
const after = (ms: number) => new Date(NOW.getTime() + ms)

const end =
  ({ id, accountId }: AppConnection, reason: AppEndReason = 'user') =>
  (tx: Tx) =>
    tx.connectedApps.end(accountId, id, reason, NOW)

/** Makes a connection of a new account, or of the account of the changes. Returns it with its first token. */
export async function connectApp(bench: Bench<'connectedApps'>, changes: Partial<AppGrant> = {}, now = NOW) {
  const grant = newAppGrant(changes.accountId ?? (await bench.account()).id, changes)
  const decision = newAppDecision(grant)
  const { hash } = present(decision.code ?? undefined)
  const connection = newAppConnection({ token: newAppToken({ createdAt: now, expiresAt: new Date(+now + HOUR) }) })
  const made = await bench.write(async (tx) => {
    await tx.connectedApps.decide(decision)
    return tx.connectedApps.redeem(hash, { now: NOW, check: () => true, connection })
  })
  assert.ok(made.outcome === 'redeemed')
  return { ...made.connection, token: connection.token }
}

export const connectedAppCases = casesFor(['connectedApps'], (it, bench) => {
  const connect = (changes?: Partial<AppGrant>, now?: Date) => connectApp(bench, changes, now)
  const isLive = async ({ token }: { readonly token: NewAppToken }, now = NOW) =>
    (await bench.read.connectedApps.getByAccessHash(token.hash, now)) !== undefined

  it('finds a connection by an access token until the token or the connection expires', async () => {
    const one = await connect()
    assert.equal(await isLive(one, after(HOUR - 1)), true)
    assert.equal(await isLive(one, after(HOUR)), false)
    for (const changes of [{ idleSeconds: 60 }, { expiresAt: after(MINUTE) }]) {
      const brief = await connect(changes)
      assert.equal(await isLive(brief, after(MINUTE - 1)), true)
      assert.equal(await isLive(brief, after(MINUTE)), false)
      assert.equal(await bench.write((tx) => tx.connectedApps.hold(brief.id, after(MINUTE))), undefined)
      assert.ok(await bench.read.connectedApps.get(brief.id))
    }
    for (const hash of ['', '\0', one.token.hash.toUpperCase(), one.seed])
      assert.equal(await bench.read.connectedApps.getByAccessHash(hash, NOW), undefined)
  })

  it('returns no connection of another account', async () => {
    const { token, ...one } = await connect()
    assert.deepEqual(await bench.read.connectedApps.get(one.id, one.accountId), one)
    const { id: other } = await bench.account()
    for (const accountId of [other, randomUUID(), 'no uuid']) {
      assert.equal(await bench.read.connectedApps.get(one.id, accountId), undefined)
      const changes = { now: NOW, scopes: [] }
      assert.equal(await bench.write((tx) => tx.connectedApps.update(accountId, one.id, changes)), undefined)
      assert.equal(await bench.write((tx) => tx.connectedApps.lock(accountId, one.id, NOW)), undefined)
      assert.equal(await bench.write(end({ ...one, accountId })), undefined)
      assert.deepEqual(await bench.write((tx) => tx.connectedApps.endAll(accountId, 'account', NOW)), [])
    }
    for (const id of [randomUUID(), 'no uuid']) {
      assert.equal(await bench.read.connectedApps.get(id), undefined)
      assert.equal(await bench.write((tx) => tx.connectedApps.hold(id, NOW)), undefined)
      assert.equal(await bench.write((tx) => tx.connectedApps.touch(id, after(DAY))), false)
    }
    assert.equal(await isLive({ token }), true)
  })

  it('lists the connections of an account in pages, newest first, with or without those that ended', async () => {
    const { id: accountId } = await bench.account()
    const made: AppConnection[] = []
    for (let at = 0; at < 4; at++) {
      const { token: _, ...connection } = await connect({ accountId })
      made.push(connection)
    }
    await connect()
    const [ended] = made
    assert.ok(ended)
    const gone = present(await bench.write(end(ended)))
    const live = made.filter(({ id }) => id !== ended.id)
    const list = async (withEnded: boolean) => {
      const found: AppConnection[] = []
      let cursor: string | undefined
      do {
        const page = await bench.read.connectedApps.listOfAccount(
          accountId,
          { now: NOW, withEnded },
          { limit: 2, cursor },
        )
        assert.equal(page.total, withEnded ? 4 : 3)
        found.push(...page.items)
        cursor = page.nextCursor
      } while (cursor !== undefined)
      return found
    }
    const byId = (all: readonly AppConnection[]) => all.toSorted((a, b) => (a.id < b.id ? 1 : -1))
    assert.deepEqual(await list(false), byId(live))
    assert.deepEqual(await list(true), byId([...live, gone]))
    const none = await bench.read.connectedApps.listOfAccount('no uuid', { now: NOW }, { limit: 2 })
    assert.deepEqual(none.items, [])
  })

  it('ends a connection with its tokens, for one of many callers', async () => {
    const { token, ...one } = await connect()
    const ended = { ...one, endedAt: NOW, endReason: 'blocked' }
    const results = await bench.overlap(end(one, 'blocked'), [end(one), end(one)])
    assert.deepEqual([results.first, ...results.others], [ended, undefined, undefined])
    assert.equal(await isLive({ token }), false)
    assert.deepEqual(await bench.read.connectedApps.get(one.id), ended)
    assert.equal(await bench.write((tx) => tx.connectedApps.deleteToken(token.hash)), false)
    assert.equal(await bench.write((tx) => tx.connectedApps.touch(one.id, after(DAY))), false)
    const changes = { now: NOW, scopes: ['read:files'] }
    assert.equal(await bench.write((tx) => tx.connectedApps.update(one.accountId, one.id, changes)), undefined)
  })

  it('neither ends nor changes a held connection before the transaction that holds it ends', async () => {
    const changing: ((one: AppConnection) => (tx: Tx) => Promise<unknown>)[] = [
      end,
      ({ id, accountId }) =>
        (tx) =>
          tx.connectedApps.update(accountId, id, { now: NOW, scopes: [] }),
      ({ id, accountId }) =>
        (tx) =>
          tx.connectedApps.lock(accountId, id, NOW),
      ({ accountId }) =>
        (tx) =>
          tx.connectedApps.endAll(accountId, 'account', NOW),
    ]
    for (const change of changing) {
      const one = await connect()
      const done: string[] = []
      await bench.overlap(
        async (tx, meanwhile) => {
          assert.equal((await tx.connectedApps.hold(one.id, NOW))?.connection.id, one.id)
          await meanwhile()
          done.push('use')
        },
        [
          async (tx) => {
            await change(one)(tx)
            done.push('change')
          },
        ],
      )
      assert.deepEqual(done, ['use', 'change'])
    }
  })

  it('holds no connection that ends in a transaction that commits first', async () => {
    const one = await connect()
    const { others } = await bench.overlap(end(one), [(tx) => tx.connectedApps.hold(one.id, NOW)])
    assert.deepEqual(others, [undefined])
  })

  it('changes scopes, profile and limits of a connection, which its tokens follow', async () => {
    const profile = await bench.profile()
    const { token, ...one } = await connect({ accountId: profile.ownerAccountId })
    const update = (changes: Omit<Parameters<Tx['connectedApps']['update']>[2], 'now'>) =>
      bench.write((tx) => tx.connectedApps.update(one.accountId, one.id, { now: NOW, ...changes }))
    const spending = { eur: { purchase: 1, day: 2, month: 3 } }
    assert.deepEqual(await update({}), one)
    assert.deepEqual(await update({ scopes: ['read:files'] }), { ...one, scopes: ['read:files'] })
    assert.deepEqual(await update({ spending }), { ...one, scopes: ['read:files'], spending })
    const bound = { ...one, scopes: ['read:files'], reach: 'one', profileId: profile.id }
    assert.deepEqual(await update({ profileId: profile.id, spending: null }), bound)
    const found = await bench.read.connectedApps.getByAccessHash(token.hash, NOW)
    assert.deepEqual(found?.connection, bound)
    assert.deepEqual(await update({ profileId: null, scopes: one.scopes }), one)
    assert.equal(await update({ profileId: Number.MAX_SAFE_INTEGER }), undefined)
  })

  it('ends all connections of an account, or those made since a time', async () => {
    const [old, other] = [await connect(), await connect()]
    const { accountId } = old
    const endAll = (since?: Date) => bench.write((tx) => tx.connectedApps.endAll(accountId, 'account', NOW, { since }))
    assert.deepEqual(await endAll(after(1)), [])
    assert.deepEqual(
      (await endAll(NOW)).map(({ id, endReason }) => [id, endReason]),
      [[old.id, 'account']],
    )
    const [one, two] = [await connect({ accountId }), await connect({ accountId })]
    assert.deepEqual((await endAll()).map(({ id }) => id).sort(), [one.id, two.id].sort())
    assert.equal(await isLive(other), true)
  })

  it('ends the connections that were made in a session, or in all others', async () => {
    const { id: accountId } = await bench.account()
    const sessions = [newSession(accountId), newSession(accountId), newSession(accountId)]
    const made = []
    for (const session of sessions) {
      await bench.write((tx) => tx.sessions.insert(session))
      made.push(await connect({ accountId, sessionId: session.id }))
    }
    const ofHost = await connect({ accountId })
    const [first, second, third] = made
    assert.ok(first && second && third)
    const endOf = (which: { readonly id: string } | { readonly except: string | undefined }) =>
      bench.write(async (tx) => (await tx.connectedApps.endOfSessions(accountId, which, NOW)).map(({ id }) => id))
    assert.deepEqual(await endOf({ id: 'no uuid' }), [])
    assert.deepEqual(await endOf({ id: first.sessionId ?? '' }), [first.id])
    assert.deepEqual(await endOf({ except: third.sessionId ?? '' }), [second.id])
    assert.deepEqual(await endOf({ except: undefined }), [third.id])
    assert.equal(await isLive(ofHost), true)
  })

  it('ends the connections that are bound to a profile, and never widens one whose profile is deleted', async () => {
    const profile = await bench.profile()
    const bound = { reach: 'one', profileId: profile.id } as const
    const own = await connect({ accountId: profile.ownerAccountId, ...bound })
    const wide = await connect({ accountId: profile.ownerAccountId })
    const [member, guest] = [await connect(bound), await connect(bound)]
    const gone = (accountId?: string) =>
      bench.write(async (tx) => {
        const ended = await tx.connectedApps.endOfProfile(profile.id, { now: NOW, accountId })
        return ended.map(({ id, endReason }) => [id, endReason])
      })
    assert.deepEqual(await gone('no uuid'), [])
    assert.deepEqual(await gone(member.accountId), [[member.id, 'profile_gone']])
    await bench.write((tx) => tx.connectedApps.end(own.accountId, own.id, 'user', NOW))
    assert.equal(await isLive(guest), true)
    await bench.write((tx) => tx.profiles.delete(profile.id))
    assert.equal(await isLive(guest), false)
    assert.equal(await bench.write((tx) => tx.connectedApps.hold(guest.id, NOW)), undefined)
    assert.equal((await bench.read.connectedApps.get(guest.id))?.reach, 'one')
    assert.equal(await isLive(wide), true)
  })

  it('stores a use at most once a minute, which postpones the idle end until the last day', async () => {
    const one = await connect({ idleSeconds: 600, expiresAt: after(15 * MINUTE) })
    const touch = (ms: number) => bench.write((tx) => tx.connectedApps.touch(one.id, after(ms)))
    const times = async () => {
      const found = present(await bench.read.connectedApps.get(one.id))
      return [found.lastUsedAt, found.idleEndsAt].map((time) => (time.getTime() - NOW.getTime()) / MINUTE)
    }
    assert.equal(await touch(MINUTE - 1), false)
    assert.deepEqual(await times(), [0, 10])
    assert.equal(await touch(MINUTE), true)
    assert.deepEqual(await times(), [1, 11])
    assert.equal(await touch(9 * MINUTE), true)
    assert.deepEqual(await times(), [9, 15])
    assert.equal(await touch(15 * MINUTE), false)
  })

  it('deletes one access token, whose connection stays', async () => {
    const one = await connect()
    const remove = (tx: Tx) => tx.connectedApps.deleteToken(one.token.hash)
    const { first, others } = await bench.overlap(remove, [remove])
    assert.deepEqual([first, ...others], [true, false])
    assert.equal(await isLive(one), false)
    assert.ok(await bench.write((tx) => tx.connectedApps.hold(one.id, NOW)))
    assert.equal(await bench.write((tx) => tx.connectedApps.deleteToken('\0')), false)
  })

  it('erases only the apps of the given account', async () => {
    const [leaving, staying] = [await connect(), await connect()]
    await bench.write(async (tx) => tx.connectedApps.eraseAccount(present(await lockForErasure(tx, leaving.accountId))))
    assert.equal(await bench.read.connectedApps.get(leaving.id), undefined)
    assert.equal(await isLive(leaving), false)
    assert.equal(await isLive(staying), true)
  })
})
