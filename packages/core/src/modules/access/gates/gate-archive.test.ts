import { expect, it } from 'vitest'
import type { GateConfig } from '../../../model/gate-config.ts'
import { withFileIds } from './gate-archive.ts'

const withAccess = (access: string[]) =>
  ({ default_tier: 'public', tiers: { public: { requirements: [], access } } }) as GateConfig
const accessOf = (access: string[]) => withFileIds(withAccess(access), new Map([[7, 70]])).tiers.public?.access

it('replaces the ids of files in patterns, and nothing else', () => {
  expect(accessOf(['*', 'files.f7', 'files.f7.*', 'files.f07', 'files.*', 'content.f7', 'content.notes.*'])).toEqual([
    '*',
    'files.f70',
    'files.f70.*',
    'files.f07',
    'files.*',
    'content.f7',
    'content.notes.*',
  ])
})

it('removes the patterns of files that are not in the archive, and leaves at least one pattern', () => {
  expect(accessOf(['content.a', 'files.f8', 'files.f8.*'])).toEqual(['content.a'])
  expect(accessOf(['files.f8'])).toEqual(['files.f0'])
})
