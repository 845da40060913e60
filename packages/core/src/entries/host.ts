/**
 * A host that environment variables configure: listeners, logs, commands and checks, for hosts that have `pino`, `close-with-grace` and
 * `nodemailer` installed.
 */

export { check, type Finding, type Found, found } from '../host/check.ts'
export { type CommandOptions, runCommandLine } from '../host/command-line.ts'
export {
  type Command,
  CommandError,
  type CommandInput,
  type CommandResult,
  defineCommand,
  type OptionValues,
  UsageError,
} from '../host/commands/command.ts'
export type { Configuration } from '../host/configuration.ts'
export { ConfigurationError } from '../host/configuration-error.ts'
export { envExample } from '../host/env-example.ts'
export {
  defineHostAdapter,
  type HostAdapter,
  type HostParts,
  type PartsContext,
  type SandboxContext,
  type SandboxParts,
} from '../host/host-adapter.ts'
export type { HostDatabase, HostMigrations, HostStorage, OpenDatabase, OpeningMode } from '../host/host-database.ts'
export type { DemoFetch, HostDefinition, HostDemo } from '../host/host-definition.ts'
export { type MadeParts, makeParts } from '../host/make-parts.ts'
export { variablesOf } from '../host/merge-variables.ts'
export { type OpenService, openService } from '../host/open-service.ts'
export { readConfig } from '../host/read-config.ts'
export { belongTogether, excludeEachOther, needs, type Reading, type Rule } from '../host/rule.ts'
export { runHost } from '../host/run-host.ts'
export { keptSecret, keptSigningKeys } from '../host/secrets.ts'
export {
  baseUrl,
  jsonOf,
  listOf,
  matching,
  oneOf,
  openVariable,
  port,
  secretVariable,
  type ValuesOf,
  type Variable,
  type VariableTable,
  webUrl,
  wholeNumber,
  word,
} from '../host/variable.ts'
