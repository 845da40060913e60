// The page of ports: what each interface has that a host can implement, from the types and docstrings of `@eep/core/ports`.
import { join } from 'node:path'
import ts from 'typescript'
import { docText, errorsOf, parameterName } from './docstrings.ts'
import { entriesOf } from './public-exports.ts'

const root = join(import.meta.dirname, '..')

/** The ports in the order of the page, each with its guide. */
const GUIDES = {
  Storage: '../adapters/storage.md',
  JobQueue: '../guides/jobs.md',
  PaymentRail: '../adapters/payment-rail.md',
  BillingProcessor: '../guides/billing.md#write-a-billing-processor',
  ReceiptRenderer: '../guides/purchases.md',
  CardRenderer: '../guides/pages.md',
  BlobStore: '../adapters/blob-store.md',
  ImageProcessor: '../guides/files.md',
  Scanner: '../adapters/mailer-and-scanner.md',
  DocumentConverter: '../guides/text-extraction.md',
  Transcriber: '../adapters/transcriber.md',
  SearchIndex: '../adapters/search-index.md',
  Embedder: '../adapters/embedder.md',
  Summarizer: '../adapters/summarizer.md',
  RateLimitStore: '../operate/limits.md',
  MetricsRegistry: '../operate/observability.md',
  Tracer: '../operate/observability.md',
  Mailer: '../adapters/mailer-and-scanner.md',
  OAuthProvider: '../guides/sign-in-providers.md',
  HostAuth: '../embed/host-authentication.md',
  WalletVerifier: '../guides/wallets.md',
  RequirementVerifier: '../concepts/agents.md',
  CredentialVerifier: '../concepts/agents.md',
  EepLogger: '../operate/observability.md',
} as const

/** Of a storage, the guide lists what its groups have. */
const LISTED_BY_GUIDE = new Set(['Storage'])

type Checker = ts.TypeChecker

/** What the entries of the packages export, by entry. */
function readExports() {
  const entries = entriesOf()
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, root)
  const program = ts.createProgram([...entries.values()], options)
  const checker = program.getTypeChecker()
  const exported = [...entries].map(([entry, source]) => {
    const file = program.getSourceFile(source)
    const module = file && checker.getSymbolAtLocation(file)
    const symbols = (module ? checker.getExportsOfModule(module) : []).map((symbol) =>
      symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    )
    return [entry, symbols] as const
  })
  return { checker, exported: new Map(exported) }
}

/** Whether a type is a port, or an interface that extends it. */
const isPort = (type: ts.Type, port: ts.Symbol): boolean =>
  [type.symbol, type.aliasSymbol].includes(port) ||
  (type.isClassOrInterface() && (type.getBaseTypes() ?? []).some((base) => isPort(base, port))) ||
  (type.isIntersection() && type.types.some((part) => isPort(part, port)))

/** The functions that create a port. */
function implementationsOf(port: ts.Symbol, symbols: readonly ts.Symbol[], checker: Checker): readonly string[] {
  const creates = (symbol: ts.Symbol) =>
    checker
      .getTypeOfSymbol(symbol)
      .getCallSignatures()
      .map((signature) => signature.getReturnType())
      .some((type) => isPort(checker.getAwaitedType(type) ?? type, port))
  return (
    symbols
      .filter((symbol) => symbol.flags & ts.SymbolFlags.Value && creates(symbol))
      .map(({ name }) => name)
      // `definePaymentRail` and its like return what they are given.
      .filter((name) => !name.startsWith('define'))
      .toSorted()
  )
}

/** The members of a port, or how it is called. */
function membersOf(port: ts.Symbol, checker: Checker, silent: Set<string>): readonly string[] {
  const type = checker.getDeclaredTypeOfSymbol(port)
  const [call] = type.getCallSignatures()
  if (call) return [`It is called as \`(${call.getParameters().map(parameterName).join(', ')})\`.`]
  return checker.getPropertiesOfType(type).map((member) => {
    const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0
    const [signature] = checker.getNonNullableType(checker.getTypeOfSymbol(member)).getCallSignatures()
    const parameters = signature ? `(${signature.getParameters().map(parameterName).join(', ')})` : ''
    const text = docText(member.getDocumentationComment(checker))
    const errors = errorsOf(member.getJsDocTags(checker))
    if (text === '') silent.add(`${port.name}.${member.name}`)
    return `- **\`${member.name}${parameters}\`**${isOptional ? ' (optional)' : ''} ${text}${errors === '' ? '' : ` Throws ${errors}.`}`
  })
}

const firstSentence = (text: string) => /^.*?[.](?= [A-Z]|$)/.exec(text)?.[0] ?? text

/** The option whose type a port is, from the page of options: `payments.rails`, or `search({ index })` of a feature. */
function optionOf(port: string, options: string): string {
  const found = new RegExp(`^\\| \`([\\w.]+)\` \\| [^|]*\`${port}\``, 'm').exec(options)
  if (!found) return 'part of a storage'
  const before = options.slice(0, found.index)
  const section = before
    .match(/^## (\w+)$/gm)
    ?.at(-1)
    ?.slice(3)
  if (before.includes('\n## Features\n')) return `\`${section}({ ${found[1]} })\``
  return `\`${section === 'General' ? '' : `${section}.`}${found[1]}\``
}

/**
 * The page `docs/reference/ports.md`.
 *
 * @param options - The page of options.
 * @throws Error that names what has no docstring
 */
export function portsPage(options: string): string {
  const { checker, exported } = readExports()
  const of = (entry: string) => exported.get(entry) ?? []
  const implementations = [...exported]
    .filter(([entry]) => !entry.endsWith('/testing'))
    .flatMap(([, symbols]) => symbols)
  const contracts = new Set(of('@eep/core/testing').map(({ name }) => name))
  const silent = new Set<string>()
  const ports = Object.entries(GUIDES).map(([name, guide]) => {
    const port = [...of('@eep/core/ports'), ...of('@eep/core')].find((symbol) => symbol.name === name)
    if (!port) throw new Error(`@eep/core/ports and @eep/core do not export ${name}`)
    return { name, guide, port, text: docText(port.getDocumentationComment(checker)) }
  })
  const rows = ports.map(({ name, port, text }) => {
    const contract = `${name[0]?.toLowerCase()}${name.slice(1)}Contract`
    const made = [...new Set(implementationsOf(port, implementations, checker))].map((each) => `\`${each}\``).join(', ')
    return `| [\`${name}\`](#${name.toLowerCase()}) | ${optionOf(name, options)} | ${firstSentence(text)} | ${made} | ${contracts.has(contract) ? `\`${contract}\`` : ''} |`
  })
  const sections = ports.map(({ name, guide, port, text }) => {
    const members = LISTED_BY_GUIDE.has(name)
      ? [`Its members are in the [guide](${guide}).`]
      : membersOf(port, checker, silent)
    return [
      `## ${name}`,
      '',
      `${text}${LISTED_BY_GUIDE.has(name) ? '' : ` See the [guide](${guide}).`}`,
      '',
      ...members,
    ].join('\n')
  })
  if (silent.size > 0) throw new Error(`These members of ports have no docstring: ${[...silent].join(', ')}`)
  return `# Ports

Generated from the interfaces of \`@eep/core/ports\` by \`npm run docs\`.

Core calls these interfaces and never a driver. Most have a contract in \`@eep/core/testing\`: tests that your implementation must
pass, for any test runner with \`describe\`, \`it\` and hooks.

| port | option | what it does | implementations | contract |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

${sections.join('\n\n')}
`
}
