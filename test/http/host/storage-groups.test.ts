import { OPTIONAL_GROUPS } from '@eep/core/ports'
import { narrowStorage, storageContract } from '@eep/core/testing'
import * as vitest from 'vitest'
import { openStorage } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { createCashApp, header, openShop, SECRET_WORD } from '../../support/shop.ts'

const { describe, expect, it } = vitest

/** A storage that has the required group only. */
async function requiredStorage() {
  const { storage, close } = await openStorage()
  return { ...narrowStorage(storage, []), close }
}

describe('with the required group only', () => storageContract(vitest, { storage: requiredStorage, groups: [] }))

describe('a host on a storage with the required group only', () => {
  const lines: unknown[] = []
  const logger = { info: (fields: unknown) => lines.push(fields), warn: () => {}, error: () => {} }
  let test: Awaited<ReturnType<typeof createCashApp>>
  let storage: Awaited<ReturnType<typeof requiredStorage>>
  vitest.beforeAll(async () => {
    storage = await requiredStorage()
    test = await createCashApp({ storage, logger })
  })
  vitest.afterAll(async () => {
    await test.close()
    await storage.close()
  })

  it('serves a profile, an open page and a page that is paid in cash', async () => {
    const shop = await openShop(test.app, 'ada')
    for (const url of [shop.profile, shop.contents, shop.open]) {
      expect((await client(test.app).get(url)).statusCode, url).toBe(200)
    }
    const refused = await client(test.app).get(shop.paid)
    expect(refused.statusCode).toBe(402)
    expect(refused.body).not.toContain(SECRET_WORD)
    const headers = await test.cashWallets.answer(header(refused, 'payment-required'))
    const paid = await client(test.app).get(shop.paid, headers)
    expect(paid.statusCode).toBe(200)
    expect(paid.body).toContain(SECRET_WORD)
  })

  it('has the modules that need no other group, and logs at the start why the others are off', async () => {
    expect(test.eep.modules).toEqual([
      'profiles',
      'accounts',
      'agents',
      'trust',
      'receipts',
      'gates',
      'paywall',
      'content',
      'agent-access',
      'web-bot-auth',
      'delegation',
      'data-withdrawal',
      'profile-pages',
      'discovery',
      'mcp',
      'account-pages',
      'owner-console',
      'usage',
    ])
    const off = lines.flatMap((line) => (typeof line === 'object' && line !== null && 'module' in line ? [line] : []))
    expect(off).toContainEqual({ module: 'reactions', stores: ['reactions'] })
    expect(off).toContainEqual({ module: 'media', stores: ['files', 'jobs', 'media'] })
    expect(off.filter((line) => line.module === 'reactions')).toHaveLength(1)
  })

  it('logs once at the start which parts of enabled modules are off', () => {
    const parts = {
      profiles: ['profileNames', 'profileNumbers', 'hiddenProfiles', 'changelog'],
      receipts: ['sales'],
      gates: ['gateVersions'],
      paywall: ['agreements', 'paidRequests'],
      content: ['pageVersions', 'pageDrafts', 'ordering', 'oldPaths'],
      discovery: ['siteIndex'],
    }
    for (const [module, stores] of Object.entries(parts)) {
      const logged = lines.filter(
        (line) => typeof line === 'object' && line !== null && 'module' in line && line.module === module,
      )
      expect(logged, module).toEqual([{ module, stores }])
    }
  })

  it('describes no operation of the other modules in its OpenAPI document', async () => {
    const full = await createCashApp()
    const tagsAt = async ({ app }: typeof test) => {
      const { paths } = (await client(app).get('/docs/openapi.json')).json() as {
        paths: Record<string, Record<string, { tags?: readonly string[] }>>
      }
      const operations = Object.values(paths).flatMap((path) => Object.values(path))
      return { paths: Object.keys(paths), tags: new Set(operations.flatMap(({ tags = [] }) => tags)) }
    }
    const [here, all] = [await tagsAt(test), await tagsAt(full)]
    await full.close()
    expect(here.paths.length).toBeGreaterThan(50)
    const gone = [...all.tags].filter((tag) => !here.tags.has(tag))
    expect(gone.sort()).toEqual([
      'admin',
      'analytics',
      'api keys',
      'audit log',
      'commerce',
      'connected apps',
      'connections',
      'events',
      'export',
      'feed',
      'files',
      'jobs',
      'memory',
      'messages',
      'notifications',
      'oauth-server',
      'scanner',
      'search',
      'services',
      'streams',
      'subscriptions',
      'teams',
      'transfers',
      'webhooks',
      'workspaces',
    ])
    for (const path of here.paths) expect(all.paths).toContain(path)
    expect(here.paths.filter((path) => /reaction|wallet|sitemap|api-keys|\/services|\/files/.test(path))).toEqual([])
  })
})

it('names every optional group of the PostgreSQL storage', async () => {
  const { storage, close } = await openStorage()
  expect([...storage.groups].sort()).toEqual([...OPTIONAL_GROUPS].sort())
  await close()
})
