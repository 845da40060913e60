// The boundaries between the parts; docs/architecture.md gives the reasons.
const { peerDependenciesMeta } = require('./packages/core/package.json')

/** What only some hosts install. */
const optional = Object.keys(peerDependenciesMeta).join('|')
const core = '^packages/core/src/'
const runtime = { dependencyTypesNot: ['type-only'] }
// A test beside its file may use the test tools.
const test = '\\.test(-d)?\\.ts$'
const config = 'config\\.[cm]?[jt]s$'

const http = 'node_modules/fastify/|/core/src/http/'
/** The folders that HTTP is built on, and the contracts of ports. */
const belowHttp = 'kernel|model|ports|runtime|adapters|testing'
/** What may import HTTP in `modules`. The rest is services and rules. */
const httpInModules = [
  // By name: routes, the schemas of bodies, and representations.
  '.+/(routes|[^/]+\\.(routes|pages|screens?)|route-config|route-configs)\\.ts$',
  '.+/(schemas|[^/]+-schemas|serialize|serialize-[^/]+|[^/]+-(html|document)|profile-part|send-[^/]+)\\.ts$',
  // Screens of the console, which write markup.
  '.+/screens/',
  // Modules that consist of pages or describe the routes.
  '(pages|publishing/profile-documents|discovery/discovery)/',
  // These read a request, or set headers and cookies of its response.
  'people/accounts/session-answer\\.ts$',
  'publishing/archives/import-request\\.ts$',
  'trade/commerce/request-participant\\.ts$',
  'publishing/content/page-responses\\.ts$',
  'publishing/files/upload-request\\.ts$',
  'access/paywall/access/(checkout-owner|opening-cookie|payer-cookies|require-access|visitor-purchases)\\.ts$',
  'access/paywall/paid/(content|hooks|options|route-host|run)\\.ts$',
  'access/paywall/pay/(app-spending|checkout-cookie|count-checkout|purchase-notice|resolve-purchase)\\.ts$',
  'trade/sandbox/guard\\.ts$',
  // Its tools are made of routes, and call them.
  'assistants/mcp/(catalogue|dispatch|request-checks)\\.ts$',
  'assistants/mcp/tools/(base|read|route)-tools\\.ts$',
  'assistants/oauth-server/(api|app-tokens)\\.ts$',
  'assistants/oauth-server/authorize/(ask|page-requests|pending-request)\\.ts$',
  // Markup that several pages share.
  'publishing/feed/feed-(markup|writers)\\.ts$',
  'trade/commerce/deal-names\\.ts$',
  'assistants/oauth-server/pages\\.ts$',
  'assistants/oauth-server/.+-(page|style)\\.ts$',
  'access/paywall/pages/',
  'access/purchases/pages\\.ts$',
  // Public documents are cached as a whole, with the representations that were made of them.
  'publishing/content/(document-frame|public-content)\\.ts$',
  'profiles/profiles/(freshness|shown-fields)\\.ts$',
  // Its functions are those that write the representations of a part.
  'profiles/profiles/safe-part\\.ts$',
  // Frames are counted in the rate groups of requests.
  'events/sockets/module\\.ts$',
]

