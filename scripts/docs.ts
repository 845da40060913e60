// Writes the parts of the docs that are made from code. Whole pages: docs/reference/console-controls.md, errors.md, events.md,
// options.md, ports.md and routes.md. Parts
// of pages, between `<!-- name -->` and `<!-- /name -->`: scopes (from the routes), roles and workspace-roles (from the
// permissions), service (the members of `app.eep`, from their types and docstrings), metrics, base-modules, features, feature-entries, storage-groups, emails and variables (from
// their definitions), eep-commands and eep-postgres (from the definitions of the commands), and examples: `<!-- example: host.ts -->` is a file of examples/src, and
// `host.ts#start` its part between `// #region start` and `// #endregion`.
// Also the lists of contract cases and migrations (storage-groups.ts), of events (event-list.ts), of the names that
// modules take (package-names.ts) and of the entries of core (entries.ts), and the address of the repository in the manifests and in
// all pages that link to it (repository.ts). Fails on dead links and on markup that the website cannot compile (links.ts).
// With --check it only reports what is out of date.
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { errorDefinitions } from '../packages/core/src/entries/index.ts'
import { catalogueOf, catalogueTable } from '../packages/core/src/modules/discovery/discovery/error-catalogue.ts'
import { clientTypes } from './client-types.ts'
import { hostCommands, postgresUsage } from './commands.ts'
import { consoleControlsPage } from './console-controls.ts'
import { createdFeatures, createdVersions } from './created-features.ts'
import { describeService } from './described-routes.ts'
import { eventList } from './event-list.ts'
import { eventsPage } from './events.ts'
import { deadLinks, strayMarkup } from './links.ts'
import { baseTable, featureEntries, featureTable } from './modules.ts'
import { optionsPage } from './options.ts'
import { packageNames } from './package-names.ts'
import { portsPage } from './ports.ts'
import { manifestFiles, withRepository } from './repository.ts'
import { routesPage } from './routes.ts'
import { serviceMembers } from './service-api.ts'
import { checkRequiredGroup, contractIndex, groupTables, migrationList, storageIndex } from './storage-groups.ts'
import {
  emailTable,
  exampleVariables,
  metricsTable,
  roleTable,
  scopeTable,
  variableTable,
  workspaceRoleTable,
} from './tables.ts'

const root = join(import.meta.dirname, '..')
const check = process.argv.includes('--check')

const EXAMPLE = /(<!-- example: (?<file>[\w./-]+\.ts)(?:#(?<region>[\w-]+))? -->\n)[\s\S]*?(<!-- \/example -->)/g

async function errorsPage(): Promise<string> {
  // A package defines its errors when it is loaded.
  for (const entry of globSync('packages/*/src/{index,pglite}.ts', { cwd: root }).sort()) {
    await import(pathToFileURL(join(root, entry)).href)
  }
  return `# Errors

Generated from the error definitions by \`npm run docs\`. A running service returns the same list at \`/docs/errors\`, and the
routes that use a code at \`/docs/errors/{code}\`.

The body is \`{"error":{"code","message","details?"}}\`. With \`Accept: application/problem+json\` it is a problem document
(RFC 9457) with the same content. Programs compare \`code\`; the message is for people and may change.

${catalogueTable(catalogueOf(errorDefinitions()))}
`
}

function exampleText(file: string, region: string | undefined): string {
  const text = readFileSync(join(root, 'examples/src', file), 'utf8')
  if (region === undefined) return text.trimEnd()
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.trim() === `// #region ${region}`)
  const end = lines.findIndex((line, index) => index > start && line.trim() === '// #endregion')
  if (start < 0 || end < 0) throw new Error(`examples/src/${file} has no region ${region}`)
  const part = lines.slice(start + 1, end)
  const indent = Math.min(...part.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)))
  return part.map((line) => line.slice(indent)).join('\n')
}

const withExamples = (page: string): string =>
  page.replaceAll(EXAMPLE, (...match) => {
    const { file, region } = match.at(-1) as { file: string; region?: string }
    const [, opening, , , closing] = match as string[]
    return `${opening}\`\`\`ts\n${exampleText(file, region)}\n\`\`\`\n${closing}`
  })

const options = optionsPage()
const service = await describeService()
const { routes } = service
const { required, all } = checkRequiredGroup()
console.log(`storage: ${required} methods in the required group, ${all} in all groups`)
/** The texts between `<!-- name -->` and `<!-- /name -->`, by name. */
const parts: Readonly<Record<string, string>> = {
  scopes: scopeTable(routes),
  emails: emailTable(),
  variables: variableTable(),
  metrics: metricsTable(),
  'base-modules': baseTable(),
  'feature-entries': featureEntries(),
  features: featureTable(),
  roles: roleTable(),
  'workspace-roles': workspaceRoleTable(),
  service: serviceMembers(),
  'eep-commands': hostCommands(),
  'eep-postgres': postgresUsage(),
  'storage-groups': groupTables(),
}
const PART = new RegExp(`(<!-- (${Object.keys(parts).join('|')}) -->\\n)[\\s\\S]*?(<!-- /\\2 -->)`, 'g')
const withTables = (page: string): string =>
  page.replaceAll(PART, (_all, opening, name, closing) => `${opening}\n${parts[name]}\n\n${closing}`)

const pages = new Map([
  ['docs/reference/console-controls.md', consoleControlsPage(service)],
  ['docs/reference/errors.md', await errorsPage()],
  ['docs/reference/events.md', eventsPage()],
  ['docs/reference/routes.md', routesPage(routes)],
  ['packages/core/src/modules/event-definitions.ts', eventList()],
  ['packages/core/src/modules/package-names.ts', packageNames()],
  ['packages/client/src/schema.ts', await clientTypes(service.document)],
  ['packages/create-eep/src/features.ts', createdFeatures()],
  ['packages/create-eep/src/versions.ts', createdVersions()],
  ['packages/core/src/ports/storage/index.ts', storageIndex()],
  ['packages/core/src/testing/storage/index.ts', contractIndex()],
  ['packages/adapters-postgres/src/migrations/list.ts', migrationList()],
  ['docs/reference/options.md', options],
  ['packages/host-example/.env.example', exampleVariables()],
  ['docs/reference/ports.md', portsPage(options)],
  ...manifestFiles(),
])
const written = ['*.md', 'docs/**/*.md', 'packages/*/README.md', '.github/**/*.{md,yml}', '.changeset/README.md']
for (const page of globSync(written, { cwd: root })) {
  if (pages.has(page)) continue
  const text = withTables(withExamples(readFileSync(join(root, page), 'utf8')))
  pages.set(page, withRepository(page, text))
}
const broken = [...deadLinks(pages), ...strayMarkup(pages)]
for (const problem of broken) console.error(problem)
if (broken.length > 0) process.exitCode = 1

const stale = [...pages].filter(([page, text]) => {
  const file = join(root, page)
  return !existsSync(file) || readFileSync(file, 'utf8') !== text
})
for (const [page, text] of stale) {
  if (check) {
    console.error(`${page} is out of date: npm run docs`)
    continue
  }
  mkdirSync(dirname(join(root, page)), { recursive: true })
  writeFileSync(join(root, page), text)
  console.log(`wrote ${page}`)
}
if (check && stale.length > 0) process.exitCode = 1
