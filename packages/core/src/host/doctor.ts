import { constants, existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { check, type Finding, type Found, failed, ok, reasonOf, skipped, warning } from './check.ts'
import { checkBaseUrl } from './check-base-url.ts'
import { checkBlobs } from './check-blobs.ts'
import { checkContent } from './check-content.ts'
import type { Configuration } from './configuration.ts'
import { ConfigurationError } from './configuration-error.ts'
import { assertNoFormerData } from './former-data.ts'
import { type HostAdapter, type HostParts, shownVariables } from './host-adapter.ts'
import type { HostStorage } from './host-database.ts'
import type { HostDefinition } from './host-definition.ts'
import { databaseOf, makeSandboxParts } from './make-parts.ts'
import { readConfig } from './read-config.ts'
import { mailVariables } from './variables/mail.ts'

/** Where warnings are explained. */
const OPERATIONS = 'See https://github.com/eep-service/eep/blob/main/docs/operate/operations.md'

/** Signs nothing: rails need a secret, and the doctor does not generate one. */
const NO_SECRET = ['a secret of the doctor, which signs nothing']

/** The findings about the payments of a sandbox, which asks no processor. */
const PLAY_MONEY: readonly Finding[] = ['payments', 'subscriptions'].map((name) => ({
  check: name,
  ...ok('the sandbox takes play money, and none moves'),
}))

/** The nearest directory that exists: the host creates the others. */
function existing(path: string): string {
  const full = resolve(path)
  return existsSync(full) || dirname(full) === full ? full : existing(dirname(full))
}

/** A part without a check counts as working. */
async function ping(part: { ping?(): Promise<unknown> }, working: string): Promise<Found> {
  await part.ping?.()
  return ok(working)
}

interface Made {
  readonly adapter: HostAdapter
  readonly parts: HostParts
}

/** What each adapter makes, and why the others failed. */
async function makeSeparately(adapters: readonly HostAdapter[], configuration: Configuration) {
  const { values, dataDir, service } = configuration
  const made: Made[] = []
  const failures: { readonly adapter: HostAdapter; readonly error: unknown }[] = []
  for (const adapter of adapters) {
    try {
      const context = { dataDir, secrets: NO_SECRET, baseUrl: service.EEP_BASE_URL }
      made.push({ adapter, parts: (await adapter.parts?.(values, context)) ?? {} })
    } catch (error) {
      failures.push({ adapter, error })
    }
  }
  return { made, failures }
}

async function checkPayments(made: readonly Made[]): Promise<readonly Finding[]> {
  const fix = (adapter: HostAdapter) => `Check the variables ${shownVariables(adapter)} and the network`
  const rails = made.flatMap(({ adapter, parts }) => (parts.rails ?? []).map((rail) => ({ adapter, rail })))
  const billing = made.flatMap(({ adapter, parts }) => (parts.billing ? [{ adapter, billing: parts.billing }] : []))
  return Promise.all([
    ...(rails.length === 0 ? [{ check: 'payments', ...skipped('no payment rail is configured') }] : []),
    ...rails.map(({ adapter, rail }) =>
      check(`payments by ${rail.id}`, fix(adapter), () => ping(rail, 'the processor answers')),
    ),
    ...(billing.length === 0 ? [{ check: 'subscriptions', ...skipped('no processor is configured') }] : []),
    ...billing.map((one) => check('subscriptions', fix(one.adapter), () => ping(one.billing, 'the processor answers'))),
  ])
}

async function checkFiles(made: readonly Made[], dataDir: string): Promise<Finding> {
  const stored = made.find(({ parts }) => parts.blobStore)
  return stored?.parts.blobStore
    ? checkBlobs(
        stored.parts.blobStore,
        `Check the variables ${shownVariables(stored.adapter)} and the rights of the key`,
      )
    : { check: 'files', ...ok(`files are in ${dataDir}/files`) }
}

async function checkMail(configuration: Configuration): Promise<Finding> {
  const { values, dataDir } = configuration
  return check('email', 'Check SMTP_URL and the network', async () => {
    const { made, failures } = await makeSeparately([mailVariables], configuration)
    if (failures[0]) throw failures[0].error
    const mailer = made[0]?.parts.mailer
    const files = `emails are files in ${dataDir}/mail${configuration.isSandbox ? ', and in the mailbox of the sandbox' : ''}`
    const working = values.SMTP_URL === undefined ? files : 'the mail server answers'
    return ping(mailer ?? {}, working)
  })
}

/** Options of {@link examine}. */
export interface ExamineOptions {
  /** Whether no host runs yet, so nothing answers the public URL. Default: false. */
  readonly beforeStart?: boolean | undefined
}

/** Checks the configuration in an environment and everything that it depends on, and changes nothing. */
export async function examine(
  host: HostDefinition,
  environment: NodeJS.ProcessEnv,
  { beforeStart = false }: ExamineOptions = {},
): Promise<readonly Finding[]> {
  let configuration: Configuration
  try {
    configuration = readConfig(host, environment)
    assertNoFormerData(configuration)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.message
      .split('\n')
      .map((problem) => ({ check: 'configuration', ...failed(problem, 'Correct the variable') }))
  }
  const { service, production, warnings, dataDir } = configuration
  const database = databaseOf(host, configuration)
  const { made, failures } = await makeSeparately(host.adapters, configuration)
  const usesDataDir = database.isEmbedded || made.every(({ parts }) => !parts.blobStore)
  const rails = async (storage: HostStorage) => {
    if (configuration.isSandbox) {
      const { rails = [] } = await makeSandboxParts(host, configuration, { storage, secrets: NO_SECRET, parts: {} })
      return rails
    }
    const failure = failures.find(({ adapter }) => adapter.sells)
    if (failure) throw failure.error
    return made.flatMap(({ parts }) => parts.rails ?? [])
  }
  const all = await Promise.all([
    warnings.length === 0
      ? [{ check: 'configuration', ...ok('all variables are valid') }]
      : warnings.map((text) => ({ check: 'configuration', ...warning(text, OPERATIONS) })),
    failures.map(({ adapter, error }) => ({
      check: adapter.sells ? 'payments' : adapter.name,
      ...failed(reasonOf(error), `Correct the variables ${shownVariables(adapter)}`),
    })),
    check('data directory', `Let this user write to ${dataDir}, or set EEP_DATA_DIR`, async () => {
      if (!usesDataDir) return skipped('nothing is stored in it')
      await access(existing(dataDir), constants.W_OK)
      return ok(`${dataDir} is writable`)
    }),
    database.check((storage, fix) => checkContent(storage, fix, () => rails(storage))),
    configuration.isSandbox ? PLAY_MONEY : failures.some(({ adapter }) => adapter.sells) ? [] : checkPayments(made),
    checkMail(configuration),
    checkFiles(made, dataDir),
    checkBaseUrl(service.EEP_BASE_URL, { production, beforeStart }),
  ])
  return all.flat()
}
