import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const WORKFLOWS = join(import.meta.dirname, '../../.github/workflows')

it.each(await readdir(WORKFLOWS))('%s names each action by its commit, not by a tag that can move', async (file) => {
  const text = await readFile(join(WORKFLOWS, file), 'utf8')
  const actions = [...text.matchAll(/^\s*-? ?uses: (.+)$/gm)].map(([, action]) => action)
  expect(actions.length).toBeGreaterThan(0)
  for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d/)
})
