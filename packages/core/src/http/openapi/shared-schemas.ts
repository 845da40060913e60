import { canonicalJson } from '../../kernel/digest.ts'

type Tree = Record<string, unknown>

const LOCAL = '#/$defs/'
// The prefix that zod gives to unnamed definitions.
const NAMELESS = /^__/

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a definition is that of `z.json()`: every JSON value, in terms of itself. */
function isAnyJson(definition: unknown, reference: string): boolean {
  if (!isTree(definition) || !Array.isArray(definition.anyOf)) return false
  return definition.anyOf.some(
    (one) => isTree(one) && isTree(one.additionalProperties) && one.additionalProperties.$ref === reference,
  )
}

/**
 * Moves the `$defs` of all schemas in a tree to the components, and updates the references: in an OpenAPI document
 * `#/$defs/…` would resolve against the root. A definition has the name that its schema has by `.meta({ id })`; a number follows
 * for further schemas of the same name. Any JSON value becomes `{}`, because TypeScript refuses a type in terms of itself.
 */
export function shareSchemas(tree: unknown): { readonly tree: unknown; readonly schemas: Readonly<Tree> } {
  const schemas: Tree = {}
  const schemaTexts = new Map<string, string>()

  function walk(node: unknown, names: ReadonlyMap<string, string | undefined>): unknown {
    if (Array.isArray(node)) return node.map((item) => walk(item, names))
    if (!isTree(node)) return node
    const { $defs, ...members } = node
    const known = isTree($defs) ? define($defs, names) : names
    const entries = Object.entries(members).flatMap(([key, value]): [string, unknown][] => {
      if (key !== '$ref' || typeof value !== 'string' || !known.has(value)) return [[key, walk(value, known)]]
      const target = known.get(value)
      return target === undefined ? [] : [[key, target]]
    })
    return Object.fromEntries(entries)
  }

  /** The first of `Page`, `Page2`, `Page3` … that is free, or is the same schema. */
  function chooseName(name: string, text: string): string {
    const base = NAMELESS.test(name) ? 'Schema' : name
    for (let count = 1; ; count++) {
      const candidate = count === 1 ? base : `${base}${count}`
      const known = schemaTexts.get(candidate)
      if (known === undefined) schemaTexts.set(candidate, text)
      if (known === undefined || known === text) return candidate
    }
  }

  function define(definitions: Tree, outer: ReadonlyMap<string, string | undefined>) {
    const names = new Map(outer)
    const named = Object.entries(definitions).flatMap(([key, definition]) => {
      const reference = LOCAL + key
      const isJson = NAMELESS.test(key) && isAnyJson(definition, reference)
      // A recursive schema refers to itself by its local name, which depends on its place.
      const text = canonicalJson(definition).replaceAll(`"${reference}"`, '"#"')
      const name = isJson ? undefined : chooseName(key, text)
      names.set(reference, name === undefined ? undefined : `#/components/schemas/${name}`)
      return name === undefined ? [] : [[name, definition] as const]
    })
    for (const [name, definition] of named) schemas[name] ??= walk(definition, names)
    return names
  }

  return { tree: walk(tree, new Map()), schemas }
}
