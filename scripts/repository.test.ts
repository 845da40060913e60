import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ownLinks, withRepository } from './repository.ts'

const { repository } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
const address = repository.url.replace(/^git\+/, '').replace(/\.git$/, '')

it('makes relative links in the README of a published package absolute', () => {
  const page = withRepository(
    'packages/core/README.md',
    'See [files](../../docs/guides/files.md#limits) and [below](#below).',
  )
  expect(page).toBe(`See [files](${address}/blob/main/docs/guides/files.md#limits) and [below](#below).`)
})

it('leaves links to other places and code blocks as they are', () => {
  const page = '[x402](https://x402.org) [mail](mailto:a@example.com)\n\n```ts\nhandlers[0](event)\n```\n'
  expect(withRepository('packages/core/README.md', page)).toBe(page)
})

it('leaves relative links alone where the page is read in the repository', () => {
  const page = 'See [files](docs/guides/files.md).'
  expect(withRepository('README.md', page)).toBe(page)
  expect(withRepository('packages/host-example/README.md', page)).toBe(page)
})

it('finds the files that a page names by their public address', () => {
  const page = `[a](${address}/blob/main/docs/guides/files.md#limits) [b](${address}/tree/main/docs) [c](${address}/issues)`
  expect(ownLinks(page)).toEqual(['docs/guides/files.md', 'docs'])
})
