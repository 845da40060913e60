import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Settings } from '../options/options.ts'
import { createReadiness } from './readiness.ts'

const never = () => new Promise<never>(() => {})
const down = () => Promise.reject(new Error('connection refused'))

function setUp(parts: { readonly [Part in 'storage' | 'mailer' | 'rail']?: () => Promise<unknown> }) {
  const logger = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const pings = Object.fromEntries(
    (['storage', 'mailer', 'rail'] as const).map((name) => [name, vi.fn(parts[name] ?? (async () => {}))]),
  )
  const { storage, mailer, rail } = Object.fromEntries(Object.entries(pings).map(([name, ping]) => [name, { ping }]))
  // Readiness reads these settings only.
  const settings = {
    storage,
    email: { mailer },
    payments: { rails: [{ id: 'x402', ...rail }] },
    logger,
  } as unknown as Settings
  return { check: createReadiness(settings).check, pings, logger }
}

describe('readiness', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is ready when every part answers', async () => {
    expect(await setUp({}).check()).toEqual({ status: 'ready' })
  })

  it('is degraded when anything but the storage is unavailable', async () => {
    const { check } = setUp({ mailer: down, rail: down })
    expect(await check()).toEqual({
      status: 'degraded',
      degraded: { mail: 'unavailable', x402: 'unavailable' },
    })
  })

  it('is not ready when the storage is unavailable, whatever else is', async () => {
    const { check } = setUp({ storage: down, rail: down })
    expect(await check()).toEqual({ status: 'not_ready', reasons: { storage: 'unavailable' } })
  })

  it('counts a part that does not answer within three seconds as unavailable', async () => {
    const { check } = setUp({ rail: never })
    const answer = check()
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await answer).toEqual({ status: 'degraded', degraded: { x402: 'unavailable' } })
  })

  it('shares one check among concurrent callers and reuses its result for two seconds', async () => {
    const { check, pings } = setUp({})
    await Promise.all([check(), check(), check()])
    await vi.advanceTimersByTimeAsync(1_999)
    await check()
    expect(pings.storage).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    await check()
    expect(pings.storage).toHaveBeenCalledTimes(2)
  })

  it('sends no second ping to a part while one is pending, until that one times out', async () => {
    const { check, pings } = setUp({ rail: never })
    const probe = async () => {
      const answer = check()
      await vi.advanceTimersByTimeAsync(5_000)
      await answer
    }
    for (let seconds = 0; seconds < 30; seconds += 5) await probe()
    expect(pings.rail).toHaveBeenCalledTimes(1)
    await probe()
    await probe()
    expect(pings.rail).toHaveBeenCalledTimes(2)
  })

  it('logs an outage when it begins and when it ends', async () => {
    let isDown = true
    const { check, logger } = setUp({ rail: async () => (isDown ? down() : undefined) })
    for (let probe = 0; probe < 4; probe += 1) {
      isDown = probe < 2
      await check()
      await vi.advanceTimersByTimeAsync(2_000)
    }
    expect([logger.warn.mock.calls.length, logger.info.mock.calls.length]).toEqual([1, 1])
    expect(logger.warn.mock.calls[0]).toEqual([
      { part: 'x402', err: expect.objectContaining({ message: 'connection refused' }) },
      'unavailable',
    ])
  })
})
