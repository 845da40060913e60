import { type Plan, packagesOfFeatures } from './plan.ts'
import type { Secrets } from './secrets.ts'
import { additionFile } from './templates/addition.ts'
import { dockerFile, ignoredFile, readmeFile, typesFile, workspaceFile } from './templates/common.ts'
import { environmentFile } from './templates/environment.ts'
import { firstPageFile } from './templates/first-page.ts'
import { adaptersOf, hostFile, mainFile } from './templates/host.ts'
import { saleTestFile } from './templates/sale-test.ts'
import { DATABASE, RUNTIME, TOOLS } from './versions.ts'
import type { ProjectFile } from './write-project.ts'

const sorted = (ranges: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(ranges).toSorted(([one], [other]) => one.localeCompare(other)))

/** The packages of Eep that a plan uses. */
export function eepPackages({ rails, isAddition }: Pick<Plan, 'rails' | 'isAddition'>): readonly string[] {
  const adapters = isAddition ? rails : adaptersOf(rails)
  return [
    '@eep/core',
    '@eep/adapters-postgres',
    ...adapters.map((rail) => (rail === 'x402' ? '@eep/payments-x402' : '@eep/payments-card')),
  ]
}

/**
 * The packages that a project needs, with their ranges.
 *
 * @param versionOf - the version of a package of Eep
 */
export function packagesOf(
  plan: Pick<Plan, 'database' | 'rails' | 'features' | 'isAddition'>,
  versionOf: (name: string) => string,
): {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
} {
  const { fastify = '', ...program } = RUNTIME
  const { pg, tinyld: _, ...embedded } = DATABASE
  // A program opens the search index, and its test of a sale uses the embedded database also beside a server.
  const database = plan.isAddition ? { pg, ...(plan.database === 'pglite' && embedded) } : DATABASE
  return {
    dependencies: sorted({
      ...Object.fromEntries(eepPackages(plan).map((name) => [name, versionOf(name)])),
      ...packagesOfFeatures(plan.features),
      ...database,
      fastify,
      ...(plan.isAddition ? {} : program),
    }),
    devDependencies: sorted(TOOLS),
  }
}

/** What the files of one project have beside its plan. */
export interface ProjectFacts {
  /** The name of the package. */
  readonly name: string
  readonly secrets: Secrets
  /** The version of a package of Eep, for `package.json`. */
  readonly versionOf: (name: string) => string
}

const manifestFile = (plan: Plan, { name, versionOf }: ProjectFacts): string =>
  `${JSON.stringify(
    {
      name,
      version: '0.0.0',
      private: true,
      type: 'module',
      engines: { node: '>=22.18' },
      scripts: {
        dev: 'node --watch --env-file-if-exists=.env src/main.ts',
        start: 'node --env-file-if-exists=.env src/main.ts',
        test: "node --test 'src/**/*.test.ts'",
        check: 'tsc',
        eep: 'eep',
      },
      ...packagesOf(plan, versionOf),
    },
    undefined,
    2,
  )}\n`

/** The files of a new project: at most ten. */
function newProject(plan: Plan, facts: ProjectFacts): readonly ProjectFile[] {
  return [
    { path: 'package.json', text: manifestFile(plan, facts) },
    { path: 'src/host.ts', text: hostFile(plan) },
    { path: 'src/main.ts', text: mainFile() },
    { path: 'src/first-page.ts', text: firstPageFile() },
    { path: 'src/sale.test.ts', text: saleTestFile() },
    { path: '.env', text: environmentFile(plan, facts), isSecret: true },
    { path: '.gitignore', text: ignoredFile() },
    { path: 'tsconfig.json', text: typesFile() },
    { path: 'Dockerfile', text: dockerFile(plan) },
    // A manifest has no comments, so each file is explained in the README; pnpm reads this one in place of it.
    plan.packageManager === 'pnpm'
      ? { path: 'pnpm-workspace.yaml', text: workspaceFile() }
      : { path: 'README.md', text: readmeFile(plan, facts) },
  ]
}

const RAIL_VARIABLES = {
  x402: 'X402_PAY_TO=0x\nX402_FACILITATOR_URL=\n',
  stripe: 'STRIPE_SECRET_KEY=\nSTRIPE_PROFILE_ID=\nSTRIPE_WEBHOOK_SECRET=\n',
} as const

/** The files that an app gets: the service, a test of a sale, and its variables. */
function addition(plan: Plan, { secrets: { secret } }: ProjectFacts): readonly ProjectFile[] {
  const database =
    plan.database === 'postgres' ? 'DATABASE_URL=postgres://postgres:postgres@localhost:5432/postgres\n' : ''
  const rails = plan.rails.map((rail) => RAIL_VARIABLES[rail]).join('')
  return [
    { path: 'src/eep.ts', text: additionFile(plan) },
    ...(plan.database === 'pglite' ? [{ path: 'src/eep.sale.test.ts', text: saleTestFile() }] : []),
    {
      path: '.env.eep',
      text: `# Variables of the service. Never commit this file: move its lines into .env, or run node --env-file=.env.eep.\nEEP_BASE_URL=http://localhost:3000\nEEP_SECRET=${secret}\n${database}${rails}`,
      isSecret: true,
    },
  ]
}

/** The files of a plan. */
export const filesOf = (plan: Plan, facts: ProjectFacts): readonly ProjectFile[] =>
  plan.isAddition ? addition(plan, facts) : newProject(plan, facts)
