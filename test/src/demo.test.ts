import { describe, expect, it } from 'vitest'
import { run } from './support/host.ts'

const hasAnvil = process.env.ANVIL_BIN !== undefined || (process.platform === 'linux' && process.arch === 'x64')

describe('the demo', { timeout: 300_000 }, () => {
  it.runIf(hasAnvil)('buys a page with the official client and verifies its receipt', async () => {
    const demo = run('demo')
    expect(await demo.closed, demo.said.stderr).toBe(0)
    expect(demo.said.stderr).toBe('')
    const timeline = [
      'GET /o/demo  →  200',
      '402 Payment Required',
      'price    0.01 USDC per day',
      'before   buyer 1 USDC, seller 0 USDC',
      'signed   0.01 USDC',
      '200 OK',
      'Small craft: be in by 17:00.',
      'settled  0x',
      'after    buyer 0.99 USDC, seller 0.01 USDC',
      'reads the page again and pays nothing',
      'receipt  rcpt_',
      'verified',
      'Done in',
    ]
    let at = 0
    for (const event of timeline) {
      at = demo.said.stdout.indexOf(event, at)
      expect(at, `${event}, in this order, in\n${demo.said.stdout}`).toBeGreaterThan(-1)
    }
  })

  it('says what is missing where no chain can be started', async () => {
    const demo = run('demo', { ANVIL_BIN: '/nowhere/anvil' })
    expect(await demo.closed).toBe(1)
    expect(demo.said.stderr).toContain('The demo failed: ')
    expect(demo.said.stderr).toContain('/nowhere/anvil')
  })
})
