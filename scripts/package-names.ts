// The names that the modules of the package take, imported or not: a module of a host must not have one of them.
import { NAME_KINDS, type NameKind, namesOf } from '../packages/core/src/framework/composition/name-kinds.ts'
import { messageAreas, pageTexts } from '../packages/core/src/model/messages.ts'
import { everyModule } from '../packages/core/src/testing/every-module.ts'

/** The key as it is written in an object. */
const key = (name: string) => (/^[a-z]\w*$/i.test(name) ? name : `'${name}'`)

const list = (names: readonly string[]) => names.map((name) => `  '${name}',\n`).join('')

/** The source of packages/core/src/modules/package-names.ts. */
export function packageNames(): string {
  const tables = (Object.keys(NAME_KINDS) as NameKind[]).map((kind) => {
    const names = Object.entries(namesOf(kind, everyModule)).toSorted()
    return `  ${key(kind)}: {\n${names.map(([name, module]) => `    ${key(name)}: '${module}',\n`).join('')}  },\n`
  })
  return `// Written by \`npm run docs\` from the declarations of the modules.
/** The names of the modules of the package. */
export const PACKAGE_MODULES: readonly string[] = [
${list(everyModule.map(({ name }) => name).toSorted())}]

/** The names that the modules of the package take, imported or not, by kind: each with its module. */
export const PACKAGE_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
${tables.join('')}}

/** The areas of the texts of the package. */
export const PACKAGE_TEXTS: readonly string[] = [
${list([...messageAreas(pageTexts())].toSorted())}]
`
}
