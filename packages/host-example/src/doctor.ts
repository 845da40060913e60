import { constants, existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { check, type Finding, type Found, failed, ok, reasonOf, skipped, warning } from './check.ts'
import { checkBaseUrl } from './check-base-url.ts'
import { checkDatabase } from './check-database.ts'
import { checkBucket } from './check-files.ts'
import { ConfigurationError, readConfig } from './config.ts'
import { configuredBlobs } from './files.ts'
import { configuredMailer } from './mail.ts'
import { configuredBilling, configuredRails } from './payments.ts'

/** Where warnings are explained. */
const OPERATIONS = 'See https://github.com/eep-service/eep/blob/main/docs/operate/operations.md'

/** Signs nothing: rails need a secret, and the doctor does not generate one. */
const NO_SECRET = ['a secret of the doctor, which signs nothing']

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

export interface ExamineOptions {
  /** Whether no host runs yet, so nothing answers the public URL. Default: false. */
  readonly beforeStart?: boolean | undefined
}

/** Checks the configuration in an environment and everything that it depends on, and changes nothing. */
export async function examine(
  environment: NodeJS.ProcessEnv,
  { beforeStart = false }: ExamineOptions = {},
): Promise<readonly Finding[]> {
  let configuration: ReturnType<typeof readConfig>
  try {
    configuration = readConfig(environment)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.message
      .split('\n')
      .map((problem) => ({ check: 'configuration', ...failed(problem, 'Correct the variable') }))
  }
  const { values, production, warnings } = configuration
  const { EEP_DATA_DIR: dataDir = '.data' } = values
  const usesDataDir = values.DATABASE_URL === undefined || values.S3_BUCKET === undefined
  const configured: readonly Finding[] =
    warnings.length === 0
      ? [{ check: 'configuration', ...ok('all variables are valid') }]
      : warnings.map((text) => ({ check: 'configuration', ...warning(text, OPERATIONS) }))

  const checkRails = async (): Promise<readonly Finding[]> => {
    const rails = await configuredRails(values, NO_SECRET)
    if (rails.length === 0) return [{ check: 'payments', ...skipped('no payment rail is configured') }]
    return Promise.all(
      rails.map((rail) =>
        check(`payments by ${rail.id}`, 'Check the variables X402_* or STRIPE_* and the network', () =>
          ping(rail, 'the processor answers'),
        ),
      ),
    )
  }

  const all = await Promise.all([
    configured,
    check('data directory', `Let this user write to ${dataDir}, or set EEP_DATA_DIR`, async () => {
      if (!usesDataDir) return skipped('nothing is stored in it')
      await access(existing(dataDir), constants.W_OK)
      return ok(`${dataDir} is writable`)
    }),
    checkDatabase(values.DATABASE_URL, dataDir, () => configuredRails(values, NO_SECRET)),
    checkRails().catch((error) => [
      {
        check: 'payments',
        ...failed(reasonOf(error), 'Correct the variables X402_* or STRIPE_*'),
      },
    ]),
    check('subscriptions', 'Check STRIPE_SECRET_KEY and the network', async () => {
      const billing = await configuredBilling(values)
      return billing ? ping(billing, 'the processor answers') : skipped('Stripe is not configured')
    }),
    check('email', 'Check SMTP_URL and the network', () =>
      ping(
        configuredMailer(values, dataDir),
        values.SMTP_URL === undefined ? `emails are files in ${dataDir}/mail` : 'the mail server answers',
      ),
    ),
    values.S3_BUCKET === undefined
      ? { check: 'files', ...ok(`files are in ${dataDir}/files`) }
      : checkBucket(() => configuredBlobs(values, dataDir)),
    checkBaseUrl(values.EEP_BASE_URL, { production, beforeStart }),
  ])
  return all.flat()
}
