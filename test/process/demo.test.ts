import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blocksOf, isShown, shownCommands } from '../../scripts/console-blocks.ts'
import { run } from '../support/host.ts'

const hasAnvil = process.env.ANVIL_BIN !== undefined || (process.platform === 'linux' && process.arch === 'x64')

describe('the demo', { timeout: 300_000 }, () => {
  it('buys a page with the official client, verifies its receipt, and prints what the quick tour shows', async () => {
    const demo = run('demo')
    expect(await demo.closed, demo.said.stderr).toBe(0)
    expect(demo.said.stderr).toBe('')
    const tour = await readFile(join(import.meta.dirname, '../../docs/start/quick-tour.md'), 'utf8')
    const shown =
      blocksOf(tour)
        .flatMap(shownCommands)
        .find(({ command }) => command === 'npm run demo')?.output ?? ''
    const anyPort = (text: string) => text.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1')
    expect(isShown(anyPort(shown), anyPort(demo.said.stdout)), demo.said.stdout).toBe(true)
  })

  it.runIf(hasAnvil)('buys it on a local chain with the option --chain, and shows the balances', async () => {
    const demo = run('demo', {}, ['--chain'])
    expect(await demo.closed, demo.said.stderr).toBe(0)
    expect(demo.said.stdout).toContain('with a token that behaves like USDC')
    expect(demo.said.stdout).toMatch(/after {4}buyer 0\.99 USDC, seller 0\.01 USDC/)
  })

  it('reports what is missing when no chain can be started', async () => {
    const demo = run('demo', { ANVIL_BIN: '/nowhere/anvil' }, ['--chain'])
    expect(await demo.closed).toBe(1)
    expect(demo.said.stderr).toContain('The demo failed: ')
    expect(demo.said.stderr).toContain('/nowhere/anvil')
  })
})
