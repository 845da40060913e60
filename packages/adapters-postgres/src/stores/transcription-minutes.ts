import type { MinuteReservation, Minutes, ReserveOutcome } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { isText, isUuid } from '../rows.ts'

export async function minutesOf(db: Db, accountId: string, month: string): Promise<Minutes> {
  if (!isUuid(accountId) || !isText(month)) return { used: 0, reserved: 0 }
  const row = await db
    .selectNoFrom((from) => [
      from
        .selectFrom('transcription_minutes')
        .select('used')
        .where('account_id', '=', accountId)
        .where('month', '=', month)
        .as('used'),
      from
        .selectFrom('transcription_reservations')
        .select((of) => of.fn.sum<string | null>('minutes').as('sum'))
        .where('account_id', '=', accountId)
        .where('month', '=', month)
        .as('reserved'),
      from
        .selectFrom('transcription_reservations')
        .select((of) => of.fn.sum<string | null>('minutes').as('sum'))
        .where('account_id', '=', accountId)
        .where('month', '=', month)
        .where('begun', '=', true)
        .as('begun'),
    ])
    .executeTakeFirstOrThrow()
  return { used: Number(row.used ?? 0) - Number(row.begun ?? 0), reserved: Number(row.reserved ?? 0) }
}

/** Serializes changes of the minutes of an account. */
async function holdAccount(db: Db, id: string): Promise<boolean> {
  if (!isUuid(id)) return false
  const account = await db.selectFrom('accounts').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  return account !== undefined
}

export async function reserve(db: Db, wanted: MinuteReservation, limit: number): Promise<ReserveOutcome> {
  const { jobId, fileId, accountId, month, minutes } = wanted
  if (!(await holdAccount(db, accountId))) return { outcome: 'gone' }
  const file = await db.selectFrom('files').select('id').where('id', '=', fileId).forKeyShare().executeTakeFirst()
  if (!file) return { outcome: 'gone' }
  const running = await runningJob(db, fileId)
  if (running !== undefined) return { outcome: 'running', jobId: running }
  const known = await minutesOf(db, accountId, month)
  if (known.used + known.reserved + minutes > limit) return { outcome: 'used_up', ...known }
  const { numInsertedOrUpdatedRows: inserted = 0n } = await db
    .insertInto('transcription_reservations')
    .values({ job_id: jobId, file_id: fileId, account_id: accountId, month, minutes })
    .onConflict((conflict) => conflict.column('file_id').doNothing())
    .executeTakeFirst()
  if (inserted > 0n) return { outcome: 'reserved' }
  // The file was transferred meanwhile, and its new owner reserved minutes first.
  const other = await runningJob(db, fileId)
  return other === undefined ? { outcome: 'gone' } : { outcome: 'running', jobId: other }
}

export async function runningJob(db: Db, fileId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('transcription_reservations')
    .select('job_id')
    .where('file_id', '=', fileId)
    .executeTakeFirst()
  return row?.job_id
}

export async function release(db: Db, jobId: string, begun: 'given_back' | 'used'): Promise<boolean> {
  const ended = await end(db, jobId)
  if (ended?.begun && begun === 'given_back') await unuse(db, ended)
  return ended !== undefined
}

async function end(db: Db, jobId: string) {
  if (!isUuid(jobId)) return undefined
  return db.deleteFrom('transcription_reservations').where('job_id', '=', jobId).returningAll().executeTakeFirst()
}

type Payer = Pick<Row<'transcription_reservations'>, 'account_id' | 'month'>

/** Counts minutes of a reservation as used. */
async function use(db: Db, { account_id, month }: Payer, minutes: number) {
  await db
    .insertInto('transcription_minutes')
    .values({ account_id, month, used: minutes })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'month']).doUpdateSet({ used: sql`transcription_minutes.used + ${minutes}` }),
    )
    .execute()
}

/** Subtracts reserved minutes from the used ones. */
async function unuse(db: Db, { account_id, month, minutes }: Row<'transcription_reservations'>) {
  await db
    .updateTable('transcription_minutes')
    .set({ used: sql`transcription_minutes.used - ${Number(minutes)}::bigint` })
    .where('account_id', '=', account_id)
    .where('month', '=', month)
    .execute()
}

export async function begin(db: Db, jobId: string): Promise<boolean> {
  const accountId = await payerOf(db, jobId)
  if (accountId === undefined || !(await holdAccount(db, accountId))) return false
  const reservation = () => db.updateTable('transcription_reservations').where('job_id', '=', jobId)
  const begun = await reservation().set({ begun: true }).where('begun', '=', false).returningAll().executeTakeFirst()
  if (begun) await use(db, begun, Number(begun.minutes))
  return begun !== undefined || (await payerOf(db, jobId)) !== undefined
}

/** The account whose minutes a job reserved. Locked before its reservation, as in `reserve`. */
async function payerOf(db: Db, jobId: string): Promise<string | undefined> {
  if (!isUuid(jobId)) return undefined
  const found = await db
    .selectFrom('transcription_reservations')
    .select('account_id')
    .where('job_id', '=', jobId)
    .executeTakeFirst()
  return found?.account_id
}

export async function settle(db: Db, jobId: string, minutes: number, limit: number): Promise<number | undefined> {
  const payer = await payerOf(db, jobId)
  // Only once the account is locked is it certain that the reservation still exists.
  if (payer === undefined || !(await holdAccount(db, payer))) return undefined
  const reservation = await end(db, jobId)
  if (!reservation) return undefined
  const { account_id: accountId, month } = reservation
  if (reservation.begun) await unuse(db, reservation)
  const { used, reserved } = await minutesOf(db, accountId, month)
  const billed = Math.min(minutes, Math.max(Number(reservation.minutes), limit - used - reserved))
  await use(db, reservation, billed)
  return billed
}
