// The entries of core, from the files of packages/core/src/entries: what tsup builds, and the exports of the manifest.
import { globSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../packages/core/src/entries')

/** The files of a folder of entries without their suffix, `files/media` for example, `index` first. */
const namesIn = (cwd: string) =>
  globSync('**/*.ts', { cwd })
    .map((file) => file.replaceAll('\\', '/').replace(/\.ts$/, ''))
    .sort((one, other) => Number(other === 'index') - Number(one === 'index') || (one < other ? -1 : 1))

/**
 * The sources of the entries by the path of what is built from them, relative to packages/core.
 *
 * @param core - the folder packages/core, which the build knows: it bundles this file, so the place of this file is lost there
 */
export const coreSources = (core: string): Readonly<Record<string, string>> =>
  Object.fromEntries(namesIn(join(core, 'src/entries')).map((name) => [name, `src/entries/${name}.ts`]))

type Conditions = Readonly<Record<string, string>>
export type Exports = Readonly<Record<string, Conditions | string>>

/** The exports of core: one for each entry, which resolves to its source in this repository. */
export const coreExports: Exports = {
  ...Object.fromEntries(
    namesIn(folder).map((name) => [
      name === 'index' ? '.' : `./${name}`,
      { '@eep/source': `./src/entries/${name}.ts`, types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
    ]),
  ),
  './package.json': './package.json',
}

/** The exports of a published package, which has no sources. */
export const publishedExports = (exports: Exports): Exports =>
  Object.fromEntries(
    Object.entries(exports).map(([path, conditions]) => {
      if (typeof conditions === 'string') return [path, conditions]
      const { '@eep/source': _, ...published } = conditions
      return [path, published]
    }),
  )
