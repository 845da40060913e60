import type { ParseArgsOptionsConfig } from 'node:util'
import type { HostDefinition } from '../host-definition.ts'
import type { Configuration } from '../read-config.ts'

/** The values of the options of a command, as `parseArgs` returns them. */
export type OptionValues = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

/** What a command gets. */
export interface CommandInput {
  readonly options: OptionValues
  readonly positionals: readonly string[]
  readonly host: HostDefinition
  readonly environment: NodeJS.ProcessEnv
  /**
   * Reads the configuration from the environment.
   *
   * @throws ConfigurationError that names what is invalid
   */
  readConfiguration(): Configuration
  /** Prints a line about work in progress to standard error. */
  progress(line: string): void
}

/** What a command found or did. */
export interface CommandResult {
  /** For people, without a line break at the end. */
  readonly text: string
  /** The same for programs: the output of `--json`. */
  readonly json: object
  /** Default: 0. 1 means that something differs or failed; `text` explains it. */
  readonly exitCode?: 0 | 1 | undefined
}

/** A command of `eep`. */
export interface Command {
  /** One word or two: `admin create`. */
  readonly name: string
  /** Its arguments: `<email>`. */
  readonly usage: string
  readonly summary: string
  /** Everything that `--help` adds about it. */
  readonly help: string
  /** The number of arguments that are not options. `optional`: at most one. */
  readonly positionals: number | 'optional'
  /** In addition to `--json` and `--help`. */
  readonly options: ParseArgsOptionsConfig
  run(input: CommandInput): Promise<CommandResult>
}

/**
 * Returns a command with its types checked, for `commands` of a host.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * const refresh = defineCommand({
 *   name: 'quotes refresh',
 *   usage: '',
 *   summary: 'reads the quotes again',
 *   help: 'Reads all quotes from their source. The host may be running.',
 *   positionals: 0,
 *   options: {},
 *   async run({ host, readConfiguration }) {
 *     const { eep, close } = await openService(host, readConfiguration())
 *     try {
 *       const count = await eep.quotes.refresh()
 *       return { text: `${count} quotes`, json: { count } }
 *     } finally {
 *       await close()
 *     }
 *   },
 * })
 */
export const defineCommand = (command: Command): Command => command

/** The arguments are invalid. The message explains how. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command cannot do what it was asked for. The message explains why, and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** The text of an option that takes one. */
export function textOf(options: OptionValues, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}
