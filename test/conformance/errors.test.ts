import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { EepError, errorDefinitions, isEepError } from '@eep/core'
import { beforeAll, describe, expect, it } from 'vitest'

const packages = join(import.meta.dirname, '../../packages')

describe('the errors of all packages', () => {
  beforeAll(async () => {
    // A package defines its errors when it is loaded.
    for (const entry of globSync('*/src/{index,pglite}.ts', { cwd: packages })) {
      await import(pathToFileURL(join(packages, entry)).href)
    }
  })

  it('defines each error code once', () => {
    const codes = errorDefinitions().map(({ code }) => code)
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
  })

  it('gives each error a snake_case code, a sentence and a status', () => {
    for (const { code, status, message } of errorDefinitions()) {
      expect(code).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/)
      expect(message, code).toMatch(/^[\p{L}].*[^.\s]$/u)
      // A redirect is written like an error, with the new address.
      if (status !== 308) expect(status, code).toBeGreaterThanOrEqual(400)
      expect(status, code).toBeLessThan(600)
    }
  })
})

describe('an error', () => {
  it('recognizes an error of another copy of the package', () => {
    const copy = Object.assign(new Error('A sentence'), { [Symbol.for('@eep/core/error')]: true })
    expect(isEepError(copy)).toBe(true)
    expect(isEepError(new EepError({ code: 'a_code', status: 400, message: 'A sentence' }))).toBe(true)
    for (const other of [new Error('a_code'), { code: 'a_code', status: 400 }, 'a_code', null, undefined]) {
      expect(isEepError(other)).toBe(false)
    }
  })

  it('adds the context to an error and keeps its code and status', () => {
    const definition = errorDefinitions().find(({ code }) => code === 'not_found')
    const cause = new Error('why')
    expect(definition?.({ message: 'No profile is called ada', details: { name: 'ada' }, cause })).toMatchObject({
      code: 'not_found',
      status: 404,
      message: 'No profile is called ada',
      details: { name: 'ada' },
      cause,
    })
  })
})
