import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** A name that an entry of a package exports. */
export interface PublicExport {
  /** What it is imported from, such as `@eep/core/ports`. */
  readonly entry: string
  readonly name: string
  /** Where it is declared, such as `packages/core/src/framework/eep.ts:12`. */
  readonly place: string
  readonly isValue: boolean
  readonly isCallable: boolean
  /** Whether it creates the errors of one code. */
  readonly isError: boolean
  readonly summary: string
  readonly tags: readonly { readonly name: string; readonly text: string }[]
}

const root = join(import.meta.dirname, '..')

/** The entries of all published packages, by the name they are imported by, and their source files. */
export function entriesOf(): ReadonlyMap<string, string> {
  const entries = new Map<string, string>()
  for (const file of globSync('packages/*/package.json', { cwd: root }).sort()) {
    const manifest = JSON.parse(readFileSync(join(root, file), 'utf8'))
    if (manifest.private) continue
    for (const [entry, conditions] of Object.entries<Record<string, string>>(manifest.exports)) {
      const source = conditions['@eep/source']
      if (source) entries.set(manifest.name + entry.slice(1), join(root, file, '..', source))
    }
  }
  return entries
}

/** Reads what the entries export, with the docstrings. */
export function publicExports(): readonly PublicExport[] {
  const entries = entriesOf()
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, root)
  const program = ts.createProgram([...entries.values()], options)
  const checker = program.getTypeChecker()
  const found: PublicExport[] = []
  for (const [entry, source] of entries) {
    const file = program.getSourceFile(source)
    const module = file && checker.getSymbolAtLocation(file)
    if (!module) throw new Error(`${source} exports nothing`)
    for (const exported of checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
      const declaration = symbol.declarations?.[0]
      if (!declaration) throw new Error(`${entry} exports ${exported.name}, which cannot be resolved`)
      const where = declaration.getSourceFile()
      const { line } = where.getLineAndCharacterOfPosition(declaration.getStart())
      const isValue = (symbol.flags & ts.SymbolFlags.Value) !== 0
      const type = isValue ? checker.getTypeOfSymbol(symbol) : undefined
      found.push({
        entry,
        name: exported.name,
        place: `${where.fileName.slice(root.length + 1)}:${line + 1}`,
        isValue,
        isCallable: (type?.getCallSignatures().length ?? 0) > 0,
        isError: type?.symbol?.name === 'ErrorDefinition',
        summary: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
        tags: symbol.getJsDocTags(checker).map(({ name, text }) => ({ name, text: ts.displayPartsToString(text) })),
      })
    }
  }
  return found
}
