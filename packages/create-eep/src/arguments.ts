import { parseArgs } from 'node:util'
import { FEATURES } from './features.ts'
import { InvalidInput } from './plan.ts'

/** The options of the command line, before they are checked. */
export interface Arguments {
  readonly folder: string | undefined
  readonly add: boolean
  readonly yes: boolean
  readonly help: boolean
  readonly version: boolean
  readonly install: boolean
  readonly database: string | undefined
  readonly payments: string | undefined
  readonly money: string | undefined
  readonly modules: string | undefined
  readonly packageManager: string | undefined
  /** A folder with tarballs of the packages, for releases that are not on npm. */
  readonly packages: string | undefined
}

export const HELP = `Usage: npm create eep@latest [folder] [-- options]

Starts a project of @eep/core in a new folder, or adds the service to the Fastify app of a folder. Asks for what no option states;
without a terminal, every question needs its option, or --yes.

Options
  --add                       add the service to the Fastify app in the folder; default folder: this one
  --database <name>           pglite (embedded, the default) or postgres
  --payments <names>          sandbox (the default), x402, stripe, or x402,stripe
  --money <kind>              test or real, for x402 and stripe: a database takes one kind for life
  --modules <names>           base, everything (the default), or names with commas between them
  --package-manager <name>    npm or pnpm; default: the one that runs this
  --packages <folder>         install the packages of Eep from the tarballs in a folder, instead of npm
  --no-install                write the files only
  --yes                       take the defaults of everything else
  --help, --version

Modules: ${FEATURES.map(({ name }) => name).join(', ')}

Existing files are never overwritten. Exit codes: 0 done, 1 failed, 2 invalid usage.`

/**
 * Reads the command line.
 *
 * @throws InvalidInput for unknown options and a second folder
 */
export function readArguments(args: readonly string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      allowNegative: true,
      options: {
        add: { type: 'boolean' },
        yes: { type: 'boolean', short: 'y' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        install: { type: 'boolean' },
        database: { type: 'string' },
        payments: { type: 'string' },
        money: { type: 'string' },
        modules: { type: 'string' },
        'package-manager': { type: 'string' },
        packages: { type: 'string' },
      },
    })
    if (positionals.length > 1) throw new InvalidInput('Expected one folder; put options after --')
    const { add = false, yes = false, help = false, version = false, install = true, ...texts } = values
    return {
      folder: positionals[0],
      add,
      yes,
      help,
      version,
      install,
      database: texts.database,
      payments: texts.payments,
      money: texts.money,
      modules: texts.modules,
      packageManager: texts['package-manager'],
      packages: texts.packages,
    }
  } catch (error) {
    throw error instanceof InvalidInput
      ? error
      : new InvalidInput(error instanceof Error ? error.message : String(error))
  }
}
