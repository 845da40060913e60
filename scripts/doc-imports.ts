// Finds names in the docs that the packages do not export: in imports of code blocks, of which only whole examples are compiled, and
// in sentences that say `name` of `package`.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PublicExport } from './public-exports.ts'

const root = join(import.meta.dirname, '..')

const FENCED = /^```ts\n([\s\S]*?)^```$/gm
const IMPORT = /^import (?:type )?\{([^}]+)\} from '(@eep\/[^']+)'/gm
const SENTENCE = /((?:`\w+`(?:, | and )?)+)\s+(?:of|in|from)\s+`(@eep\/[\w/-]+)`/g

interface Mention {
  readonly names: readonly string[]
  readonly entry: string
}

const importsOf = (text: string): readonly Mention[] =>
  [...text.matchAll(FENCED)].flatMap(([, code = '']) =>
    [...code.matchAll(IMPORT)].map(([, names = '', entry = '']) => ({
      entry,
      names: names.split(',').map((name) => name.trim().replace(/^type | as .*$/g, '')),
    })),
  )

const sentencesOf = (text: string): readonly Mention[] =>
  [...text.replaceAll(FENCED, '').matchAll(SENTENCE)].map(([, names = '', entry = '']) => ({
    entry,
    names: names.split('`').filter((name) => /^\w+$/.test(name)),
  }))

/** Names that a page takes from an entry of our packages that does not export them, one sentence each. */
export function wrongImports(exports: readonly PublicExport[]): readonly string[] {
  const entriesWith = (name: string) => exports.filter((each) => each.name === name).map(({ entry }) => entry)
  return globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: root }).flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8')
    return [...importsOf(text), ...sentencesOf(text)].flatMap(({ names, entry }) =>
      names
        .filter((name) => name !== '' && !entriesWith(name).includes(entry))
        .map((name) => {
          const places = entriesWith(name).join(' or ')
          return `${page} has ${name} of ${entry}, which ${places ? `is in ${places}` : 'no package exports'}`
        }),
    )
  })
}
