import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { PublishedOf } from '../framework/module/define-module.ts'
import type { EepServices } from '../framework/services.ts'
import type { EventDefinition } from '../runtime/events/define-event.ts'
import { everyModule } from '../testing/every-module.ts'
import { type baseModules, type modulesOnDemand, OPTIONAL_BASE_MODULES } from './base.ts'
import { CATALOGUE_EVENTS } from './discovery/priced-discovery/index.ts'
import { coreEventDefinitions } from './event-definitions.ts'

// The types that hosts see are written in separate files, because those of the modules are large. They must not differ.
type Base = readonly [...typeof baseModules, ...typeof modulesOnDemand]
const areServicesTheirs: PublishedOf<Base> extends Pick<EepServices, keyof PublishedOf<Base>> ? true : false = true

const names = everyModule.map(({ name }) => name)

it('lists the events of every module, and no others', () => {
  const events = everyModule.flatMap(({ events }): readonly EventDefinition[] => events)
  expect(new Set<EventDefinition>(coreEventDefinitions)).toEqual(new Set(events))
})

it('has the events that the catalogue of priced resources follows', () => {
  const known = new Set<string>(coreEventDefinitions.map(({ type }) => type))
  expect(CATALOGUE_EVENTS.filter((type) => !known.has(type))).toEqual([])
})

it('has a type for the services of the base', () => {
  expect(areServicesTheirs).toBe(true)
})

it('lets a host leave out the modules of the base that no other one requires', async () => {
  const { baseModules } = await import('./base.ts')
  const required = baseModules.flatMap(({ requires }) => requires.map(({ name }) => name))
  const free = baseModules.map(({ name }) => name).filter((name) => !required.includes(name as never))
  // The trust levels are left out together with the trust scores.
  expect(new Set([...free, 'trust'])).toEqual(new Set(OPTIONAL_BASE_MODULES))
})

it('has no module that looks up another one by its name', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  expect(sources.length).toBeGreaterThan(500)
  const lookup = new RegExp(`\\bhas\\('(${names.join('|')})'\\)|\\bmoduleNames\\b`)
  const found = sources.filter((file) => lookup.test(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')))
  expect(found).toEqual([])
})
