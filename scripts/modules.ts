// The table of modules, from their declarations and the docstrings before them.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { everyModule } from '../packages/core/src/testing/every-module.ts'

type Named = { readonly name: string }

/** The docstring before a declaration, as one line. */
const DECLARED = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport const \w+ = (?:defineModule|feature)\(/

const declarations = globSync('packages/core/src/modules/**/module.ts', { cwd: join(import.meta.dirname, '..') }).map(
  (path) => readFileSync(join(import.meta.dirname, '..', path), 'utf8'),
)

function summaryOf({ name }: Named): string {
  const source = declarations.find((text) => text.includes(`  name: '${name}',`))
  const docstring = source && DECLARED.exec(source)?.[1]
  if (docstring === undefined) throw new Error(`The module "${name}" has no docstring`)
  return docstring.replaceAll(/\s*\n \* ?/g, ' ').trim()
}

const namesOf = (modules: readonly Named[] = []) => modules.map(({ name }) => `\`${name}\``).join(', ')

/** A table with a row for each module, in order of dependency. */
export function moduleTable(): string {
  const rows = everyModule.map((module) => {
    const { name, requires, uses } = module
    return `| \`${name}\` | ${summaryOf(module)} | ${namesOf(requires)} | ${namesOf(uses)} |`
  })
  return ['| module | what it does | requires | uses, where it is on |', '|---|---|---|---|', ...rows].join('\n')
}
