import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { AppDeviceRequest, AppGrant, NewAppConnection } from '../../ports/storage/connected-apps.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { newAppConnection, newAppGrant, newDeviceRequest, newSession } from '../records.ts'
import { casesFor, MINUTE, ODD_TEXT } from './bench.ts'

type Tx = Stores<'connectedApps'>

const NOW = new Date('2026-03-04T05:06:07.089Z')
const after = (ms: number) => new Date(NOW.getTime() + ms)
const LIMITS = { address: 5, all: 1_000_000 }

const open =
  (request: AppDeviceRequest, limits = LIMITS) =>
  (tx: Tx) =>
    tx.connectedApps.openDevice(request, limits)
const decide =
  ({ userCodeHash }: AppDeviceRequest, grant: AppGrant | null, now = NOW) =>
  (tx: Tx) =>
    tx.connectedApps.decideDevice(userCodeHash, grant, now)
const poll =
  ({ deviceHash }: { readonly deviceHash: string }, ms = 0, connection: NewAppConnection = newAppConnection()) =>
  (tx: Tx) =>
    tx.connectedApps.pollDevice(deviceHash, { now: after(ms), check: () => true, connection })

export const appDeviceCases = casesFor(['connectedApps'], (it, bench) => {
  const opened = async (changes?: Partial<AppDeviceRequest>) => {
    const request = newDeviceRequest(changes)
    assert.equal(await bench.write(open(request)), 'opened')
    return request
  }
  const grantOf = async (changes?: Partial<AppGrant>) => newAppGrant((await bench.account()).id, changes)
  const outcomeOf = async (request: { readonly deviceHash: string }, ms?: number) =>
    (await bench.write(poll(request, ms))).outcome

  it('finds an open request by its user code until it expires or is decided', async () => {
    const request = await opened({ scopes: ['read:content', ODD_TEXT] })
    const get = (now: Date) => bench.read.connectedApps.getDeviceRequest(request.userCodeHash, now)
    assert.deepEqual(await get(after(10 * MINUTE - 1)), request)
    assert.equal(await get(after(10 * MINUTE)), undefined)
    assert.equal(await bench.read.connectedApps.getDeviceRequest('\0', NOW), undefined)
    await bench.write(decide(request, null))
    assert.equal(await get(NOW), undefined)
  })

  it('finds a request by its device code, also one that was decided or expired', async () => {
    const request = await opened()
    assert.deepEqual(await bench.read.connectedApps.getDevice(request.deviceHash), request)
    await bench.write(decide(request, null))
    assert.deepEqual(await bench.read.connectedApps.getDevice(request.deviceHash), request)
    assert.equal(await bench.read.connectedApps.getDevice('\0'), undefined)
    assert.equal(await bench.read.connectedApps.getDevice(randomUUID()), undefined)
  })

  it('opens no request with a user code that is in use', async () => {
    const { userCodeHash } = await opened()
    assert.equal(await bench.write(open(newDeviceRequest({ userCodeHash }))), 'taken')
    await opened({ userCodeHash, createdAt: after(10 * MINUTE), expiresAt: after(20 * MINUTE) })
    const code = newDeviceRequest().userCodeHash
    const { first, others } = await bench.overlap(open(newDeviceRequest({ userCodeHash: code })), [
      open(newDeviceRequest({ userCodeHash: code })),
    ])
    assert.deepEqual([first, ...others], ['opened', 'taken'])
  })

  it('opens no more requests than the limits, also concurrently', async () => {
    const { addressHash } = newDeviceRequest()
    const one = () => open(newDeviceRequest({ addressHash }), { ...LIMITS, address: 2 })
    const { first, others } = await bench.overlap(one(), [one(), one()])
    assert.deepEqual([first, ...others].sort(), ['full', 'opened', 'opened'])
    assert.equal(await bench.write(open(newDeviceRequest(), { address: 5, all: 2 })), 'full')
    // Requests that expired or were decided do not count.
    const later = { addressHash, createdAt: after(10 * MINUTE), expiresAt: after(20 * MINUTE) }
    assert.equal(await bench.write(open(newDeviceRequest(later), { ...LIMITS, address: 1 })), 'opened')
  })

  it('answers polls until it is decided, and slows down those that come too early', async () => {
    const request = await opened()
    assert.equal(await outcomeOf(request), 'pending')
    assert.equal(await outcomeOf(request, 5_000), 'pending')
    assert.equal(await outcomeOf(request, 9_999), 'slow_down')
    assert.equal(await outcomeOf(request, 19_998), 'slow_down')
    assert.equal(await outcomeOf(request, 34_998), 'pending')
    assert.equal(await outcomeOf(request, 10 * MINUTE), 'expired')
    for (const deviceHash of ['', '\0', request.userCodeHash]) assert.equal(await outcomeOf({ deviceHash }), 'unknown')
  })

  it('makes the connection that was allowed once', async () => {
    const request = await opened()
    const grant = await grantOf({ scopes: ['read:content'] })
    assert.equal(await bench.write(decide(request, grant)), true)
    const made = newAppConnection()
    const result = await bench.write(poll(request, 1_000, made))
    assert.ok(result.outcome === 'redeemed')
    assert.deepEqual([result.connection.id, result.connection.scopes], [made.id, ['read:content']])
    assert.ok(await bench.read.connectedApps.getByAccessHash(made.token.hash, NOW))
    assert.equal(await outcomeOf(request, 60_000), 'unknown')
  })

  it('lets one of concurrent polls make the connection', async () => {
    const request = await opened()
    const grant = await grantOf()
    await bench.write(decide(request, grant))
    const { first, others } = await bench.overlap(poll(request), [poll(request), poll(request)])
    assert.deepEqual(
      [first, ...others].map((result) => result?.outcome),
      ['redeemed', 'unknown', 'unknown'],
    )
    const list = await bench.read.connectedApps.listOfAccount(grant.accountId, { now: NOW }, { limit: 9 })
    assert.equal(list.total, 1)
  })

  it('counts the first of concurrent decisions', async () => {
    const request = await opened()
    const grant = await grantOf()
    const { first, others } = await bench.overlap(decide(request, null), [decide(request, grant)])
    assert.deepEqual([first, ...others], [true, false])
    assert.equal(await outcomeOf(request), 'denied')
    assert.equal(await bench.write(decide(await opened(), grant, after(10 * MINUTE))), false)
    assert.equal(await bench.write(decide({ ...request, userCodeHash: '\0' }, null)), false)
  })

  it('loses no decision that is made during a poll', async () => {
    const grant = await grantOf()
    for (const isDecidedFirst of [true, false]) {
      const request = await opened()
      if (isDecidedFirst) {
        const { others } = await bench.overlap(decide(request, grant), [poll(request)])
        assert.ok(['pending', 'redeemed'].includes(others[0]?.outcome ?? ''))
        if (others[0]?.outcome === 'pending') assert.equal(await outcomeOf(request, 6_000), 'redeemed')
      } else {
        const { first, others } = await bench.overlap(poll(request), [decide(request, grant)])
        assert.deepEqual([first?.outcome, ...others], ['pending', true])
        assert.equal(await outcomeOf(request, 6_000), 'redeemed')
      }
    }
  })

  it('makes no connection for another app, for a session that ended or after all connections ended', async () => {
    const grant = await grantOf()
    const request = await opened()
    await bench.write(decide(request, grant))
    const refused = await bench.write((tx) =>
      tx.connectedApps.pollDevice(request.deviceHash, {
        now: NOW,
        check: ({ app }) => app.clientId !== request.app.clientId,
        connection: newAppConnection(),
      }),
    )
    assert.deepEqual(refused, { outcome: 'unknown' })
    await bench.write((tx) => tx.connectedApps.endAll(grant.accountId, 'account', NOW))
    assert.equal(await outcomeOf(request), 'unknown')

    const session = newSession(grant.accountId)
    await bench.write((tx) => tx.sessions.insert(session))
    for (const sessionId of [session.id, randomUUID()]) {
      const other = await opened()
      await bench.write(decide(other, { ...grant, sessionId }))
      assert.equal(await outcomeOf(other), sessionId === session.id ? 'redeemed' : 'unknown')
    }
  })
})
