import { describe, expect, it } from 'vitest'
import { createLease } from './lease.ts'

const SECOND = 1_000
const end = new Date('2026-01-01T00:10:00Z')

function leaseAt() {
  let now = end.getTime() - 600 * SECOND
  const lease = createLease({ authWarningSeconds: 300, authRefreshSeconds: 60 }, () => new Date(now))
  return {
    lease,
    dueIn: (secondsBeforeEnd: number) => {
      now = end.getTime() - secondsBeforeEnd * SECOND
      return lease.due({ sessionExpiresAt: end })
    },
  }
}

describe('the lease of a connection', () => {
  it('warns once, 300 seconds before the credentials end, and ends 60 seconds later', () => {
    const { dueIn } = leaseAt()
    expect(dueIn(301)).toEqual({ kind: 'nothing' })
    expect(dueIn(300)).toEqual({ kind: 'warn', expiresIn: 300 })
    expect(dueIn(299)).toEqual({ kind: 'nothing' })
    expect(dueIn(241)).toEqual({ kind: 'nothing' })
    expect(dueIn(240)).toEqual({ kind: 'end' })
  })

  it('ends with the credentials when they end before those 60 seconds', () => {
    const { dueIn } = leaseAt()
    expect(dueIn(20)).toEqual({ kind: 'warn', expiresIn: 20 })
    expect(dueIn(1)).toEqual({ kind: 'nothing' })
    expect(dueIn(0)).toEqual({ kind: 'end' })
  })

  it('warns again after other credentials were shown', () => {
    const { lease, dueIn } = leaseAt()
    dueIn(300)
    lease.renew()
    expect(dueIn(290)).toEqual({ kind: 'warn', expiresIn: 290 })
  })

  it('never ends for credentials that do not', () => {
    const { lease } = leaseAt()
    expect(lease.due({})).toEqual({ kind: 'nothing' })
  })
})
