// Creates projects with `create-eep` from tarballs: checks the types of each combination of options, installs with each package
// manager, starts projects on both databases, and makes a sale in each.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCreate } from '../packages/create-eep/src/index.ts'
import { createDatabaseOn, startPostgresServer } from '../test/support/postgres-server.ts'
import { startHostProcess } from './host-process.ts'
import { pnpm, type Tarball } from './pack-release.ts'
import { fail, report, run } from './steps.ts'

/** How long a project may take to listen. It only ends what hangs. */
const START_MS = 120_000
const PAGE = '/u/robin/content/first-page'

interface Options {
  readonly database: string
  readonly payments: string
  readonly money?: string
  readonly modules: string
}

const MODULES = ['everything', 'base', 'insights,passkeys,siteScanner']
const MONEY: readonly Omit<Options, 'database' | 'modules'>[] = [
  { payments: 'sandbox' },
  ...['x402', 'stripe', 'x402,stripe'].flatMap((payments) => ['test', 'real'].map((money) => ({ payments, money }))),
]
/** Each combination that the program accepts. */
const COMBINATIONS: readonly Options[] = ['pglite', 'postgres'].flatMap((database) =>
  MODULES.flatMap((modules) => MONEY.map((money) => ({ database, modules, ...money }))),
)

const flagsOf = ({ database, payments, money, modules }: Options): readonly string[] => [
  ...['--database', database, '--payments', payments, '--modules', modules],
  ...(money === undefined ? [] : ['--money', money]),
]

/** Runs the program in a directory, and ends the process when it fails. */
async function create(what: string, directory: string, args: readonly string[]): Promise<void> {
  const started = performance.now()
  const said: string[] = []
  const say = (text: string) => said.push(text)
  const code = await runCreate(args, {
    directory,
    prompts: undefined,
    userAgent: undefined,
    version: '0.0.0',
    out: say,
    err: say,
  })
  if (code !== 0) fail(what, said.join('\n'))
  report(what, started)
}

