import type { HostAdapter } from './host-adapter.ts'
import type { HostDefinition } from './host-definition.ts'
import type { VariableTable } from './variable.ts'
import { assistantVariables } from './variables/assistants.ts'
import { botVariables } from './variables/bots.ts'
import { discoveryVariables } from './variables/discovery.ts'
import { fileVariables } from './variables/files.ts'
import { mailVariables } from './variables/mail.ts'
import { metricsVariables } from './variables/metrics.ts'
import { sandboxAdapter } from './variables/sandbox.ts'
import { searchVariables } from './variables/search.ts'
import { serviceVariables } from './variables/service.ts'
import { signInVariables } from './variables/sign-in.ts'

/** What every host has, in the order of `.env.example`. The adapters of a host come after the first. */
const OWN_ADAPTERS: readonly HostAdapter[] = [
  mailVariables,
  signInVariables,
  fileVariables,
  searchVariables,
  botVariables,
  assistantVariables,
  discoveryVariables,
  metricsVariables,
  sandboxAdapter,
]

/** Returns the adapters of a host with those that every host has. */
export const allAdapters = ({ adapters }: Pick<HostDefinition, 'adapters'>): readonly HostAdapter[] => [
  serviceVariables,
  ...adapters,
  ...OWN_ADAPTERS,
]

/**
 * Returns all variables of a host.
 *
 * @throws TypeError when two adapters have a variable of the same name
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * for (const [name, { help }] of Object.entries(variablesOf(host))) console.log(name, help)
 */
export function variablesOf(host: Pick<HostDefinition, 'adapters'>): VariableTable {
  const owners = new Map<string, HostAdapter>()
  const table: Record<string, VariableTable[string]> = {}
  for (const adapter of allAdapters(host)) {
    for (const [name, variable] of Object.entries(adapter.variables)) {
      const owner = owners.get(name)
      if (owner) throw new TypeError(`${name} is a variable of ${owner.name} and of ${adapter.name}`)
      owners.set(name, adapter)
      table[name] = variable
    }
  }
  return table
}
