import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { type Arguments, HELP, readArguments } from './arguments.ts'
import { InvalidInput, type Plan, packageNameOf } from './plan.ts'
import { eepPackages, filesOf, packagesOf } from './project.ts'
import { Cancelled, decide, type Prompts } from './questions.ts'
import { newSecrets } from './secrets.ts'
import { runOf } from './templates/common.ts'
import { writeProject } from './write-project.ts'

/** What a run reads, and where it prints. */
export interface Surroundings {
  /** The directory in which it was called. */
  readonly directory: string
  /** Undefined without a terminal. */
  readonly prompts: Prompts | undefined
  /** The value of `npm_config_user_agent`, which package managers set. */
  readonly userAgent: string | undefined
  /** The version of this package, which the other packages of Eep have too. */
  readonly version: string
  readonly out: (text: string) => void
  readonly err: (text: string) => void
}

interface Tarball {
  readonly name: string
  readonly path: string
}

/**
 * Finds the tarballs of packages in a folder, as `npm pack` names them.
 *
 * @throws InvalidInput that names the first package without one
 */
function tarballsFor(names: readonly string[], folder: string): readonly Tarball[] {
  const files = globSync('*.tgz', { cwd: folder })
  return names.map((name) => {
    const prefix = `${name.replace('@', '').replace('/', '-')}-`
    const file = files.find((each) => each.startsWith(prefix) && /^\d/.test(each.slice(prefix.length)))
    if (file === undefined) throw new InvalidInput(`--packages ${folder} has no tarball of ${name}`)
    return { name, path: join(folder, file) }
  })
}

/** Checks that a folder holds a Fastify app of modules. */
function assertApp(folder: string): void {
  const path = join(folder, 'package.json')
  if (!existsSync(path)) throw new InvalidInput(`--add needs an app: ${folder} has no package.json`)
  const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'))
  const { type, dependencies } = manifest as { readonly type?: unknown; readonly dependencies?: object }
  if (!dependencies || !('fastify' in dependencies)) {
    throw new InvalidInput(`--add needs a Fastify app: ${path} does not depend on fastify`)
  }
  if (type !== 'module') throw new InvalidInput(`--add needs an app of ES modules: set "type": "module" in ${path}`)
}

/** Whether git leaves the variables of the service out of an app. */
function isIgnored(folder: string): boolean {
  const path = join(folder, '.gitignore')
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split(/\r?\n/) : []
  return lines.some((line) => ['.env.eep', '/.env.eep', '.env*', '.env.*'].includes(line.trim()))
}

/** Runs a package manager in a folder. Throws when it fails. */
async function run(command: readonly string[], folder: string): Promise<void> {
  const [name = '', ...args] = command
  const child = spawn(name, args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command.join(' ')} failed in ${folder}; the files are written, so run it again`)
}

/** The commands that install what a plan needs. */
function installCommands(plan: Plan, versionOf: (name: string) => string): readonly (readonly string[])[] {
  const { packageManager: manager } = plan
  if (!plan.isAddition) return [[manager, 'install']]
  const { dependencies } = packagesOf(plan, versionOf)
  const specs = Object.entries(dependencies)
    .filter(([name]) => name !== 'fastify')
    .map(([name, range]) => `${name}@${range}`)
  return [[manager, manager === 'npm' ? 'install' : 'add', ...specs]]
}

interface NextSteps {
  /** Absolute. */
  readonly folder: string
  readonly isInstalled: boolean
  /** The commands that install the packages. */
  readonly commands: readonly string[]
}

/** What to do next, as lines. */
function nextSteps(plan: Plan, { folder, isInstalled, commands }: NextSteps) {
  const steps = isInstalled ? [] : commands
  if (plan.isAddition) {
    return [
      ...steps.map((step) => `  ${step}`),
      'Add these lines to the file that creates your server:',
      "  import { serverOptions } from '@eep/core'",
      "  import { addEep } from './eep.ts'",
      '  const app = Fastify({ ...serverOptions })',
      '  await addEep(app)',
      'Its variables are in .env.eep: node --env-file=.env.eep, or move them into your .env.',
      ...(isIgnored(folder) ? [] : ['Add .env.eep to .gitignore before you commit: it has a secret.']),
    ]
  }
  const change = plan.folder === '.' ? [] : [`cd ${plan.folder}`]
  return [...change, ...steps, runOf(plan.packageManager, 'dev')].map((step) => `  ${step}`)
}

async function create(given: Arguments, surroundings: Surroundings): Promise<void> {
  const { directory, prompts, userAgent = '', version, out } = surroundings
  const plan = await decide(given, { prompts, runBy: userAgent.split('/')[0] ?? '' })
  const folder = resolve(directory, plan.folder)
  if (plan.isAddition) assertApp(folder)
  const tarballs =
    given.packages === undefined ? [] : tarballsFor(eepPackages(plan), resolve(directory, given.packages))
  const pathOf = ({ path }: Tarball) => `packages/${basename(path)}`
  const versionOf = (name: string) => {
    const tarball = tarballs.find((each) => each.name === name)
    return tarball ? `file:${pathOf(tarball)}` : `^${version}`
  }
  const files = filesOf(plan, { name: packageNameOf(folder), secrets: newSecrets(), versionOf })
  const copies = tarballs.map((tarball) => ({ path: pathOf(tarball), text: readFileSync(tarball.path) }))
  await writeProject(folder, [...files, ...copies])
  out(`${folder} is written.`)

  const commands = installCommands(plan, versionOf)
  if (given.install) for (const command of commands) await run(command, folder)
  const lines = commands.map((words) => words.join(' '))
  out(nextSteps(plan, { folder, isInstalled: given.install, commands: lines }).join('\n'))
}

/**
 * Creates a project, or adds the service to an app, and returns the exit code: 0 done, 1 failed or cancelled, 2 invalid usage.
 *
 * @param args - the command line, without the program: `['my-app', '--yes']`
 * @see https://github.com/eep-service/eep/blob/main/docs/start/create.md
 * @example
 * process.exitCode = await runCreate(['my-app', '--yes'], surroundings)
 */
export async function runCreate(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { out, err, version } = surroundings
  try {
    const given = readArguments(args)
    if (given.help) out(HELP)
    else if (given.version) out(version)
    else await create(given, surroundings)
    return 0
  } catch (error) {
    if (error instanceof Cancelled) {
      err('Nothing was written.')
      return 1
    }
    err(error instanceof Error ? error.message : String(error))
    return error instanceof InvalidInput ? 2 : 1
  }
}
