import type { MediaStore, Transcript } from '@eep/core/ports'
import type { Db, Row } from '../database.ts'
import { isText, isUuid, json, toDate } from '../rows.ts'
import { begin, minutesOf, release, reserve, runningJob, settle } from './transcription-minutes.ts'

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

    begin: (jobId) => begin(db, jobId),

    release: (jobId, { begun }) => release(db, jobId, begun),

    async saveTranscript({ fileId, text, segments, ...transcript }) {
      // Its content is not replaced until this transaction ends.
      const file = await db
        .selectFrom('files')
        .select('id')
        .where('id', '=', fileId)
        .where('sha256', '=', transcript.sha256)
        .forKeyShare()
        .executeTakeFirst()
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

    async eraseAccount({ id }) {
      await db.deleteFrom('transcription_reservations').where('account_id', '=', id).execute()
      await db.deleteFrom('transcription_minutes').where('account_id', '=', id).execute()
    },
  }
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
