import { defineModule } from '@eep/core/module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { quotesEdited, quotesModule } from '../support/quotes-module.ts'
import { newMember, newOrganization, type OwnedProfile } from '../support/teams.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
let profile: OwnedProfile

beforeAll(async () => {
  test = await createTestApp({ modules: [quotesModule()] }, {}, (app) => {
    const guard = app.eep.requirePermission('quotes.edit', () => profile.id)
    app.put('/host/quotes', { preHandler: guard }, async () => 'edited')
  })
  profile = await newOrganization(test.app)
})
afterAll(() => test.close())

describe('a permission of a host', () => {
  it('is given by the roles that the module names, in services and in guards', async () => {
    const editor = await newMember(test.app, profile, 'editor')
    const viewer = await newMember(test.app, profile, 'viewer')
    for (const [person, status] of [
      [profile.owner, [204, 200]],
      [editor, [204, 200]],
      [viewer, [403, 403]],
      [await signUp(test.app), [403, 403]],
    ] as const) {
      const ofModule = await person.put(`/profiles/${profile.id}/quotes`, { text: 'Buy low.' })
      const ofHost = await client(test.app).with(person.headers).put('/host/quotes')
      expect([ofModule.statusCode, ofHost.statusCode]).toEqual(status)
    }
  })

  it('refuses the start when another module has it, and names both', async () => {
    const readsAudit = { 'audit.read': { role: 'viewer', summary: 'Read it' } } as const
    const audit = defineModule({ name: 'audit', permissions: readsAudit })
    await expect(createTestApp({ modules: [audit], storage: test.storage })).rejects.toThrow(
      'The module "audit" defines the permission "audit.read", which the module "audit-log" defines',
    )
  })

  it('cannot guard a route when no module defines it', () => {
    const misspelt = 'quotes.edti' as 'quotes.edit'
    expect(() => test.eep.requirePermission(misspelt, profile.id)).toThrow(
      'A route requires the permission "quotes.edti", which no module defines',
    )
  })
})

describe('a plan limit of a host', () => {
  it('has the values of the module, which the host changes with those of the service', async () => {
    const plans = { pro: { 'quotes.stored': 7, maxPosts: 3 } }
    const { eep, close } = await createTestApp({ modules: [quotesModule()], limits: { plans }, storage: test.storage })
    expect((['community', 'pro', 'team'] as const).map(eep.quotes.allowed)).toEqual([1, 7, 1_000])
    await close()
  })

  it('refuses the start when no module has it, or when its value is out of range', async () => {
    const plans = { pro: { 'quotes.stored': -1, maxPosts: 1.5 }, team: { maxPots: 3 } } as object
    const starting = createTestApp({ modules: [quotesModule()], limits: { plans }, storage: test.storage })
    const error: unknown = await starting.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toContain('limits.plans.pro.quotes.stored: Too small')
    expect(String(error)).toContain('limits.plans.pro.maxPosts: Invalid input')
    expect(String(error)).toContain('limits.plans.team.maxPots: No module has this limit')
  })
})

describe('a module of a host', () => {
  it('has an event, a scope and an error beside its option, without a change of the service', async () => {
    const small = await createTestApp({ modules: [quotesModule({ maxLength: 5 })], storage: test.storage })
    const seen: unknown[] = []
    small.eep.on(quotesEdited, ({ data }) => void seen.push(data))
    const { headers } = await newKey(small.app, profile.owner.headers, { scopes: ['write:quotes'] })
    const byKey = client(small.app).with(headers)
    const url = `/profiles/${profile.id}/quotes`
    expect((await byKey.put(url, { text: 'Short' })).statusCode).toBe(204)
    await expect.poll(() => seen).toEqual([{ text: 'Short' }])
    const refused = await byKey.put(url, { text: 'Too long' })
    expect([refused.statusCode, refused.json().error]).toMatchObject([
      422,
      { code: 'quote_too_long', details: { max_length: 5 } },
    ])
    await small.close()
  })
})