/** The wings of `modules`, each with those that it may import. No wing imports back. */
const wings = {
  jobs: [],
  profiles: [],
  people: ['profiles'],
  agents: ['profiles'],
  access: ['agents', 'people', 'profiles'],
  publishing: ['access', 'jobs', 'profiles'],
  trade: ['access', 'people', 'profiles'],
  events: ['access', 'people', 'profiles', 'publishing', 'trade'],
  discovery: ['access', 'events', 'jobs', 'profiles', 'publishing'],
  insight: ['discovery', 'people', 'profiles', 'publishing'],
  operations: ['access', 'discovery', 'insight', 'people', 'profiles', 'publishing', 'trade'],
  pages: ['access', 'events', 'insight', 'people', 'profiles', 'publishing'],
  assistants: ['access', 'events', 'pages', 'people', 'profiles', 'publishing'],
}
const wingRules = Object.entries(wings).map(([wing, below]) => ({
  name: `wing-${wing}`,
  severity: 'error',
  from: { path: `${core}modules/${wing}/`, pathNot: test },
  to: { path: `${core}modules/`, pathNot: `${core}modules/(${[wing, ...below].join('|')})/` },
}))

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-cycles-of-types-in-core',
      severity: 'error',
      from: { path: core },
      to: { circular: true },
    },
    {
      // It runs in browsers and workers, and knows the service by its HTTP alone.
      name: 'client-runs-everywhere',
      severity: 'error',
      from: { path: '^packages/client/src/', pathNot: test },
      to: { pathNot: '^packages/client/src/|node_modules/openapi-fetch/' },
    },
    {
      name: 'kernel-is-the-bottom',
      severity: 'error',
      from: { path: `${core}kernel/` },
      to: { path: core, pathNot: `${core}kernel/` },
    },
    {
      name: 'model-is-above-kernel-only',
      severity: 'error',
      from: { path: `${core}model/`, pathNot: test },
      to: { path: core, pathNot: `${core}(model|kernel)/` },
    },
    {
      name: 'ports-are-above-model',
      severity: 'error',
      from: { path: `${core}ports/`, pathNot: test },
      to: { path: core, pathNot: `${core}(ports|model|kernel)/` },
    },
    {
      name: 'no-http-below-http',
      severity: 'error',
      from: { path: `${core}(${belowHttp})/`, pathNot: test },
      to: { path: http },
    },
    {
      name: 'modules-keep-http-in-its-files',
      severity: 'error',
      from: { path: `${core}modules/`, pathNot: `${test}|${core}modules/(${httpInModules.join('|')})` },
      to: { path: http },
    },
    {
      name: 'modules-have-one-door',
      severity: 'error',
      // The document of a profile is tested with the parts that modules write.
      from: { path: `${core}modules/([^/]+/[^/]+)/`, pathNot: 'profile-document\\.test\\.ts$' },
      to: { path: `${core}modules/`, pathNot: `${core}modules/($1/|.+/(index|token|events)\\.ts$)` },
    },
    ...wingRules,
    {
      name: 'event-definitions-are-data',
      severity: 'error',
      from: { path: `${core}modules/.+/events\\.ts$` },
      to: { path: core, pathNot: `${core}(kernel|model|runtime/events)/` },
    },
    {
      name: 'events-are-above-ports',
      severity: 'error',
      from: { path: `${core}runtime/events/`, pathNot: test },
      to: { path: core, pathNot: `${core}(runtime/events|ports|model|kernel)/` },
    },
    {
      name: 'modules-do-not-know-the-root',
      severity: 'error',
      from: { path: `${core}(modules|http|runtime|adapters|kernel|model|ports)/`, pathNot: test },
      to: { ...runtime, path: `${core}(entries/|framework/(eep\\.ts$|plugin\\.ts$|composition/))` },
    },
    {
      name: 'host-is-the-top',
      severity: 'error',
      from: { path: core, pathNot: `${core}(host/|entries/host\\.ts$)` },
      to: { path: `${core}(host|entries/host\\.ts)` },
    },
    {
      // So that importing its entry, as adapters do, never fails.
      name: 'host-loads-libraries-when-it-starts',
      severity: 'error',
      from: { path: `${core}host/`, pathNot: test },
      to: { ...runtime, dynamic: false, path: `(^|node_modules/)(${optional})(/|$)` },
    },
    {
      name: 'host-is-not-a-feature',
      severity: 'error',
      from: { path: `${core}host/`, pathNot: test },
      to: { path: `${core}(entries|testing)/` },
    },
    {
      name: 'core-knows-no-adapter',
      severity: 'error',
      from: { path: '^packages/core/' },
      to: {
        path: '^packages/(?!core/)|^(@eep/|kysely|pg$|stripe|viem|@aws-sdk|@electric-sql)|node_modules/(kysely|pg|stripe|viem|@aws-sdk|@electric-sql)/',
      },
    },
    {
      name: 'core-runs-without-optional-libraries',
      severity: 'error',
      from: { path: `${core}entries/(index|module|ports)\\.ts$` },
      to: { path: `(^|node_modules/)(${optional})(/|$)`, reachable: true },
    },
    {
      name: 'core-has-few-doors',
      severity: 'error',
      from: { path: '^(packages/(?!core/)|examples/|test/|bench/)' },
      to: {
        path: `${core}(?!entries/)`,
      },
    },
    {
      name: 'adapters-do-not-meet',
      severity: 'error',
      from: { path: '^packages/((?:adapters|payments)-[^/]+)/' },
      to: { path: '^packages/(adapters|payments|host)-', pathNot: '^packages/$1/' },
    },
    {
      name: 'testing-stays-out',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: `/testing/|entries/testing\\.ts$|${test}` },
      to: { path: `${core}testing/` },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: `${test}|${config}|^(examples|scripts)/|${core}browser/` },
      to: {},
    },
    {
      name: 'declared-dependencies-only',
      severity: 'error',
      from: { pathNot: config },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.base.json' },
    // This makes the names of workspace packages resolve to their sources.
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@eep/source', 'types', 'import', 'node', 'default'],
      extensions: ['.ts', '.d.ts', '.js', '.json'],
    },
  },
}
