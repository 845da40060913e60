import { describe, expect, it } from 'vitest'
import { wantsApproval, withApproval } from './approval.ts'

const publication = { profileId: 1, title: 'Notes', slug: 'notes', body: '', excerpt: null }

describe('wantsApproval', () => {
  const beforePublish = () => {}

  it.each([
    { hooks: { beforePublish }, status: 'published', wanted: true },
    { hooks: { beforePublish }, status: 'draft', wanted: false },
    { hooks: { beforePublish }, status: 'archived', wanted: false },
    { hooks: {}, status: 'published', wanted: false },
    { hooks: {}, status: 'draft', wanted: false },
  ] as const)('returns $wanted for a page that is $status, with the hooks $hooks', ({ hooks, status, wanted }) => {
    expect(wantsApproval(hooks, { status })).toBe(wanted)
  })
})

describe('withApproval', () => {
  it('asks again when what would be published has changed since the host saw it', async () => {
    const seen: string[] = []
    const revisions = ['version 1', 'version 2', 'version 2']
    const stored = await withApproval({ beforePublish: ({ title }) => void seen.push(title) }, async (approved) => {
      const revision = revisions.shift() ?? ''
      return approved === revision ? { done: revision } : { publication: { ...publication, title: revision }, revision }
    })
    expect(seen).toEqual(['version 1', 'version 2'])
    expect(stored).toBe('version 2')
  })

  it('stores nothing when the host refuses', async () => {
    let attempts = 0
    const refused = withApproval({ beforePublish: () => Promise.reject(new Error('no')) }, async () => {
      attempts += 1
      return { publication, revision: 'version 1' }
    })
    await expect(refused).rejects.toThrow('no')
    expect(attempts).toBe(1)
  })
})
