import { expect, it } from 'vitest'
import type { GateConfig } from '../../model/gate-config.ts'
import { withFileIds } from './gate-archive.ts'

it('replaces the ids of files in patterns, and nothing else', () => {
  const access = ['*', 'files.f7', 'files.f8', 'files.*', 'content.f7', 'content.notes.*']
  const config = { default_tier: 'public', tiers: { public: { requirements: [], access } } } as GateConfig
  expect(withFileIds(config, new Map([[7, 70]])).tiers.public?.access).toEqual([
    '*',
    'files.f70',
    'files.f8',
    'files.*',
    'content.f7',
    'content.notes.*',
  ])
})
