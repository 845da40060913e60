import { createEep, type Eep, type EepOptions } from '@eep/core'
import { CommandError } from './commands/command.ts'
import type { Configuration } from './config.ts'
import { DEFAULT_HOST, DEFAULT_PORT, urlOf } from './listeners.ts'
import { type ConfiguredParts, configuredParts, serviceOptions } from './service.ts'
import { type OpenStorage, openMigrated } from './storage.ts'

/** What the configuration describes, with an open database and without a service. */
export interface OpenConfiguration extends OpenStorage {
  readonly options: EepOptions
  readonly parts: ConfiguredParts
}

export interface OpenService extends OpenConfiguration {
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
 */
export async function openConfiguration({ values }: Configuration): Promise<OpenConfiguration> {
  const { EEP_DATA_DIR: dataDir = '.data', EEP_BASE_URL, HOST, PORT } = values
  if (PORT === 0 && EEP_BASE_URL === undefined) {
    throw new CommandError('PORT is 0, so the address of the host is not known; set EEP_BASE_URL')
  }
  const publicUrl = EEP_BASE_URL ?? urlOf(HOST ?? DEFAULT_HOST, PORT ?? DEFAULT_PORT)
  const parts = await configuredParts(values, dataDir)
  const { storage, close } = await openMigrated(values, dataDir)
  return { options: { ...serviceOptions(parts, { storage, publicUrl }), logger }, parts, storage, close }
}

/** Creates the service of this configuration without listeners and background work. Throws like {@link openConfiguration}. */
export async function openService(configuration: Configuration): Promise<OpenService> {
  const opened = await openConfiguration(configuration)
  const eep = createEep(opened.options)
  return {
    ...opened,
    eep,
    async close() {
      await eep.stop()
      await opened.close()
    },
  }
}
