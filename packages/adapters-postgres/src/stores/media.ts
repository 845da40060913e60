import type { MediaStore, MinuteReservation, Minutes, ReserveOutcome, Transcript } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { isText, isUuid, json, toDate } from '../rows.ts'

export function media(db: Db): MediaStore {
  return {
    async getTranscript(fileId) {
      const row = await db.selectFrom('transcripts').selectAll().where('file_id', '=', fileId).executeTakeFirst()
      return row && toTranscript(row)
    },

    async findTranscript(accountId, sha256, askedLanguage) {
      if (!isUuid(accountId) || !isText(sha256, askedLanguage ?? '')) return undefined
      const row = await db
        .selectFrom('transcripts')
        .innerJoin('files', 'files.id', 'transcripts.file_id')
        .innerJoin('profiles', 'profiles.id', 'files.profile_id')
        .selectAll('transcripts')
        .where('transcripts.sha256', '=', sha256)
        .where('asked_language', 'is not distinct from', askedLanguage)
        .where('profiles.owner_account_id', '=', accountId)
        .orderBy('transcripts.created_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && toTranscript(row)
    },

    getRunningJob: (fileId) => runningJob(db, fileId),
    minutesOf: (accountId, month) => minutesOf(db, accountId, month),
    reserve: (reservation, limit) => reserve(db, reservation, limit),
    settle: (jobId, minutes, limit) => settle(db, jobId, minutes, limit),

    async release(jobId) {
      return (await end(db, jobId)) !== undefined
    },

    async saveTranscript({ fileId, text, segments, ...transcript }) {
      const file = await db.selectFrom('files').select('id').where('id', '=', fileId).forKeyShare().executeTakeFirst()
      if (!file) return false
      const row = {
        sha256: transcript.sha256,
        asked_language: transcript.askedLanguage,
        language: transcript.language,
        duration_seconds: transcript.durationSeconds,
        body: text,
        segments: json(segments),
        job_id: transcript.jobId,
        created_at: transcript.createdAt,
      }
      await db
        .insertInto('transcripts')
        .values({ file_id: fileId, ...row })
        .onConflict((conflict) => conflict.column('file_id').doUpdateSet(row))
        .execute()
      return true
    },
  }
}

async function minutesOf(db: Db, accountId: string, month: string): Promise<Minutes> {
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
    ])
    .executeTakeFirstOrThrow()
  return { used: Number(row.used ?? 0), reserved: Number(row.reserved ?? 0) }
}

/** Minutes of an account are counted by one at a time. */
async function holdAccount(db: Db, id: string): Promise<boolean> {
  if (!isUuid(id)) return false
  const account = await db.selectFrom('accounts').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  return account !== undefined
}

async function reserve(db: Db, wanted: MinuteReservation, limit: number): Promise<ReserveOutcome> {
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
  // The file changed hands meanwhile, and its new owner was faster.
  const other = await runningJob(db, fileId)
  return other === undefined ? { outcome: 'gone' } : { outcome: 'running', jobId: other }
}

async function runningJob(db: Db, fileId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('transcription_reservations')
    .select('job_id')
    .where('file_id', '=', fileId)
    .executeTakeFirst()
  return row?.job_id
}

async function end(db: Db, jobId: string) {
  if (!isUuid(jobId)) return undefined
  return db.deleteFrom('transcription_reservations').where('job_id', '=', jobId).returningAll().executeTakeFirst()
}

async function settle(db: Db, jobId: string, minutes: number, limit: number): Promise<number | undefined> {
  if (!isUuid(jobId)) return undefined
  const found = await db
    .selectFrom('transcription_reservations')
    .select('account_id')
    .where('job_id', '=', jobId)
    .executeTakeFirst()
  // The account first, as whoever reserves; only then is it certain that the reservation is still there.
  if (!found || !(await holdAccount(db, found.account_id))) return undefined
  const reservation = await end(db, jobId)
  if (!reservation) return undefined
  const { account_id: accountId, month } = reservation
  const { used, reserved } = await minutesOf(db, accountId, month)
  const billed = Math.min(minutes, Math.max(Number(reservation.minutes), limit - used - reserved))
  await db
    .insertInto('transcription_minutes')
    .values({ account_id: accountId, month, used: billed })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'month']).doUpdateSet({ used: sql`transcription_minutes.used + ${billed}` }),
    )
    .execute()
  return billed
}

const toTranscript = (row: Row<'transcripts'>): Transcript => ({
  fileId: Number(row.file_id),
  sha256: row.sha256,
  askedLanguage: row.asked_language,
  language: row.language,
  durationSeconds: Number(row.duration_seconds),
  text: row.body,
  segments: row.segments,
  jobId: row.job_id,
  createdAt: toDate(row.created_at),
})
