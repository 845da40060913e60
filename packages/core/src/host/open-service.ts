import { assertMoneyKind, MoneyKindError } from '../framework/composition/money-kind.ts'
import { createEep, type Eep } from '../framework/eep.ts'
import { CommandError } from './commands/command.ts'
import type { Configuration } from './configuration.ts'
import type { OpenDatabase } from './host-database.ts'
import type { HostDefinition } from './host-definition.ts'
import { DEFAULT_HOST, DEFAULT_PORT, urlOf } from './listeners.ts'
import { databaseOf } from './make-parts.ts'
import {
  type ConfiguredService,
  configureService,
  type ServicePlace,
  serviceOptions,
  withSandbox,
} from './service-options.ts'

/** What the configuration describes, with an open database and without a service. */
export interface OpenConfiguration extends OpenDatabase {
  readonly service: ConfiguredService
  readonly place: ServicePlace
}

/** A service for one command. `close` ends it and closes its database. */
export interface OpenService extends OpenDatabase {
  readonly eep: Eep
}

/** Writes warnings and errors to standard error; standard output is for results. */
const logger = {
  info() {},
  warn: (details: object, message: string) => console.error(`warning: ${withReason(message, details)}`),
  error: (details: object, message: string) => console.error(`error: ${withReason(message, details)}`),
}

const withReason = (message: string, details: object) =>
  'err' in details && details.err instanceof Error ? `${message}: ${details.err.message}` : message

/**
 * Opens the database of this configuration, next to hosts that may be running on it.
 *
 * @throws ConfigurationError when the database cannot be used or was not migrated
 * @throws CommandError when it holds another kind of money
 */
export async function openConfiguration(
  host: HostDefinition,
  configuration: Configuration,
): Promise<OpenConfiguration> {
  const { EEP_BASE_URL, HOST, PORT } = configuration.service
  if (PORT === 0 && EEP_BASE_URL === undefined) {
    throw new CommandError('PORT is 0, so the address of the host is not known; set EEP_BASE_URL')
  }
  const publicUrl = EEP_BASE_URL ?? urlOf(HOST ?? DEFAULT_HOST, PORT ?? DEFAULT_PORT)
  const configured = await configureService(host, configuration)
  const { storage, close } = await databaseOf(host, configuration).open('current')
  try {
    await assertMoneyKind(storage, configuration.moneyKind)
  } catch (error) {
    await close()
    throw error instanceof MoneyKindError ? new CommandError(error.message) : error
  }
  const service = await withSandbox(configured, storage)
  return { service, place: { storage, publicUrl, index: storage.search() }, storage, close }
}

/**
 * Creates the service of this configuration without listeners and background work, next to hosts that may be running on its database.
 *
 * @throws ConfigurationError when the database cannot be used or was not migrated
 * @throws CommandError when it holds another kind of money
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * const { eep, close } = await openService(host, readConfig(host, process.env))
 */
export async function openService(host: HostDefinition, configuration: Configuration): Promise<OpenService> {
  const { service, place, storage, close } = await openConfiguration(host, configuration)
  const eep = createEep({ ...serviceOptions(service, place), logger })
  return {
    storage,
    eep,
    async close() {
      await eep.stop()
      await close()
    },
  }
}
