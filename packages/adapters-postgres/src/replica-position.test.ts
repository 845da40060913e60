import { expect, it } from 'vitest'
import { createReplicaPosition } from './replica-position.ts'

/** A promise for each call, which the test resolves. */
function heldCalls() {
  const calls: ((position: bigint) => void)[] = []
  return { calls, read: () => new Promise<bigint>((resolve) => void calls.push(resolve)) }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

it('does not use a position of the primary that was read before the call', async () => {
  const primary = heldCalls()
  const position = createReplicaPosition({ primary: primary.read, replica: async () => 10n, waitMs: 0 })
  const first = position.hasCaughtUp()
  await turn()
  // This one begins while the query of the first is under way.
  const second = position.hasCaughtUp()
  await turn()
  expect(primary.calls).toHaveLength(1)
  primary.calls[0]?.(10n)
  expect(await first).toBe(true)
  await turn()
  expect(primary.calls).toHaveLength(2)
  primary.calls[1]?.(11n)
  expect(await second).toBe(false)
})

it('shares one query among reads that begin while another is under way', async () => {
  const primary = heldCalls()
  const position = createReplicaPosition({ primary: primary.read, replica: async () => 10n })
  const first = position.hasCaughtUp()
  await turn()
  const others = Array.from({ length: 50 }, () => position.hasCaughtUp())
  primary.calls[0]?.(5n)
  await first
  await turn()
  primary.calls[1]?.(9n)
  expect(await Promise.all(others)).toEqual(others.map(() => true))
  expect(primary.calls).toHaveLength(2)
})

it('waits until the replica has replayed the position', async () => {
  const replica = heldCalls()
  const position = createReplicaPosition({ primary: async () => 7n, replica: replica.read, waitMs: 60_000 })
  const caughtUp = position.hasCaughtUp()
  await expect.poll(() => replica.calls.length).toBe(1)
  replica.calls[0]?.(6n)
  await expect.poll(() => replica.calls.length).toBe(2)
  replica.calls[1]?.(7n)
  expect(await caughtUp).toBe(true)
})

it('does not ask a replica again for a while after it failed', async () => {
  let asked = 0
  const replica = async () => {
    asked += 1
    throw new Error('connection refused')
  }
  const position = createReplicaPosition({ primary: async () => 7n, replica, pauseMs: 60_000 })
  expect(await position.hasCaughtUp()).toBe(false)
  expect(await position.hasCaughtUp()).toBe(false)
  expect(asked).toBe(1)
})
