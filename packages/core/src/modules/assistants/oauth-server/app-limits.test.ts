import { describe, expect, it } from 'vitest'
import { limitsOfApp } from './app-limits.ts'

const most = { purchase: 5, day: 10, month: 50, accountMonth: 200 }
const spending = { usd: most, eur: most, creditsPerDay: 1_000 }

describe('the limits of an app', () => {
  it('are those of the operator, in millionths, where the person chose none', () => {
    const limit = { purchase: 5_000_000, day: 10_000_000, month: 50_000_000, accountMonth: 200_000_000 }
    expect(limitsOfApp(spending, null)).toEqual({ usd: limit, eur: limit })
  })

  it('are those that the person chose, but never more than the operator allows', () => {
    const { usd, eur } = limitsOfApp(spending, { usd: { purchase: 1_000_000, day: 99_000_000, month: 0 } })
    expect(usd).toEqual({ purchase: 1_000_000, day: 10_000_000, month: 0, accountMonth: 200_000_000 })
    expect(eur?.purchase).toBe(5_000_000)
  })
})
