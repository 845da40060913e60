import { canonicalJson, sha256 } from '../kernel/digest.ts'

type Tree = Record<string, unknown>

const LOCAL = '#/$defs/'
// The prefix that zod gives to unnamed definitions.
const NAMELESS = /^__/

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Moves the `$defs` of all schemas in a tree to the components, and updates the references: in an OpenAPI document
 * `#/$defs/…` would resolve against the root. Unnamed definitions are named by a hash of their content, so that equal ones
 * are shared.
 */
export function shareSchemas(tree: unknown): { readonly tree: unknown; readonly schemas: Readonly<Tree> } {
  const schemas: Tree = {}

  function walk(node: unknown, names: ReadonlyMap<string, string>): unknown {
    if (Array.isArray(node)) return node.map((item) => walk(item, names))
    if (!isTree(node)) return node
    const { $defs, ...members } = node
    const known = isTree($defs) ? define($defs, names) : names
    return Object.fromEntries(
      Object.entries(members).map(([key, value]) => {
        const target = key === '$ref' && typeof value === 'string' ? known.get(value) : undefined
        return [key, target ?? walk(value, known)]
      }),
    )
  }

  function define(definitions: Tree, outer: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
    const digest = sha256(canonicalJson(definitions)).slice(0, 8)
    const nameOf = (name: string) => (NAMELESS.test(name) ? `Shared${digest}${name.replace(/\D+/, '_')}` : name)
    const names = new Map(outer)
    for (const name of Object.keys(definitions)) names.set(LOCAL + name, `#/components/schemas/${nameOf(name)}`)
    for (const [name, definition] of Object.entries(definitions)) schemas[nameOf(name)] ??= walk(definition, names)
    return names
  }

  return { tree: walk(tree, new Map()), schemas }
}
