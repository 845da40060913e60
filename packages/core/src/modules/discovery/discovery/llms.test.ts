import { expect, it } from 'vitest'
import type { ListedProfile, SiteIndexReader } from '../../../ports/storage/discovery.ts'
import type { SmartSection } from '../../../ports/storage/smart-sections.ts'
import { createLlms, type LlmsDeps } from './llms.ts'

const profileOf = (id: number): ListedProfile => ({
  id,
  type: 'person',
  username: `user-${id}`,
  fullName: null,
  bio: null,
  skills: [],
  typeData: {},
  avatarUrl: null,
  agentInstructions: null,
  agentRules: null,
  updatedAt: new Date(0),
  gates: null,
})

/** The lists of 10 profiles with 20 sections each, of which `visibility` decides who sees them. */
function llmsOf(visibility: SmartSection['visibility']) {
  const sections = Array.from({ length: 20 }, (_, position): SmartSection => {
    return {
      key: `s${position}`,
      title: 'Section',
      body: 'x'.repeat(5_000),
      agentTypes: ['general'],
      position,
      visibility,
    }
  })
  const siteIndex: Pick<SiteIndexReader, 'listProfiles' | 'listPages' | 'listBodies'> = {
    listProfiles: async ({ after, limit }) =>
      Array.from({ length: 10 }, (_, index) => profileOf(index + 1))
        .filter(({ id }) => id > after)
        .slice(0, limit),
    listPages: async () => [],
    listBodies: async () => [],
  }
  const sectionsOf = async (ids: readonly number[]) => new Map(ids.map((id) => [id, { sections, gates: null }]))
  const service = {
    name: 'Name',
    description: 'Text',
    publicUrl: 'https://profiles.example',
    did: 'did',
    sessionCookie: 'eep_session',
    rails: [],
  }
  const content = { contentPath: () => '/', accessTo: () => ({ gated: false, price: null }) }
  // Only the methods that the lists read.
  return createLlms({
    read: { siteIndex } as unknown as LlmsDeps['read'],
    sectionsOf,
    service,
    content,
    verifiedOnly: true,
  })
}

it('ends a part of /llms-full.txt where the sections of its profiles exceed the limit', async () => {
  const text = await llmsOf('public').full(0)
  expect(text.length).toBeLessThan(450_000)
  expect(text).toContain('More profiles')
  expect(text.match(/^## /gm)).toHaveLength(3)
})

it('does not count sections that it does not show', async () => {
  const text = await llmsOf('team').full(0)
  expect(text).not.toContain('More profiles')
  expect(text.match(/^## /gm)).toHaveLength(10)
})
