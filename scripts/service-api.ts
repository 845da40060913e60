// The methods of `app.eep` in docs/reference/service.md, made from the types and docstrings in the code.
import { join } from 'node:path'
import ts from 'typescript'
import { docText, errorsOf, parameterName } from './docstrings.ts'

const root = join(import.meta.dirname, '..')
const ENTRY = join(root, 'packages/core/src/framework/eep.ts')
/** Entries of features add their services to `EepServices` of the main entry. */
const ENTRIES = ['index', 'everything', 'sandbox'].map((name) => join(root, `packages/core/src/entries/${name}.ts`))

interface Method {
  /** The path below `app.eep`: `profiles.find`. */
  readonly name: string
  readonly parameters: string | undefined
  readonly summary: string
  readonly errors: string
}

/** The type `Eep`, and what is needed to read it. */
function readService() {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const program = ts.createProgram([ENTRY, ...ENTRIES], { ...options, noEmit: true })
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(ENTRY)
  const entry = file && checker.getSymbolAtLocation(file)
  const service = entry && checker.getExportsOfModule(entry).find(({ name }) => name === 'Eep')
  if (!service) throw new Error(`${ENTRY} does not export Eep`)
  return { checker, type: checker.getDeclaredTypeOfSymbol(service) }
}

function methodsOf(): readonly Method[] {
  const { checker, type } = readService()
  const methods: Method[] = []
  const visit = (of: ts.Type, above: string) => {
    for (const property of checker.getPropertiesOfType(of)) {
      const name = above + property.name
      const propertyType = checker.getTypeOfSymbol(property)
      const signatures = propertyType.getCallSignatures()
      const isGroup =
        signatures.length === 0 && propertyType.isUnionOrIntersection() === false && isLiteral(propertyType)
      if (isGroup) {
        visit(propertyType, `${name}.`)
        continue
      }
      const [signature] = signatures
      // A property that names a function of another object has its documentation there; editors show that one in calls.
      const summary =
        docText(property.getDocumentationComment(checker)) || docText(signature?.getDocumentationComment(checker))
      const ownTags = property.getJsDocTags(checker)
      const tags = ownTags.length > 0 ? ownTags : (signature?.getJsDocTags() ?? [])
      methods.push({
        name,
        // A hook is passed on by its name.
        parameters: signature?.getParameters().map(parameterName).join(', '),
        summary,
        errors: errorsOf(tags),
      })
    }
  }
  visit(type, '')
  return methods.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Whether a type is an object that the project wrote, and not an array or a class. */
const isLiteral = (type: ts.Type): boolean =>
  (type.flags & ts.TypeFlags.Object) !== 0 && type.getProperties().length > 0 && type.getNumberIndexType() === undefined

/**
 * Every member of `app.eep` as Markdown, a list for each service.
 *
 * @throws Error that names the members without a docstring
 */
export function serviceMembers(): string {
  const methods = methodsOf()
  const silent = methods.filter(({ summary }) => summary === '').map(({ name }) => name)
  if (silent.length > 0) throw new Error(`These members of app.eep have no docstring: ${silent.join(', ')}`)
  const groups = Map.groupBy(methods, ({ name }) => (name.includes('.') ? name.slice(0, name.indexOf('.')) : ''))
  return [...groups]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([group, members]) => {
      const rows = members.map(({ name, parameters, summary, errors }) => {
        const call = parameters === undefined ? name : `${name}(${parameters})`
        return `- **\`${call}\`** ${summary}${errors === '' ? '' : ` Throws ${errors}.`}`
      })
      const title = group === '' ? 'The service' : `\`${group}\``
      return [`## ${title}`, '', ...rows].join('\n')
    })
    .join('\n\n')
}
