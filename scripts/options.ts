// The page of options: names, types and defaults from the schema, descriptions from the comments of its keys.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { optionsShape } from '../packages/core/src/framework/options/shape.ts'
import type { NumberSchema, Schema, Shape } from '../packages/core/src/framework/options/unknown-option.ts'
import { type Feature, features } from './features.ts'

const core = join(import.meta.dirname, '../packages/core/src')

type AnySchema = Shape[string]

interface Comment {
  readonly text: string
  /** What follows `@default`. */
  readonly byDefault: string | undefined
}

const fileOf = (path: string) =>
  ts.createSourceFile(path, readFileSync(join(core, path), 'utf8'), ts.ScriptTarget.Latest, true)

/** The object literals of the constants that options are made of, by name. */
const constants = new Map(
  ['framework/options/shape.ts', ...globSync('{framework/options/groups/*,modules/**/options}.ts', { cwd: core })]
    .flatMap((path) => fileOf(path).statements)
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .flatMap(({ name, initializer }) =>
      ts.isIdentifier(name) && initializer && ts.isObjectLiteralExpression(initializer)
        ? [[name.text, initializer] as const]
        : [],
    ),
)

function commentOf(node: ts.Node): Comment {
  const text = ts
    .getJSDocCommentsAndTags(node)
    .filter(ts.isJSDoc)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
    .join(' ')
  const tag = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === 'default')
  return { text: text.replaceAll(/\s+/g, ' ').trim(), byDefault: ts.getTextOfJSDocComment(tag?.comment)?.trim() }
}

/** A schema without what makes it optional. */
function bare(schema: AnySchema): Schema {
  const { def } = (schema as Schema)._zod
  return 'innerType' in def && def.type !== 'success' && def.type !== 'promise'
    ? bare(def.innerType)
    : (schema as Schema)
}

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/Ms$/, 'milliseconds'],
  [/Seconds$/, 'seconds'],
  [/KiB$/, 'KiB'],
]

function rangeOf(schema: Schema): string {
  if (schema._zod.def.type !== 'number') return ''
  const { minValue, maxValue } = schema as NumberSchema
  const checks = schema._zod.def.checks?.map((each) => each._zod.def) ?? []
  const isExclusive = checks.some((each) => each.check === 'greater_than' && 'inclusive' in each && !each.inclusive)
  const low =
    minValue === null || minValue <= Number.MIN_SAFE_INTEGER
      ? ''
      : isExclusive
        ? `above ${minValue}`
        : `at least ${minValue}`
  const high = maxValue !== null && maxValue < Number.MAX_SAFE_INTEGER ? `at most ${maxValue}` : ''
  return [low, high].filter(Boolean).join(', ')
}

/** The type of an option, for people. `source` is how the schema is written: types of custom values exist only there. */
function typeOf(schema: AnySchema, source: string): string {
  const inner = bare(schema)
  const { def } = inner._zod
  switch (def.type) {
    case 'string':
      return 'format' in def && def.format === 'url' ? 'URL' : 'string'
    case 'number':
      return 'format' in def ? 'integer' : 'number'
    case 'boolean':
      return 'boolean'
    case 'enum':
      return Object.values(def.entries)
        .map((value) => `\`${JSON.stringify(value)}\``)
        .join(' or ')
    case 'array':
      return `list of ${typeOf(def.element, source)}`
    case 'record':
      return `record of ${typeOf(def.valueType, source)}`
    case 'union':
      return def.options.map((option) => typeOf(option, source)).join(' or ')
    case 'object':
      return 'object'
    case 'pipe':
      return typeOf(def.in, source)
    case 'custom': {
      const name = /(?:port|callback|custom)<(?:NonNullable<)?([\w.$]+)/.exec(source)?.[1] ?? 'function'
      return name === 'EepHooks' ? 'function' : name === 'z.core.$ZodObject' ? 'zod object' : `\`${name}\``
    }
    default:
      throw new Error(`No words for the type ${def.type}`)
  }
}

