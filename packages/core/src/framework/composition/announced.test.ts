import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createPlanLimits, joinPlanLimits } from '../../model/plan.ts'
import type { EventDefinition } from '../../runtime/events/define-event.ts'
import { everyModule } from '../../testing/every-module.ts'

const MODULES = join(import.meta.dirname, '../../modules')

/** The sources of the modules, by their path. */
const sources = new Map(
  globSync('**/*.ts', { cwd: MODULES })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => [path, readFileSync(join(MODULES, path), 'utf8')] as const),
)

/** The places where events are defined, named and followed, but not emitted. */
const QUOTING = /(?:^|\/)(?:events|module|notifications|index)\.ts$/
const IMPORTS = /^import [\s\S]+? from '.+'$/gm

it('defines every event in a module that is known, which lists it', async () => {
  const listed = new Set(everyModule.flatMap(({ events }): readonly EventDefinition[] => events))
  for (const path of [...sources.keys()].filter((each) => each.endsWith('events.ts'))) {
    const exported: Record<string, unknown> = await import(join(MODULES, path))
    const defined = Object.values(exported).filter(
      (value): value is EventDefinition => typeof value === 'object' && value !== null && 'audience' in value,
    )
    for (const event of defined) expect(listed.has(event), `${path}: ${event.type}`).toBe(true)
  }
})

it('emits every event that it defines', () => {
  const emitting = [...sources]
    .filter(([path]) => !QUOTING.test(path))
    .map(([, text]) => text.replaceAll(IMPORTS, '').replaceAll(/\bon\(\w+|\w+\.type\b/g, ''))
    .join('\n')
  const names = [...sources.values()].flatMap((text) =>
    [...text.matchAll(/^export const (\w+) = defineEvent\(/gm)].map(([, name = '']) => name),
  )
  expect(names.length).toBeGreaterThan(80)
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(emitting))).toEqual([])
})

it('enforces every limit of a plan', () => {
  const { limits, ...others } = createPlanLimits(joinPlanLimits(everyModule))('pro')
  const enforcing = [...sources].filter(([path]) => !/schemas|serialize|plan-limits/.test(path)).map(([, text]) => text)
  const enforced = (limit: string) => enforcing.some((text) => new RegExp(`\\b${limit}\\b`).test(text))
  // Requests are counted by the host of the modules.
  const { name: _, apiRequestsPerMinute: __, ...rest } = others
  expect(Object.keys({ ...limits, ...rest }).filter((limit) => !enforced(limit))).toEqual([])
})
