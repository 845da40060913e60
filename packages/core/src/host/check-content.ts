import type { PaymentRail } from '../ports/payment-rail.ts'
import { check, type Finding, type Found, failed, ok, skipped, warning } from './check.ts'
import { checkPrices } from './check-prices.ts'
import type { HostStorage } from './host-database.ts'

async function migrationsOf(storage: Pick<HostStorage, 'status'>): Promise<Found> {
  const { applied, pending, changed, unknown, refusal } = await storage.status()
  if (refusal) return failed(refusal, 'Use another EEP_DATA_DIR or another database')
  if (changed.length > 0)
    return failed(
      `applied in another form: ${changed.join(', ')}`,
      'Restore the files of the package: released migrations are never edited',
    )
  if (pending.length > 0)
    return warning(
      `${pending.length} are missing: ${pending.join(', ')}`,
      'The host applies them at its start; to do it before, run: npm run eep -- migrate',
    )
  if (unknown.length > 0) return warning(`the database has ${unknown.length} of a newer release`, 'Upgrade this host')
  return ok(`all ${applied.length} are applied`)
}

/** The checks of a database that can be read: its migrations, and the prices in it once all are applied. */
export async function checkContent(
  storage: HostStorage,
  fix: string,
  rails: () => Promise<readonly PaymentRail[]>,
): Promise<readonly Finding[]> {
  const migrations = await check('migrations', fix, () => migrationsOf(storage))
  const prices =
    migrations.status === 'ok'
      ? await check('prices', 'Check the database and the variables of the payment rails', async () =>
          checkPrices(storage, await rails()),
        )
      : { check: 'prices', ...skipped('the database is not migrated') }
  return [migrations, prices]
}
