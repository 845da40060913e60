// The features of core: which entry exports each, which packages it needs, and its module.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { everyModule } from '../packages/core/src/testing/every-module.ts'

const entries = join(import.meta.dirname, '../packages/core/src/entries')

export interface Feature {
  /** The factory, and the key in `everything()`: `siteScanner`. */
  readonly name: string
  /** `@eep/core/site-scanner` */
  readonly entry: string
  /** What it does, from the docstring of the factory. */
  readonly text: string
  /** The packages without which the factory throws. */
  readonly packages: readonly string[]
  readonly module: (typeof everyModule)[number]
}

const FACTORY = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport const (\w+) = \((?:options\?: \w+)?\): Module =>/g
const BROUGHT = /^import \{ \w+ \} from '(\.[^']*\/(?:adapters|sockets)\/[^']+)'/gm
const INSTALLED = /\bassertInstalled\(([^)]*)\)/

const oneLine = (docstring: string) => docstring.replaceAll(/\s*\n \* ?/g, ' ').trim()

/** The packages that what an entry imports checks. */
const packagesOf = (path: string, source: string) =>
  [...source.matchAll(BROUGHT)].flatMap(([, imported = '']) => {
    const [, names = ''] = INSTALLED.exec(readFileSync(join(dirname(path), imported), 'utf8')) ?? []
    return [...names.matchAll(/'([^']+)'/g)].map(([, name = '']) => name)
  })

function featuresOf(file: string): readonly Feature[] {
  const path = join(entries, file)
  const source = readFileSync(path, 'utf8')
  return [...source.matchAll(FACTORY)].map(([, docstring = '', name = '']) => {
    const moduleName = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const module = everyModule.find((each) => each.name === moduleName)
    if (!module) throw new Error(`${file} exports ${name}, and everything() has no module "${moduleName}"`)
    return {
      name,
      entry: `@eep/core/${file.replace(/\.ts$/, '')}`,
      text: oneLine(docstring.replace(/\n \* @[\s\S]*/, '')),
      packages: packagesOf(path, source),
      module,
    }
  })
}

const order = (feature: Feature) => everyModule.indexOf(feature.module)

/** Each feature of core, in order of dependency. */
export const features: readonly Feature[] = globSync('**/*.ts', { cwd: entries })
  .flatMap(featuresOf)
  .toSorted((one, other) => order(one) - order(other))
