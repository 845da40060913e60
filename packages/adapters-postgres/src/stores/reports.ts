import type { ProfileType, Report, ReportProfile, ReportStatus, ReportStore, ReportSubjectType } from '@eep/core/ports'
import { type Kysely, sql } from 'kysely'
import type { Bigint, BigintOrNull } from '../columns.ts'
import type { Database, Db } from '../database.ts'
import { deleteSelected } from '../delete-selected.ts'
import { desc, listPage } from '../list-page.ts'
import { holdProfiles, isOfProfiles, isText, isUuid, keepAccount, toDate, unlessTaken } from '../rows.ts'

/** The tables of this group. Only this file uses them, so they are declared here. */
type ReportTables = {
  reports: {
    id: string
    subject_type: ReportSubjectType
    subject_id: string
    status: ReportStatus
    reason: string | null
    reporter_account_id: string | null
    reporter_profile_id: BigintOrNull
    reported_profile_id: BigintOrNull
    note: string | null
    created_at: Date
    updated_at: Date
  }
  report_evidence: { report_id: string; author_profile_id: Bigint; body: string }
}

type ReportDb = Kysely<Database & ReportTables>

export function reports(database: Db): ReportStore {
  const db: ReportDb = database.withTables<ReportTables>()

  async function get(id: string) {
    if (!isUuid(id)) return undefined
    const row = await reportRows(db).where('reports.id', '=', id).executeTakeFirst()
    return row && toReport(row)
  }

  async function existing(id: string): Promise<Report> {
    return toReport(await reportRows(db).where('reports.id', '=', id).executeTakeFirstOrThrow())
  }

  return {
    get,

    async getOpen({ type, id }, reporterAccountId) {
      if (!isUuid(reporterAccountId) || !isText(id)) return undefined
      const row = await reportRows(db)
        .where('reports.reporter_account_id', '=', reporterAccountId)
        .where('reports.subject_type', '=', type)
        .where('reports.subject_id', '=', id)
        .where('reports.status', '=', 'open')
        .executeTakeFirst()
      return row && toReport(row)
    },

    async list({ status }, request) {
      const wanted = db
        .selectFrom('reports')
        .$if(status !== undefined, (query) => query.where('reports.status', '=', status as ReportStatus))
      const counted = wanted.select(({ fn }) => fn.countAll<string>().as('count'))
      const query = reportRows(db)
        .$if(status !== undefined, (rows) => rows.where('reports.status', '=', status as ReportStatus))
        .select(counted.as('total'))
      return listPage(query, request, {
        order: [desc('reports.created_at', 'moment'), desc('reports.id', 'uuid')],
        item: toReport,
        key: ({ createdAt, id }) => [createdAt.getTime(), id],
        counted,
      })
    },

    async open({ id, subject, reason, evidence, reporterAccountId, reporterProfileId, reportedProfileId, createdAt }) {
      if (!(await keepAccount(database, reporterAccountId))) return undefined
      if (!(await holdProfiles(database, [reporterProfileId, reportedProfileId]))) return undefined
      const row = await db
        .insertInto('reports')
        .values({
          id,
          subject_type: subject.type,
          subject_id: subject.id,
          status: 'open',
          reason,
          note: null,
          reporter_account_id: reporterAccountId,
          reporter_profile_id: reporterProfileId,
          reported_profile_id: reportedProfileId,
          created_at: createdAt,
          updated_at: createdAt,
        })
        // An update instead of `do nothing` returns the open report, even one that was stored after this statement began.
        .onConflict((conflict) =>
          conflict
            .columns(['reporter_account_id', 'subject_type', 'subject_id'])
            .where(sql<boolean>`status = 'open'`)
            .doUpdateSet({ subject_id: subject.id }),
        )
        .returning('id')
        .executeTakeFirstOrThrow()
      const isNew = row.id === id
      if (isNew && evidence !== null) {
        await db
          .insertInto('report_evidence')
          .values({ report_id: id, author_profile_id: reportedProfileId, body: evidence })
          .execute()
      }
      return { report: await existing(row.id), isNew }
    },

    async decide(id, { status, note, at }) {
      if (!isUuid(id)) return { outcome: 'not_found' }
      const locked = db.selectFrom('reports').select('id').where('id', '=', id).forUpdate()
      if (!(await locked.executeTakeFirst())) return { outcome: 'not_found' }
      const before = await existing(id)
      const isChanged = before.status !== status || (note !== undefined && before.note !== note)
      if (!isChanged) return { outcome: 'decided', before, report: before, isChanged }
      const changed = await unlessTaken(database, () =>
        db
          .updateTable('reports')
          .set({ status, updated_at: at, ...(note === undefined ? {} : { note }) })
          .where('id', '=', id)
          .execute(),
      )
      if (!changed) return { outcome: 'another_open' }
      return { outcome: 'decided', before, report: await existing(id), isChanged }
    },

    prune: (before, limit) =>
      deleteSelected(database, 'reports', ['id'], (rows) =>
        rows.where('status', '!=', sql.lit('open')).where('updated_at', '<', before).orderBy('updated_at').limit(limit),
      ),

    async eraseAccount({ id, profileIds }) {
      await db.deleteFrom('report_evidence').where(isOfProfiles(profileIds, 'author_profile_id')).execute()
      // Locked in a fixed order, because accounts that reported each other may be erased concurrently.
      await db
        .selectFrom('reports')
        .select('id')
        .where((where) =>
          where.or([
            where('reporter_account_id', '=', id),
            isOfProfiles(profileIds, 'reporter_profile_id'),
            isOfProfiles(profileIds, 'reported_profile_id'),
          ]),
        )
        .orderBy('id')
        .forUpdate()
        .execute()
      await db
        .updateTable('reports')
        .set({ reporter_account_id: null, reporter_profile_id: null, reason: null, note: null })
        .where('reporter_account_id', '=', id)
        .execute()
      await db
        .updateTable('reports')
        .set({ reported_profile_id: null, reason: null, note: null })
        .where(isOfProfiles(profileIds, 'reported_profile_id'))
        .execute()
      await db
        .updateTable('reports')
        .set({ reporter_profile_id: null })
        .where(isOfProfiles(profileIds, 'reporter_profile_id'))
        .execute()
    },
  }
}

