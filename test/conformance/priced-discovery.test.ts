import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startFakeStripe } from '@eep/payments-card/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/app.ts'
import { cardRailOn } from '../support/cards.ts'
import { freePort } from '../support/ports.ts'
import { railOf, recordingFacilitator } from '../support/recording-facilitator.ts'
import { openShop, type Shop } from '../support/shop.ts'

/** The path of a program of a package, whose `exports` may hide its files. */
const programOf = (entry: string, ...path: readonly string[]) =>
  join(dirname(createRequire(import.meta.url).resolve(entry)), ...path)

const AGENTCASH = programOf('@agentcash/discovery', '..', 'bin', 'discovery.js')
const REDOCLY = programOf('@redocly/cli/package.json', 'bin', 'cli.js')

/** Runs a program of Node, and returns how it ended and what it wrote. */
const run = (file: string, args: readonly string[], cwd?: string) =>
  new Promise<{ readonly code: number; readonly output: string }>((resolve) => {
    const env = { ...process.env, NODE_OPTIONS: '', REDOCLY_TELEMETRY: 'off', NO_COLOR: '1', CI: '1' }
    execFile(process.execPath, [file, ...args], { cwd, env, maxBuffer: 10_000_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}${stderr}` })
    })
  })

let stripe: Awaited<ReturnType<typeof startFakeStripe>>
let test: Awaited<ReturnType<typeof createTestApp>>
let shop: Shop
let url: string

const sellQuotes = (app: TestApp) => {
  const onRequest = app.eep.requireAccess({
    profile: app.eep.profiles.didOf({ type: 'person', username: 'seller' }),
    resource: 'api.quotes',
    price: { amount: 5, currency: 'usd', per: 'request' },
    listing: {
      path: '/quotes/:symbol',
      title: 'Quotes of one day',
      parameters: [{ name: 'symbol', in: 'path', description: 'Of the share', example: 'ACME' }],
      example: { symbol: 'ACME', quotes: [1, 2, 3] },
    },
  })
  app.get('/quotes/:symbol', { onRequest }, async () => ({ quotes: [1] }))
}

beforeAll(async () => {
  stripe = await startFakeStripe()
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  const rails = [cardRailOn(stripe), railOf(recordingFacilitator().facilitator)]
  const payments = { rails, challengeOrder: 'payment-first' } as const
  test = await createTestApp({ publicUrl: url, payments }, {}, sellQuotes)
  shop = await openShop(test.app, 'seller', { amount: 5, currency: 'usd' })
  await test.app.listen({ port, host: '127.0.0.1' })
})
afterAll(async () => {
  test.app.server.closeAllConnections()
  await test.close()
  await stripe.stop()
})

describe('@agentcash/discovery', () => {
  it('discovers the site without an error or a warning', async () => {
    const { code, output } = await run(AGENTCASH, ['discover', url, '--json'])
    expect(code, output).toBe(0)
    const { warnings = [] } = JSON.parse(output.slice(output.indexOf('{'))) as {
      readonly warnings?: readonly unknown[]
    }
    expect(warnings, output).toEqual([])
  })

  it('checks a page and an endpoint of the host without an error or a warning', async () => {
    for (const path of [shop.paid, '/quotes/ACME']) {
      const { code, output } = await run(AGENTCASH, ['check', `${url}${path}`, '--json'])
      expect(code, output).toBe(0)
      expect(JSON.parse(output), path).toMatchObject({ advisories: [{ authMode: 'paid' }], warnings: [] })
    }
  })
})

describe('@redocly/cli', () => {
  it('accepts the documents of the site and of a profile as OpenAPI 3.1', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'eep-openapi-'))
    await writeFile(join(directory, 'redocly.yaml'), 'extends: [spec]\n')
    for (const [name, path] of [
      ['site', ''],
      ['profile', shop.profile],
    ]) {
      const document = await (await fetch(`${url}${path}/openapi.json`)).text()
      await writeFile(join(directory, `${name}.json`), document)
      const { code, output } = await run(REDOCLY, ['lint', `${name}.json`], directory)
      expect(code, output).toBe(0)
    }
    await rm(directory, { recursive: true })
  })
})
