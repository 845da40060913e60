import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { EepEmails } from '../framework/composition/emails.ts'
import type { PublishedOf } from '../framework/module/define-module.ts'
import type { EepServices } from '../framework/services.ts'
import type { EventDefinition } from '../runtime/events/define-event.ts'
import { coreEventDefinitions } from './event-definitions.ts'
import { coreModules } from './index.ts'
import { CORE_MODULE_NAMES } from './module-names.ts'

type CoreModule = (typeof coreModules)[number]
type Same<Left, Right> = [Left] extends [Right] ? ([Right] extends [Left] ? true : false) : false

// The types that hosts see are written in separate files, because those of the modules are large. They must not differ.
const areServicesComplete: Same<keyof PublishedOf<typeof coreModules>, keyof EepServices> = true
const areServicesTheirs: PublishedOf<typeof coreModules> extends EepServices ? true : false = true
const areEmailsComplete: Same<CoreModule['emails'][number]['kind'], keyof EepEmails> = true

describe('the lists of the modules of the package', () => {
  it('have the name of every module, in order', () => {
    expect(CORE_MODULE_NAMES).toEqual(coreModules.map(({ name }) => name))
  })

  it('have the events of every module, and no others', () => {
    const events = coreModules.flatMap(({ events }): readonly EventDefinition[] => events)
    expect(new Set<EventDefinition>(coreEventDefinitions)).toEqual(new Set(events))
  })

  it('have the services and emails of every module', () => {
    expect([areServicesComplete, areServicesTheirs, areEmailsComplete]).toEqual([true, true, true])
  })
})

it('has no module that looks up another one by its name', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  expect(sources.length).toBeGreaterThan(500)
  const lookup = new RegExp(`\\bhas\\('(${CORE_MODULE_NAMES.join('|')})'\\)|\\bmoduleNames\\b`)
  const found = sources.filter((file) => lookup.test(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')))
  expect(found).toEqual([])
})
