import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sandbox } from '@eep/core/sandbox'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
beforeAll(async () => {
  test = await createTestApp({ modules: [sandbox()] })
})
afterAll(() => test.close())

/** The members that docs/reference/service.md lists: `profiles.find`. */
const documented = readFileSync(join(import.meta.dirname, '../../docs/reference/service.md'), 'utf8')
  .split('\n')
  .flatMap((line) => /^- \*\*`([\w.]+)/.exec(line)?.[1] ?? [])

/** Everything that can be reached from an object, symbols and hidden properties included, and from functions too. */
function membersOf(value: object, above: string): readonly string[] {
  return Reflect.ownKeys(value).flatMap((key) => {
    const name = above + String(key)
    const member: unknown = Reflect.get(value, key)
    if (typeof member === 'object' && member !== null && !Array.isArray(member)) return membersOf(member, `${name}.`)
    return [name]
  })
}

it('gives hosts the members that the docs list, and reaches nothing else', () => {
  expect(membersOf(test.eep, '').toSorted()).toEqual(documented.toSorted())
})

it('gives hosts functions, flags and names only, whose prototypes lead nowhere', () => {
  for (const name of documented) {
    const member = name.split('.').reduce<unknown>((value, key) => Reflect.get(Object(value), key), test.eep)
    expect([name, typeof member]).toEqual([name, expect.stringMatching(/^(function|boolean|string|object)$/)])
    if (typeof member === 'object') expect([name, member]).toEqual(['modules', expect.any(Array)])
  }
  for (const [name, service] of Object.entries(test.eep)) {
    if (typeof service === 'object' && !Array.isArray(service)) {
      expect([name, Object.getPrototypeOf(service)]).toEqual([name, Object.prototype])
    }
  }
})
