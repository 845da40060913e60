import type { HostAdapter } from './host-adapter.ts'
import type { ServiceValues } from './variables/service.ts'

/** Whether a host is a sandbox. */
export interface SandboxMode {
  readonly isOn: boolean
  /** Why it must not be one although EEP_SANDBOX is on. */
  readonly problem?: string | undefined
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])

/** Whether only this machine reaches a host, as far as its variables say. */
function isLocal({ EEP_BASE_URL: baseUrl, HOST: host = 'localhost' }: ServiceValues): boolean {
  return LOOPBACK.has(baseUrl === undefined ? host.toLowerCase() : new URL(baseUrl).hostname)
}

/** The variables that are set and belong to a way to take money. */
const moneyVariables = (set: Iterable<string>, adapters: readonly HostAdapter[]): readonly string[] => {
  const takers = adapters.filter((adapter) => adapter.takesMoney ?? adapter.sells)
  return [...set].filter((name) =>
    takers.some(
      ({ variables, prefixes }) => Object.hasOwn(variables, name) || prefixes.some((prefix) => name.startsWith(prefix)),
    ),
  )
}

/**
 * Returns whether a host is a sandbox: by EEP_SANDBOX, or without it where only this machine reaches the host and it takes no other
 * money. A host is a sandbox or takes money, and never both.
 *
 * @param set - the names of the variables that are set, also of those with an invalid value
 */
export function sandboxMode(
  service: ServiceValues,
  set: ReadonlySet<string>,
  adapters: readonly HostAdapter[],
): SandboxMode {
  const { NODE_ENV, EEP_SANDBOX: wanted } = service
  const reasons = [...(NODE_ENV === 'production' ? ['NODE_ENV=production'] : []), ...moneyVariables(set, adapters)]
  // An invalid value is reported, and must not start a sandbox.
  if (wanted === undefined) return { isOn: reasons.length === 0 && !set.has('EEP_SANDBOX') && isLocal(service) }
  if (wanted === 'off') return { isOn: false }
  if (reasons.length === 0) return { isOn: true }
  return {
    isOn: false,
    problem: `EEP_SANDBOX is on, and ${reasons.join(', ')} ${reasons.length === 1 ? 'is' : 'are'} set: a host is a sandbox or takes money; remove the one or the other`,
  }
}
