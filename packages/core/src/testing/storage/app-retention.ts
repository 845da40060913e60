import assert from 'node:assert/strict'
import { newAppDecision, newAppGrant, newDeviceRequest, newSpend } from '../records.ts'
import { casesFor, HOUR, MINUTE, present } from './bench.ts'
import { connectApp } from './connected-apps.ts'

const NOW = new Date('2026-03-04T05:06:07.089Z')
const DAY = 24 * HOUR
const after = (ms: number) => new Date(NOW.getTime() + ms)

export const appRetentionCases = casesFor(['connectedApps'], (it, bench) => {
  /** Deletes all that is due. Other cases of the storage have rows, too. */
  const sweep = async (now: Date) => {
    while ((await bench.write((tx) => tx.connectedApps.deleteExpired(now, 50))) > 0);
  }

  it('ends connections that expired, and deletes those that ended thirty days ago', async () => {
    const [idle, ended, live] = [
      await connectApp(bench, { idleSeconds: 60 }),
      await connectApp(bench),
      await connectApp(bench),
    ]
    await bench.write((tx) => tx.connectedApps.end(ended.accountId, ended.id, 'user', NOW))
    const get = ({ id }: { readonly id: string }) => bench.read.connectedApps.get(id)
    await sweep(after(MINUTE - 1))
    assert.equal((await get(idle))?.endedAt, null)
    await sweep(after(MINUTE))
    const expired = present(await get(idle))
    assert.deepEqual([expired.endedAt, expired.endReason], [after(MINUTE), 'expired'])
    await sweep(after(30 * DAY))
    assert.ok(await get(ended))
    await sweep(after(30 * DAY + 1))
    assert.deepEqual([await get(ended), (await get(idle))?.id], [undefined, idle.id])
    assert.equal((await get(live))?.endedAt, null)
  })

  it('knows codes and requests of devices for ten minutes after they expired', async () => {
    const grant = newAppGrant((await bench.account()).id)
    const decision = newAppDecision(grant)
    const device = newDeviceRequest()
    await bench.write(async (tx) => {
      await tx.connectedApps.decide(decision)
      await tx.connectedApps.openDevice(device, { address: 5, all: 1_000_000 })
    })
    const known = async () => [
      await bench.read.connectedApps.getDecision(decision.requestId, grant.accountId),
      (await bench.read.connectedApps.getDeviceRequest(device.userCodeHash, NOW))?.deviceHash,
    ]
    // The code lives for a minute and the request for ten.
    await sweep(after(11 * MINUTE))
    assert.deepEqual(await known(), ['approved', device.deviceHash])
    await sweep(after(20 * MINUTE))
    assert.deepEqual(await known(), [undefined, device.deviceHash])
    await sweep(after(20 * MINUTE + 1))
    assert.deepEqual(await known(), [undefined, undefined])
  })

  it('keeps spending for thirteen months after its month', async () => {
    const { id } = await bench.account()
    const spend = newSpend(id, { at: new Date('2026-03-31T23:59:59Z') })
    await bench.write((tx) => tx.appSpending.reserveSpend(spend))
    const months = async () => (await bench.read.appSpending.listMonths(id)).length
    await sweep(new Date('2027-04-30T23:59:59Z'))
    assert.deepEqual(
      [await months(), await bench.write((tx) => tx.appSpending.reserveSpend(spend))],
      [1, { outcome: 'exists' }],
    )
    await sweep(new Date('2027-05-01T00:00:00Z'))
    assert.equal(await months(), 0)
    assert.equal((await bench.write((tx) => tx.appSpending.reserveSpend(spend))).outcome, 'reserved')
  })

  it('deletes at most as many rows of a kind as its limit', async () => {
    await sweep(NOW)
    const { id: accountId } = await bench.account()
    for (let at = 0; at < 3; at++) await connectApp(bench, { accountId, idleSeconds: 60 })
    // Three connections end, in two calls.
    const calls = []
    for (let at = 0; at < 2; at++)
      calls.push(await bench.write((tx) => tx.connectedApps.deleteExpired(after(MINUTE), 2)))
    assert.deepEqual(calls, [2, 1])
  })
})