/** Buys the page that a project begins with, with a test card in the request. */
async function buyFirstPage(what: string, url: string): Promise<void> {
  const started = performance.now()
  const refused = await fetch(url + PAGE)
  const challenge = /Payment id="[^"]*"[^,]*(?:, [a-z]+="[^"]*")*/.exec(
    refused.headers.get('www-authenticate') ?? '',
  )?.[0]
  if (refused.status !== 402 || !challenge) fail(what, `${refused.status} without a challenge of the scheme Payment`)
  const parameters = Object.fromEntries(
    [...challenge.matchAll(/([a-z]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )
  const { amount, currency, methodDetails } = JSON.parse(Buffer.from(parameters.request ?? '', 'base64url').toString())
  const token = await fetch(`${url}/sandbox/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      paymentMethod: 'pm_sandbox_ok',
      amount,
      currency,
      networkId: methodDetails.networkId,
      expiresAt: Math.floor(Date.now() / 1_000) + 600,
    }),
  })
  const { spt } = (await token.json()) as { readonly spt?: string }
  const credential = Buffer.from(JSON.stringify({ challenge: parameters, payload: { spt } })).toString('base64url')
  const bought = await fetch(url + PAGE, { headers: { authorization: `Payment ${credential}` } })
  const text = await bought.text()
  if (bought.status !== 200 || !text.includes('You have bought this page.')) fail(what, `${bought.status}: ${text}`)
  const page = await fetch(url + PAGE, { headers: { accept: 'text/html', authorization: `Payment ${credential}` } })
  if (page.status !== 200) fail(what, `the page for people answered ${page.status}`)
  report(what, started)
}

/** Starts a project as `npm run dev` does, makes a sale, and stops it. */
async function sell(what: string, folder: string, env: NodeJS.ProcessEnv = {}): Promise<void> {
  const command = ['node', '--watch', 'src/main.ts']
  const secret = 'a secret of at least 32 characters'
  const host = await startHostProcess(what, command, {
    cwd: folder,
    limitMs: START_MS,
    env: { EEP_SECRET: secret, ...env },
  })
  await buyFirstPage(`make a sale in ${what}`, host.url)
  await host.stop()
}

const SERVER = `import { serverOptions } from '@eep/core'
import Fastify from 'fastify'
import { addEep } from './eep.ts'

const app = Fastify({ ...serverOptions })
await addEep(app)
app.get('/own', async () => ({ own: true }))
process.once('SIGTERM', () => app.close())
console.log('listening on', await app.listen({ port: 0, host: '127.0.0.1' }))
`

/** Starts an app that got the service by the lines that the program names, and asks it for a route of each. */
async function startApp(what: string, folder: string): Promise<void> {
  const started = performance.now()
  writeFileSync(join(folder, 'src/server.ts'), SERVER)
  const command = ['node', '--env-file=.env.eep', 'src/server.ts']
  const host = await startHostProcess(what, command, { cwd: folder, limitMs: START_MS })
  for (const path of ['/own', '/health/ready']) {
    const { status } = await fetch(host.url + path)
    if (status !== 200) fail(what, `${path} answered ${status}\n${host.errors()}`)
  }
  await host.stop()
  report(`start ${what}`, started)
}

/** Checks the types of each combination in one run, on the packages of an installed project, and starts those of each kind. */
async function checkCombinations(target: string, installed: string): Promise<void> {
  const all = join(target, 'combinations')
  mkdirSync(all)
  for (const [index, options] of COMBINATIONS.entries()) {
    const args = [`project-${index}`, '--no-install', '--yes', ...flagsOf(options)]
    await create(`create a project: ${Object.values(options).join(' ')}`, all, args)
    const app = join(all, `app-${index}`)
    mkdirSync(app)
    const manifest = { type: 'module', dependencies: { fastify: '^5.0.0' } }
    writeFileSync(join(app, 'package.json'), JSON.stringify(manifest))
    await create(`add to an app: ${Object.values(options).join(' ')}`, app, [
      '--add',
      '--no-install',
      '--yes',
      ...flagsOf(options),
    ])
  }
  symlinkSync(join(installed, 'node_modules'), join(all, 'node_modules'))
  const settings = readFileSync(join(installed, 'tsconfig.json'), 'utf8').replace(
    '"include": ["src"]',
    '"include": ["*/src"]',
  )
  writeFileSync(join(all, 'tsconfig.json'), settings)
  run(`check the types of ${COMBINATIONS.length} projects and as many apps`, ['npx', '--no-install', 'tsc'], all)
  for (const [index, { database, payments, money, modules }] of COMBINATIONS.entries()) {
    const isSold = database === 'pglite' && (payments === 'sandbox' || (payments === 'x402,stripe' && money === 'test'))
    if (isSold) await sell(`a project of ${payments} with ${modules}`, join(all, `project-${index}`))
    if (database === 'pglite' && payments === 'sandbox')
      await startApp(`an app with ${modules}`, join(all, `app-${index}`))
  }
}

/** Creates projects in `target` from these tarballs, and ends the process when one does not compile, start or sell. */
export async function checkCreatedProjects(target: string, tarballs: readonly Tarball[]): Promise<void> {
  mkdirSync(target)
  const packages = join(tarballs[0]?.path ?? '', '..')
  const base = ['--yes', '--no-install', '--packages', packages]
  await create('create a project for npm', target, ['with-npm', ...base])
  const npm = join(target, 'with-npm')
  run('install it with npm', ['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund'], npm)
  run('check its types', ['npm', 'run', 'check'], npm)
  run('run its test', ['npm', 'test'], npm)
  run('run its command line', ['npm', 'run', 'eep', '--', 'doctor', '--before-start'], npm)
  await sell('the project for npm', npm)

  await create('create a project for pnpm', target, [
    'with-pnpm',
    '--modules',
    'base',
    '--package-manager',
    'pnpm',
    ...base,
  ])
  const other = join(target, 'with-pnpm')
  run('install it with pnpm', [...pnpm, 'install', '--prefer-offline'], other)
  run('check its types with pnpm', [...pnpm, 'run', 'check'], other)
  run('run its test with pnpm', [...pnpm, 'test'], other)
  await sell('the project for pnpm', other)

  const server = await startPostgresServer(undefined)
  const database = await createDatabaseOn(server)
  const { connectionString } = database
  run(
    'migrate its database on PostgreSQL',
    ['env', `DATABASE_URL=${connectionString}`, 'npm', 'run', 'eep', '--', 'migrate'],
    npm,
  )
  const host = await startHostProcess('the project on PostgreSQL', ['node', '--watch', 'src/main.ts'], {
    cwd: npm,
    limitMs: START_MS,
    env: { DATABASE_URL: connectionString, EEP_SECRET: 'a secret of at least 32 characters' },
  })
  const ready = await fetch(`${host.url}/health/ready`)
  if (ready.status !== 200) fail('the project on PostgreSQL', `${ready.status}\n${host.errors()}`)
  await host.stop()
  await database.drop()
  await server.stop()
  await checkCombinations(target, npm)
}
