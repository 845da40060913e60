// What is generated about the storage: the tables of groups and methods in docs/adapters/storage.md from the interfaces of
// packages/core/src/ports/storage and their exports, the list of contract cases from packages/core/src/testing/storage, and the list of
// migrations from packages/adapters-postgres/src/migrations. Run it to see how many methods each group has.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { docLine } from './docstrings.ts'

const core = join(import.meta.dirname, '../packages/core/src')

/** The most methods that the required group may have. */
export const MAX_REQUIRED_METHODS = 64

interface Method {
  readonly name: string
  /** The first sentence of its docstring. */
  readonly summary: string
}

interface Store {
  readonly name: string
  readonly methods: readonly Method[]
}

interface Group {
  /** `required`, or the name of an optional group. */
  readonly name: string
  readonly stores: readonly Store[]
}

const parse = (file: string) =>
  ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, /* setParentNodes */ true)

function summaryOf(node: ts.Node): string {
  const docs = ts.getJSDocCommentsAndTags(node).map((doc) => ts.getTextOfJSDocComment(doc.comment) ?? '')
  const text = docLine(docs.join(' '))
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text
}

/** Every interface of the ports by name, with the methods of those that it extends. */
function readInterfaces(): (name: string) => readonly Method[] {
  const declared = new Map<string, ts.InterfaceDeclaration>()
  for (const file of globSync('ports/storage/*.ts', { cwd: core })) {
    for (const statement of parse(join(core, file)).statements) {
      if (ts.isInterfaceDeclaration(statement)) declared.set(statement.name.text, statement)
    }
  }
  const methodsOf = (name: string): readonly Method[] => {
    const found = declared.get(name)
    if (!found) return []
    const inherited = (found.heritageClauses ?? []).flatMap(({ types }) =>
      types.flatMap(({ expression }) => methodsOf(expression.getText())),
    )
    const own = found.members
      .filter(ts.isMethodSignature)
      .map((member) => ({ name: member.name.getText(), summary: summaryOf(member) }))
    const all = [...inherited, ...own]
    return all.filter(({ name: each }, index) => all.findIndex((other) => other.name === each) === index)
  }
  return methodsOf
}

/** The stores that a type literal or an interface of `Halves<Reader, Store>` names. */
function storesIn(members: ts.NodeArray<ts.TypeElement>, methodsOf: (name: string) => readonly Method[]): Store[] {
  return members.filter(ts.isPropertySignature).map((member) => {
    const type = member.type
    const store = type && ts.isTypeReferenceNode(type) ? type.typeArguments?.[1] : undefined
    if (!store) throw new Error(`${member.name.getText()} in groups.ts is not Halves<Reader, Store>`)
    const methods = methodsOf(store.getText())
    if (methods.length === 0) throw new Error(`${store.getText()} in groups.ts has no methods`)
    return { name: member.name.getText(), methods }
  })
}

/** The groups of the storage port as its interfaces declare them, the required one first. */
export function readGroups(): readonly Group[] {
  const methodsOf = readInterfaces()
  const groups: Group[] = []
  for (const statement of parse(join(core, 'ports/storage/groups.ts')).statements) {
    if (!ts.isInterfaceDeclaration(statement)) continue
    if (statement.name.text === 'RequiredStores') {
      groups.unshift({ name: 'required', stores: storesIn(statement.members, methodsOf) })
    }
    if (statement.name.text !== 'OptionalGroups') continue
    for (const member of statement.members.filter(ts.isPropertySignature)) {
      if (!member.type || !ts.isTypeLiteralNode(member.type)) throw new Error(`${member.getText()} is not a group`)
      groups.push({ name: member.name.getText(), stores: storesIn(member.type.members, methodsOf) })
    }
  }
  return groups
}

const countOf = ({ stores }: Group) => stores.reduce((sum, { methods }) => sum + methods.length, 0)

/** A Markdown table with columns of one width, as the formatter wants it. */
function table(rows: readonly (readonly [string, string])[]): string {
  const width = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length))
  const line = ([left, right]: readonly [string, string], filler = ' ') =>
    `| ${left.padEnd(width(0), filler)} | ${right.padEnd(width(1), filler)} |`
  const [head, ...body] = rows.map((row) => line(row))
  return [head, line(['', ''], '-'), ...body].join('\n')
}

/**
 * The tables as Markdown.
 *
 * @throws Error that names the methods without a docstring
 */
export function groupTables(groups: readonly Group[] = readGroups()): string {
  const total = groups.reduce((sum, group) => sum + countOf(group), 0)
  const [required, ...optional] = groups
  if (!required) throw new Error('groups.ts has no required group')
  const silent = groups.flatMap(({ stores }) =>
    stores.flatMap(({ name, methods }) =>
      methods.filter(({ summary }) => summary === '').map((method) => `${name}.${method.name}`),
    ),
  )
  if (silent.length > 0) throw new Error(`These methods of stores have no docstring: ${silent.join(', ')}`)
  const tableOf = ({ stores }: Group) =>
    table([
      ['method', 'what it does'],
      ...stores.flatMap(({ name, methods }) =>
        methods.map((method) => [`\`${name}.${method.name}\``, method.summary.replaceAll('|', '\\|')] as const),
      ),
    ])
  const title = (group: Group) => `\`${group.name}\` (${countOf(group)} methods)`
  return [
    `The required group has ${countOf(required)} methods, all groups together have ${total}.`,
    `### The ${title(required)}`.replace('`required`', 'required group'),
    tableOf(required),
    ...optional.flatMap((group) => [`### The optional group ${title(group)}`, tableOf(group)]),
  ].join('\n\n')
}

