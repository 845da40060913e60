import type { ParseArgsOptionsConfig } from 'node:util'
import type { Configuration } from '../configuration.ts'

/** The values of the options of a command, as `parseArgs` returns them. */
export type OptionValues = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

/** What a command gets. */
export interface CommandInputOf<Host> {
  readonly options: OptionValues
  readonly positionals: readonly string[]
  readonly host: Host
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
export interface CommandOf<Host> {
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
  run(input: CommandInputOf<Host>): Promise<CommandResult>
}