/** Reports with their evidence and the profiles that exist. */
const reportRows = (db: ReportDb) =>
  db
    .selectFrom('reports')
    .leftJoin('report_evidence', 'report_evidence.report_id', 'reports.id')
    .leftJoin('profiles as reporter', 'reporter.id', 'reports.reporter_profile_id')
    .leftJoin('profiles as reported', 'reported.id', 'reports.reported_profile_id')
    .select(['reports.id', 'reports.subject_type', 'reports.subject_id', 'reports.status', 'reports.reason'])
    .select(['reports.reporter_account_id', 'reports.note', 'reports.created_at', 'reports.updated_at'])
    .select(['report_evidence.body as evidence'])
    .select(['reporter.id as reporter_id', 'reporter.owner_account_id as reporter_owner'])
    .select(['reporter.type as reporter_type', 'reporter.username as reporter_username'])
    .select(['reported.id as reported_id', 'reported.owner_account_id as reported_owner'])
    .select(['reported.type as reported_type', 'reported.username as reported_username'])

type ReportRow = Awaited<ReturnType<ReturnType<typeof reportRows>['executeTakeFirstOrThrow']>>

function toProfile(
  id: number | string | null,
  ownerAccountId: string | null,
  type: string | null,
  username: string | null,
): ReportProfile | null {
  if (id === null || ownerAccountId === null || type === null || username === null) return null
  return { id: Number(id), ownerAccountId, type: type as ProfileType, username }
}

const toReport = (row: ReportRow): Report => ({
  id: row.id,
  subject: { type: row.subject_type, id: row.subject_id },
  status: row.status,
  reason: row.reason,
  evidence: row.evidence,
  reporterAccountId: row.reporter_account_id,
  reporter: toProfile(row.reporter_id, row.reporter_owner, row.reporter_type, row.reporter_username),
  reported: toProfile(row.reported_id, row.reported_owner, row.reported_type, row.reported_username),
  note: row.note,
  createdAt: toDate(row.created_at),
  updatedAt: toDate(row.updated_at),
})