/** Throws when the required group has more methods than an author of an adapter is asked for. */
export function checkRequiredGroup(groups: readonly Group[] = readGroups()): { required: number; all: number } {
  const required = groups.filter(({ name }) => name === 'required').reduce((sum, group) => sum + countOf(group), 0)
  const all = groups.reduce((sum, group) => sum + countOf(group), 0)
  if (required > MAX_REQUIRED_METHODS) {
    throw new Error(`The required group of the storage has ${required} methods; ${MAX_REQUIRED_METHODS} are allowed`)
  }
  return { required, all }
}

const CASES = /^export const (\w+) = casesFor\(/gm
const MAX_COLUMNS = 120

/** A list between brackets on one line, or one name on each line when it is too long, as the formatter does it. */
function wrapped(names: readonly string[], { before, after, indent }: Record<'before' | 'after' | 'indent', string>) {
  const pad = before.endsWith('{') ? ' ' : ''
  const line = `${before}${pad}${names.join(', ')}${pad}${after}`
  if (line.length <= MAX_COLUMNS) return line
  return `${before}\n${names.map((name) => `${indent}  ${name},\n`).join('')}${indent}${after}`
}

/** The source of packages/core/src/testing/storage/index.ts, which lists the cases of the files beside it. */
export function contractIndex(): string {
  const files = globSync('testing/storage/*.ts', { cwd: core })
    .sort()
    .map((file) => ({
      name: basename(file, '.ts'),
      cases: [...readFileSync(join(core, file), 'utf8').matchAll(CASES)].map(([, name = '']) => name),
    }))
    .filter(({ cases }) => cases.length > 0)
  const imports = files.map(({ name, cases }) =>
    wrapped(cases.toSorted(), { before: 'import {', after: `} from './${name}.ts'`, indent: '' }),
  )
  const rows = files.map(({ name, cases }) => {
    const key = /^\w+$/.test(name) ? name : `'${name}'`
    return wrapped(cases, { before: `  ${key}: [`, after: '],', indent: '  ' })
  })
  const types = "import type { Cases } from './bench.ts'"
  return `// Written by \`npm run docs\` from the files of this folder.
${[...imports, types].toSorted(byPath).join('\n')}

/** The cases of the storage contract, by the name of their file. */
export const storageCases: Readonly<Record<string, readonly Cases[]>> = {
${rows.join('\n')}
}
`
}

/** The source of packages/core/src/ports/storage/index.ts, which exports the files beside it. */
export function storageIndex(): string {
  const files = globSync('ports/storage/*.ts', { cwd: core }).filter((file) => basename(file) !== 'index.ts')
  const exports = files.map((file) => {
    const kind = VALUE.test(readFileSync(join(core, file), 'utf8')) ? 'export' : 'export type'
    return `${kind} * from './${basename(file)}'`
  })
  return `// Written by \`npm run docs\` from the files of this folder.
${exports.toSorted(byPath).join('\n')}
`
}

/** A file of types is not loaded. */
const VALUE = /^export (?:async )?(?:const|function) /m

const adapter = join(import.meta.dirname, '../packages/adapters-postgres/src')
const MIGRATION = /^export const (\w+): Migration = /m

/** The source of packages/adapters-postgres/src/migrations/list.ts, which lists the files beside it. */
export function migrationList(): string {
  const files = globSync('migrations/[0-9]*.ts', { cwd: adapter })
    .sort()
    .map((file) => {
      const [, name] = MIGRATION.exec(readFileSync(join(adapter, file), 'utf8')) ?? []
      if (!name) throw new Error(`${file} exports no migration`)
      return { file: basename(file, '.ts'), name }
    })
  const imports = files.map(({ file, name }) => `import { ${name} } from './${file}.ts'`)
  const rows = files.map(({ file, name }) => `  '${file}': ${name},`)
  return `// Written by \`npm run docs\` from the files of this folder.
${imports.join('\n')}
import type { Migrations } from './index.ts'

/** In code, so that bundlers carry them, and applied in this order. */
export const migrations: Migrations = {
${rows.join('\n')}
}
`
}

/** The order of imports of the formatter does not count extensions. */
const pathIn = (line: string) => /'(.*)\.ts'/.exec(line)?.[1] ?? ''
const byPath = (one: string, other: string) => (pathIn(one) < pathIn(other) ? -1 : 1)

if (import.meta.main) {
  for (const group of readGroups()) console.log(`${String(countOf(group)).padStart(4)}  ${group.name}`)
  console.log(checkRequiredGroup())
}
