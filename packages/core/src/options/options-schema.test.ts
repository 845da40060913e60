import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { optionsSchema } from './options-schema.ts'

it('takes no option that the page of the package does not name', () => {
  const page = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
  expect(Object.keys(optionsSchema.shape).filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})
