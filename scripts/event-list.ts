// The list of the events of every module, from packages/core/src/modules/**/events.ts.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const modules = join(import.meta.dirname, '../packages/core/src/modules')
const LIST = /^export const (\w+Events) = \[/m

/** The source of packages/core/src/modules/event-definitions.ts, which lists the events of the modules beside it. */
export function eventList(): string {
  const lists = globSync('**/events.ts', { cwd: modules })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
    .map((file) => {
      const [, name] = LIST.exec(readFileSync(join(modules, file), 'utf8')) ?? []
      if (!name)
        throw new Error(
          `packages/core/src/modules/${file} exports no list of its events, as "export const ${wanted(file)} = ["`,
        )
      return { file, name }
    })
  return `// Written by \`npm run docs\` from the files \`events.ts\` of the modules.
${lists.map(({ file, name }) => `import { ${name} } from './${file}'\n`).join('')}
/** The definitions of the events of every module of the package. They are data: importing them loads no module. */
export const coreEventDefinitions = [
${lists.map(({ name }) => `  ...${name},\n`).join('')}] as const
`
}

/** `guestbookEvents` for `profiles/guestbook/events.ts`. */
const wanted = (file: string) =>
  `${file
    .split('/')
    .at(-2)
    ?.replaceAll(/-[a-z]/g, ([, letter = '']) => letter.toUpperCase())}Events`
