// Computes which modules use stores of the storage that belong to other modules, for check-boundaries.ts. A use is an access of
// `read`, `tx` or what `requireGroup` returns, or a parameter that takes a store out of them. Run it to see the list.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { KEPT_STORES, MAX_KEEPING, OWNERS, SHARED_STORES } from './store-owners.ts'

const modules = join(import.meta.dirname, '../packages/core/src/modules')

/** A module that uses stores of others: the stores, each with the files that use it. */
export type ForeignStores = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>

const ownerOf = new Map(
  Object.entries(OWNERS).flatMap(([owner, stores]) => stores.map((store) => [store, owner] as const)),
)
const isStore = (name: string) => ownerOf.has(name) || name in SHARED_STORES

/** The variables that modules name stores by. */
const NAMES = new Set(['read', 'tx', 'stores', 'from'])

/** Whether an expression has the stores. */
function hasStores(node: ts.Expression): boolean {
  if (ts.isIdentifier(node)) return NAMES.has(node.text)
  if (ts.isPropertyAccessExpression(node)) return node.name.text === 'read'
  if (ts.isCallExpression(node)) return node.expression.getText() === 'requireGroup'
  if (ts.isParenthesizedExpression(node)) return hasStores(node.expression)
  if (ts.isConditionalExpression(node)) return hasStores(node.whenTrue) || hasStores(node.whenFalse)
  return false
}

/** Whether a pattern takes members out of the stores. */
function takesStores({ parent }: ts.ObjectBindingPattern): boolean {
  if (ts.isBindingElement(parent)) return parent.propertyName?.getText() === 'read'
  if (ts.isParameter(parent) && parent.type) return /\b(?:Readers|Stores)\b/.test(parent.type.getText())
  return parent.initializer !== undefined && hasStores(parent.initializer)
}

/** The stores that a file uses, with the method where one is called on the store itself. */
function usesIn(path: string): readonly { readonly store: string; readonly method: string | undefined }[] {
  const uses: { store: string; method: string | undefined }[] = []
  const source = ts.createSourceFile(path, readFileSync(join(modules, path), 'utf8'), ts.ScriptTarget.Latest, true)
  const visit = (node: ts.Node) => {
    if (ts.isPropertyAccessExpression(node) && isStore(node.name.text) && hasStores(node.expression)) {
      const { parent } = node
      const method = ts.isPropertyAccessExpression(parent) && parent.expression === node ? parent.name.text : undefined
      // `read.audit && …` asks only whether the storage has it.
      const isAsked = ts.isBinaryExpression(parent) && parent.left === node
      if (!isAsked) uses.push({ store: node.name.text, method })
    }
    if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent) && takesStores(node.parent)) {
      const name = (node.propertyName ?? node.name).getText()
      if (isStore(name)) uses.push({ store: name, method: undefined })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return uses
}

/** `people/oauth` for `people/oauth/service.ts`; the wing for a file beside its modules. */
const moduleOf = (path: string) => path.split('/').slice(0, -1).slice(0, 2).join('/')

/** The stores of others that each module uses. Those that no module owns are left out, as far as all may use them. */
export function foreignStores(): ForeignStores {
  const found = new Map<string, Map<string, string[]>>()
  for (const path of globSync('**/*.ts', { cwd: modules }).sort()) {
    const module = moduleOf(path)
    if (module === '' || /\.test(-d)?\.ts$/.test(path)) continue
    for (const { store, method } of usesIn(path)) {
      const owner = ownerOf.get(store)
      const shared = SHARED_STORES[store]
      const mayUse = shared === undefined ? false : shared.methods === 'all' || shared.methods.includes(method ?? '')
      if (owner === module || mayUse) continue
      const stores = found.get(module) ?? new Map<string, string[]>()
      found.set(module, stores)
      stores.set(store, [...new Set([...(stores.get(store) ?? []), path])])
    }
  }
  return found
}

/** What differs from `KEPT_STORES`, one sentence each. */
export function foreignStoreProblems(): readonly string[] {
  const found = foreignStores()
  const unnamed = [...found].flatMap(([module, stores]) =>
    [...stores]
      .filter(([store]) => !KEPT_STORES[module]?.stores.includes(store))
      .map(
        ([store, files]) =>
          `${files.join(', ')} uses the store ${store} of ${ownerOf.get(store) ?? 'all'}; ask its service`,
      ),
  )
  const unused = Object.entries(KEPT_STORES).flatMap(([module, { stores }]) =>
    stores
      .filter((store) => !found.get(module)?.has(store))
      .map((store) => `scripts/store-owners.ts: ${module} does not use the store ${store} anymore`),
  )
  const tooMany =
    found.size > MAX_KEEPING ? [`${found.size} modules use stores of others, more than ${MAX_KEEPING}`] : []
  return [...unnamed, ...unused, ...tooMany]
}

if (import.meta.main) {
  const found = foreignStores()
  for (const [module, stores] of found) console.log(`${module}: ${[...stores.keys()].join(', ')}`)
  console.log(`${found.size} modules use stores of others`)
}
