import type { HostDefinition } from '../host-definition.ts'
import type { CommandInputOf, CommandOf, OptionValues } from './command-of.ts'

export type { CommandResult, OptionValues } from './command-of.ts'

/** What a command gets. */
export type CommandInput = CommandInputOf<HostDefinition>

/** A command of `eep`. */
export type Command = CommandOf<HostDefinition>

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
