import { cashRail, createCashWallets } from '@eep/core/testing'
import { afterAll, expect } from 'vitest'
import { webAgent } from './agents.ts'
import { createTestApp } from './app.ts'
import { client, type Headers } from './client.ts'
import { createWriter } from './content.ts'

/** The text of the guarded page; nothing else contains it. */
export const GUARDED_WORD = 'plover-secret-goods'

export const GUARDED_PRICE = { type: 'payment', amount: 1, currency: 'usdc', per: 'day' }

/** A service with one page, which tests guard with different requirements. It ends with the test file. */
export async function openGuardedPage() {
  const cashWallets = createCashWallets()
  const web = await webAgent()
  const service = await createTestApp({
    http: { allowPrivateHosts: [web.host] },
    payments: { rails: [cashRail({ cashWallets })] },
    gates: {
      requirementVerifiers: {
        'x-membership': (requirement, { caller }) => caller?.account.username === String(Object(requirement).name),
      },
    },
    hooks: {
      legalRestriction: ({ resource }) =>
        resource.includes('forbidden_here') ? { reason: 'A court said so.', jurisdiction: 'DE' } : undefined,
    },
  })
  afterAll(async () => {
    await service.close()
    await web.close()
  })
  const owner = await createWriter(service.app, 'babbage')
  const category = await owner.newCategory({ name: 'Notes' })
  await owner.newPage({ title: 'Kept', category_id: category.id, body: GUARDED_WORD, excerpt: 'A taste.' })
  await owner.newPage({ title: 'Forbidden here', body: GUARDED_WORD })
  const path = `${owner.contents}/notes/kept`
  const did = 'did:web:profiles.example:u:babbage'
  const read = (headers: Headers = {}) => client(service.app).get(path, headers)

  return {
    service,
    cashWallets,
    web,
    owner,
    path,
    did,
    read,

    /** Guards the page with a tier that asks for these requirements. */
    async guard(...requirements: object[]) {
      const config = {
        default_tier: 'public',
        tiers: {
          public: { requirements: [], access: ['profile.*', 'content.*'] },
          inner: { requirements, access: ['content.notes.*'] },
        },
      }
      const answer = await owner.put(`/eep/gates/${did}`, config)
      if (answer.statusCode !== 200) throw new Error(answer.body)
    },

    async expectClosed(headers: Headers = {}, status = 403) {
      const answer = await read(headers)
      expect(answer.statusCode, answer.body).toBe(status)
      expect(answer.body).not.toContain(GUARDED_WORD)
      return answer
    },

    async expectOpen(headers: Headers = {}) {
      const answer = await read(headers)
      expect(answer.statusCode, answer.body).toBe(200)
      expect(answer.body).toContain(GUARDED_WORD)
      expect(answer.headers['cache-control']).toMatch(/^private/)
    },
  }
}