/** The default of an option. A default in a comment must be that of the schema, unless it is prose. */
function defaultOf(path: string, schema: AnySchema, { byDefault }: Comment): string {
  const { def } = (schema as Schema)._zod
  const actual = def.type === 'default' ? def.defaultValue : undefined
  const written = ['string', 'number', 'boolean'].includes(typeof actual) ? JSON.stringify(actual) : undefined
  const isProse = byDefault !== undefined && /^[a-z`]/.test(byDefault) && !/^(true|false)$/.test(byDefault)
  if (written !== undefined && !isProse && byDefault !== written) {
    throw new Error(`The comment of the option ${path} must say "@default ${written}"`)
  }
  if (byDefault !== undefined) return isProse ? byDefault : `\`${byDefault}\``
  return def.type === 'default' || def.type === 'optional' ? 'none' : 'required'
}

const cell = (text: string) => text.replaceAll('|', '\\|')

const linked = (text: string) =>
  text.replaceAll(/\b(See )?docs\/([\w/-]+)\.md/g, (_, see = '', path: string) => {
    const title = /^# (.+)$/m.exec(readFileSync(join(core, `../../../docs/${path}.md`), 'utf8'))?.[1] ?? path
    return `${see}[${title}](../${path}.md)`
  })

const row = (name: string, type: string, byDefault: string, text: string) =>
  `| \`${name}\` | ${cell(type)} | ${cell(byDefault)} | ${cell(linked(text))} |`

interface Section {
  readonly name: string
  readonly text: string
  readonly rows: readonly string[]
}

/** The constant that a group is made of: `group(auth) as Group<typeof auth>`. */
const constantOf = (source: string) => /as Group<typeof (\w+)>/.exec(source)?.[1]

function rowsOf(shape: Shape, literal: ts.ObjectLiteralExpression, prefix: string): readonly string[] {
  return literal.properties.filter(ts.isPropertyAssignment).flatMap((property) => {
    const key = property.name.getText()
    const schema = shape[key]
    if (!schema) throw new Error(`No schema for the option ${prefix}${key}`)
    const comment = commentOf(property)
    const source = property.initializer.getText()
    const group = constants.get(constantOf(source) ?? '')
    const inner = bare(schema)
    if (group && inner._zod.def.type === 'object') {
      const rows = rowsOf(inner._zod.def.shape, group, `${prefix}${key}.`)
      return comment.text === '' ? rows : [row(prefix + key, 'object', '', comment.text), ...rows]
    }
    const notes = [UNITS.find(([name]) => name.test(key))?.[1], rangeOf(inner)].filter(Boolean).join(', ')
    const type = typeOf(schema, source) + (notes ? ` (${notes})` : '')
    const isChanges = key === 'plans'
    return [row(prefix + key, type, isChanges ? 'none' : defaultOf(prefix + key, schema, comment), comment.text)]
  })
}

/** The options of each feature that has some, by its name. */
const featureOptions = new Map<string, { readonly constant: string; readonly shape: Shape }>()
for (const path of globSync('modules/**/module.ts', { cwd: core })) {
  const [, name, constant] = /\bfeature\(\s*'(\w+)',\s*(\w+),/.exec(readFileSync(join(core, path), 'utf8')) ?? []
  if (!name || !constant) continue
  const exported = await import(pathToFileURL(join(core, path, '../options.ts')).href)
  featureOptions.set(name, { constant, shape: exported[constant] })
}

function featureSection({ name, entry, text, module }: Feature): readonly string[] {
  const { constant, shape } = featureOptions.get(name) ?? {}
  if (!constant || !shape) return []
  const literal = constants.get(constant)
  if (!literal) throw new Error(`No file of options declares ${constant}`)
  const guide = existsSync(join(core, `../../../docs/guides/${module.name}.md`))
    ? ` See docs/guides/${module.name}.md.`
    : ''
  const introduction = `Of \`${name}()\` of \`${entry}\`. ${text}${linked(guide)}`
  return [`## ${name}\n\n${introduction}\n\n${table(rowsOf(shape, literal, ''))}`]
}

/** The members of an interface of one of the files of core. */
function membersOf(path: string, name: string): readonly string[] {
  const found = fileOf(path).statements.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === name)
  if (!found || !ts.isInterfaceDeclaration(found)) throw new Error(`${path} has no interface ${name}`)
  return found.members.filter(ts.isPropertySignature).map((member) => {
    const { text, byDefault = 'none' } = commentOf(member)
    const shown = byDefault === 'true' ? '`true`' : byDefault
    const type =
      member.type
        ?.getText()
        .replaceAll(/\s+/g, ' ')
        .replace(/^\| /, '')
        .replace(/ \| undefined$/, '')
        .replace(/^readonly /, '')
        .replace(/^\((.*)\)$/, '$1') ?? ''
    return row(member.name.getText(), `\`${type}\``, shown, text.replaceAll(/\{@link (\w+)\}/g, '`$1`'))
  })
}

const table = (rows: readonly string[]) =>
  ['| option | type | default | description |', '| --- | --- | --- | --- |', ...rows].join('\n')

/** The page `docs/reference/options.md`. */
export function optionsPage(): string {
  const literal = constants.get('optionsShape')
  if (!literal) throw new Error('framework/options/shape.ts has no optionsShape')
  const general: string[] = []
  const sections: Section[] = []
  for (const property of literal.properties.filter(ts.isPropertyAssignment)) {
    const name = property.name.getText()
    const schema = (optionsShape as Shape)[name]
    const group = constants.get(constantOf(property.initializer.getText()) ?? '')
    if (!schema) throw new Error(`No schema for the option ${name}`)
    const inner = bare(schema)
    if (group && inner._zod.def.type === 'object') {
      sections.push({ name, text: commentOf(property).text, rows: rowsOf(inner._zod.def.shape, group, '') })
      continue
    }
    const comment = commentOf(property)
    const type = typeOf(schema, property.initializer.getText())
    general.push(row(name, type, defaultOf(name, schema, comment), comment.text))
  }
  return `# Options

Generated from the schema of the options by \`npm run docs\`.

Pass the options to \`app.register(eep, options)\` or \`createEep(options)\`. Only \`publicUrl\`, \`storage\` and \`secret\` are
required. An invalid or unknown option throws a \`TypeError\` that names it, and the option that was probably meant.

## General

${table(general)}

${sections.map(({ name, text, rows }) => `## ${name}\n\n${linked(text)}\n\n${table(rows)}`).join('\n\n')}

## Modules

${table(membersOf('framework/eep.ts', 'EepOptions'))}

## Features

A feature takes its options as an argument: \`modules: [search({ index })]\`. With \`everything()\` they are below its name, and
\`false\` leaves the feature out: \`modules: everything({ search: { index }, memory: false })\`. Features without a section have no options.
See [Modules](../embed/modules.md).

${features.flatMap(featureSection).join('\n\n')}

## Listeners

Of \`app.register(eep, options)\`, and of each further listener that registers \`app.eep.http\`.

${table([row('prefix', 'string', 'none', 'Where the routes of the listener begin: `/profiles`.'), ...membersOf('http/plugin.ts', 'HttpOptions')])}
`
}
