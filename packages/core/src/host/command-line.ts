import { parseArgs } from 'node:util'
import { type Command, CommandError, UsageError } from './commands/command.ts'
import { COMMANDS } from './commands/list.ts'
import { ConfigurationError } from './configuration-error.ts'
import type { HostDefinition } from './host-definition.ts'
import { readConfig } from './read-config.ts'

const COMMON = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
const EXIT_CODES = 'Exit codes: 0 done, 1 failed or something differs, 2 invalid usage.'

const helpWith = (commands: readonly Command[]) => `Usage: eep <command> [options]

Commands
${commands.map(({ name, usage, summary }) => `  ${`${name} ${usage}`.trim()}\n      ${summary}`).join('\n')}

Options
  --json   print the result as JSON
  --help   show this text, or that of a command

The variables of the host configure these commands too.
${EXIT_CODES}`

const helpOf = ({ name, usage, help }: Command) => `Usage: eep ${`${name} ${usage}`.trim()} [--json]

${help}

${EXIT_CODES}`

/** What a run of a command reads, and where it prints. */
export interface CommandOptions {
  readonly environment: NodeJS.ProcessEnv
  readonly out: (text: string) => void
  readonly err: (text: string) => void
}

/**
 * Returns the commands of `eep` with those of a host.
 *
 * @throws TypeError when two have the same name, or the name of one begins with that of another
 */
function commandsOf({ commands = [] }: Pick<HostDefinition, 'commands'>): readonly Command[] {
  const all = [...COMMANDS, ...commands]
  for (const [index, { name }] of all.entries()) {
    const other = all
      .slice(0, index)
      .find((earlier) => `${name} `.startsWith(`${earlier.name} `) || `${earlier.name} `.startsWith(`${name} `))
    if (other) throw new TypeError(`The command "${name}" of the host has the name of the command "${other.name}"`)
  }
  return all
}

/** Finds the command that the arguments begin with, and returns it with the arguments after it. */
function findCommand(
  commands: readonly Command[],
  args: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } {
  for (const command of commands) {
    const words = command.name.split(' ')
    if (words.every((word, index) => args[index] === word)) return { command, rest: args.slice(words.length) }
  }
  const known = commands.map(({ name }) => name).join(', ')
  throw new UsageError(`Expected one of ${known}`)
}

function parse(command: Command, args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { ...command.options, ...COMMON }, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

async function runCommand(
  host: HostDefinition,
  command: Command,
  args: readonly string[],
  { environment, out, err }: CommandOptions,
) {
  const { values, positionals } = parse(command, args)
  if (values.help) {
    out(helpOf(command))
    return 0
  }
  const isMany = positionals.length > 1
  if (command.positionals === 'optional' ? isMany : positionals.length !== command.positionals) {
    throw new UsageError(`Expected: eep ${command.name} ${command.usage}`.trim())
  }
  const {
    text,
    json,
    exitCode = 0,
  } = await command.run({
    options: values,
    positionals,
    host,
    environment,
    readConfiguration: () => readConfig(host, environment),
    progress: err,
  })
  out(values.json ? JSON.stringify(json, undefined, 2) : text)
  return exitCode
}

/** Returns what to print about an error that the operator can act on; undefined for others. */
function messageOf(error: unknown): string | undefined {
  if (error instanceof ConfigurationError || error instanceof CommandError) return error.message
  // Errors of the service have a code and a sentence.
  const { name, code, message } = error as { name?: unknown; code?: unknown; message?: unknown }
  return name === 'EepError' ? `${message} (${code})` : undefined
}

/**
 * Runs one command of `eep` and returns its exit code: 0 done, 1 failed or something differs, 2 invalid usage.
 *
 * @throws TypeError when a command of the host has the name of another one
 * @param args - the command and its arguments: `['admin', 'create', 'ada@example.com']`
 * @param options - default: the environment and the outputs of this process
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * process.exitCode = await runCommandLine(host, process.argv.slice(2))
 */
export async function runCommandLine(
  host: HostDefinition,
  args: readonly string[],
  options: CommandOptions = { environment: process.env, out: console.log, err: console.error },
): Promise<number> {
  const { out, err } = options
  const commands = commandsOf(host)
  const help = helpWith(commands)
  if (args.length === 1 && (args[0] === '--help' || args[0] === '-h')) {
    out(help)
    return 0
  }
  let helpText = help
  try {
    const { command, rest } = findCommand(commands, args)
    helpText = helpOf(command)
    return await runCommand(host, command, rest, options)
  } catch (error) {
    if (error instanceof UsageError) {
      err(`${error.message}\n\n${helpText}`)
      return 2
    }
    const message = messageOf(error)
    if (message === undefined) throw error
    err(message)
    return 1
  }
}
