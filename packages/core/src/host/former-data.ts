import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Configuration } from './configuration.ts'
import { ConfigurationError } from './configuration-error.ts'
import { DATA_DIR } from './read-config.ts'
import { SECRET } from './secrets.ts'

/** The database and the secret of a data directory. */
const KEPT = ['postgres', SECRET.name]

const isUsed = (dataDir: string): boolean => KEPT.some((name) => existsSync(join(dataDir, name)))

/**
 * Prevents that a host with play or test money starts with an empty data directory while the one for real money is in use: it would look
 * as if its data was lost.
 *
 * @throws ConfigurationError that names both folders
 */
export function assertNoFormerData({ dataDir, service, moneyKind, isSandbox }: Configuration): void {
  if (service.EEP_DATA_DIR !== undefined || dataDir === DATA_DIR || isUsed(dataDir) || !isUsed(DATA_DIR)) return
  const goOn = isSandbox ? 'EEP_SANDBOX to off' : `to ${DATA_DIR}`
  throw new ConfigurationError([
    `${DATA_DIR} has data, and a host with ${moneyKind} money stores its own in ${dataDir}, which is empty. Set EEP_DATA_DIR to ${dataDir} to begin there, or ${goOn} to go on with that data`,
  ])
}
