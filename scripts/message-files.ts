import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { Options } from 'tsup'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/** How a module names the folder of its texts. */
const FOLDER = "new URL('./messages/', import.meta.url)"

/** Where a package has the texts of a folder of its sources, beside its chunks. */
const target = (folder: string) => `messages/${relative('src', folder).replaceAll('\\', '/')}`

/** Makes chunks read texts from the folders that {@link copyMessages} fills: chunks of all modules are in one folder. */
export const messageFolders = (): Plugin => ({
  name: 'message-folders',
  setup(build) {
    build.onLoad({ filter: /[/\\](common-)?messages\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(
        FOLDER,
        FOLDER.replace('messages/', `${target(relative('.', dirname(path)))}/`),
      ),
      loader: 'ts',
    }))
  },
})

/** Copies the texts in other languages than English, which is in the chunks, into a built package. */
export function copyMessages(): void {
  for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    const source = join('src', file)
    const folder = dirname(source)
    if (basename(folder) !== 'messages' || !file.endsWith('.json') || basename(file) === 'en.json') continue
    const copy = join('dist', target(dirname(folder)), basename(file))
    mkdirSync(dirname(copy), { recursive: true })
    copyFileSync(source, copy)
  }
}
