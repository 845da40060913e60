import { join } from 'node:path'
import { MONEY_WORDS } from '../framework/composition/money-kind.ts'
import type { MoneyKind } from '../ports/money-kind.ts'
import type { Configuration } from './configuration.ts'
import { ConfigurationError } from './configuration-error.ts'
import type { HostAdapter } from './host-adapter.ts'
import type { HostDefinition } from './host-definition.ts'
import { allAdapters, variablesOf } from './merge-variables.ts'
import type { Reading } from './rule.ts'
import { sandboxMode } from './sandbox-mode.ts'
import { unknownVariables } from './unknown-variables.ts'
import type { VariableTable } from './variable.ts'
import type { ServiceValues } from './variables/service.ts'

/** The default of EEP_DATA_DIR for hosts that take real money, or none. */
export const DATA_DIR = '.data'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the variables of a host from an environment. An empty variable counts as unset.
 *
 * @throws ConfigurationError that names every invalid variable and every invalid combination
 * @throws TypeError when two adapters have a variable of the same name
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * const { values, warnings } = readConfig(host, process.env)
 */
export function readConfig(host: Pick<HostDefinition, 'adapters'>, environment: Environment): Configuration {
  const table = variablesOf(host)
  const adapters = allAdapters(host)
  const set = new Map(
    Object.entries(environment).filter((entry): entry is [string, string] => Boolean(entry[1]?.trim())),
  )
  const { values, problems } = parse(table, set)
  const service = values as ServiceValues
  const production = service.NODE_ENV === 'production'
  const reading: Reading = {
    values,
    production,
    has: (name) => set.has(name),
    missing: (name, why) => `${name} is missing: ${why} (${table[name]?.help})`,
  }
  problems.push(...found(adapters, 'rules', reading))
  const money = takenMoney(adapters, values)
  if (money.problem !== undefined) problems.push(money.problem)
  const sandbox = sandboxMode(service, new Set(set.keys()), adapters)
  if (sandbox.problem !== undefined) problems.push(sandbox.problem)
  const moneyKind = sandbox.isOn ? 'sandbox' : money.kind
  const unknown = unknownVariables(set, adapters)
  // With a misspelt variable, the host would run without its setting, for example on an empty database.
  if (production) problems.push(...unknown)
  if (problems.length > 0) throw new ConfigurationError(problems)
  return {
    values,
    service,
    production,
    payerProof: service.EEP_PAYER_PROOF ?? (production ? 'signed' : sandbox.isOn ? 'lookup' : undefined),
    isSandbox: sandbox.isOn,
    moneyKind,
    dataDir: service.EEP_DATA_DIR ?? dataDirOf(moneyKind),
    warnings: [...unknown, ...found(adapters, 'warnings', reading), ...unsellable(host, reading)],
  }
}

/** Parses the variables that are set. */
function parse(table: VariableTable, set: ReadonlyMap<string, string>) {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, { schema, help, secret }] of Object.entries(table)) {
    const text = set.get(name)?.trim()
    if (text === undefined) continue
    const result = schema.safeParse(text)
    if (result.success) values[name] = result.data
    else problems.push(`${name} ${secret ? '' : `"${printable(text)}" `}${result.error.issues[0]?.message} (${help})`)
  }
  return { values, problems }
}

/** The kind of money that the variables configure, and the problem when they configure several. */
function takenMoney(adapters: readonly HostAdapter[], values: Reading['values']) {
  const takers = adapters.flatMap((adapter) => adapter.takesMoney?.(values) ?? [])
  const [kind, ...others] = new Set(takers.map(({ moneyKind }) => moneyKind))
  if (others.length === 0) return { kind }
  const named = takers.map(({ variable, moneyKind }) => `${variable} is for ${MONEY_WORDS[moneyKind]}`).join(', and ')
  return { kind, problem: `${named}: a host takes one kind of money; remove the variables of the others` }
}

const dataDirOf = (kind: MoneyKind | undefined): string =>
  kind === undefined || kind === 'real' ? DATA_DIR : join(DATA_DIR, kind)

/** A value for a message, without the password, the query and the fragment that a URL may have. */
const printable = (text: string): string =>
  text.replace(/\/\/[^/?#]*@/g, '//[Redacted]@').replace(/(:\/\/[^?#]*)[?#].*/s, '$1?[Redacted]')

const found = (adapters: readonly HostAdapter[], kind: 'rules' | 'warnings', reading: Reading): readonly string[] =>
  adapters
    .flatMap((adapter) => adapter[kind] ?? [])
    .filter((rule) => rule.when(reading))
    .map((rule) => rule.problem(reading))

/** Warns about a production host that sells nothing although it could. */
function unsellable(
  { adapters }: Pick<HostDefinition, 'adapters'>,
  { values, production }: Reading,
): readonly string[] {
  const sellers = adapters.flatMap(({ sells }) => sells ?? [])
  if (!production || sellers.length === 0 || sellers.some((seller) => seller.isConfigured(values))) return []
  const ways = sellers.map(({ variables }) => variables).join(', or ')
  return [`No payment rail is configured, so pages with a price cannot be bought: set ${ways}`]
}
