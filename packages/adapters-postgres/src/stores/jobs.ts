import type { Job, JobFilter, JobStore, PageRequest } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { deleteSelected } from '../delete-selected.ts'
import { desc, listPage } from '../list-page.ts'
import { sendJob } from '../queue/boss.ts'
import { holdProfiles, isText, isUuid, json, toDate, toDateOrNull, toNumberOrNull } from '../rows.ts'

/** The columns of a new job. */
const JOB_COLUMNS = [
  'id',
  'kind',
  'account_id',
  'profile_id',
  'input',
  'status',
  'progress',
  'attempts',
  'origin',
  'created_at',
] as const

/** `added` is called when the transaction has put a job into the queue. */
export function jobs(db: Db, schema: string, added: () => void): JobStore {
  /** Selects the job while this run is current. */
  const running = (id: string, run: string) =>
    db
      .updateTable('jobs')
      .where('id', '=', isUuid(id) ? id : null)
      .where('run', '=', run)
      .where('status', '=', 'running')

  return {
    async get(id) {
      if (!isUuid(id)) return undefined
      const row = await db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toJob(row)
    },

    listOfAccount: (accountId, filter, request) => listOfAccount(db, accountId, filter, request),

    async add({ id, kind, accountId, profileId, input, origin, createdAt }) {
      if (!isUuid(accountId) || !(await holdProfiles(db, [profileId]))) return undefined
      const row = await db
        .insertInto('jobs')
        .columns(JOB_COLUMNS)
        .expression((from) =>
          from
            .selectFrom('accounts')
            .select([
              sql<string>`${id}::uuid`.as('id'),
              sql<string>`${kind}::text`.as('kind'),
              'accounts.id as account_id',
              sql<number | null>`${profileId}::bigint`.as('profile_id'),
              json(input).as('input'),
              sql<'queued'>`'queued'`.as('status'),
              sql<number>`0`.as('progress'),
              sql<number>`0`.as('attempts'),
              sql<Job['origin']>`${origin && JSON.stringify(origin)}::text::json`.as('origin'),
              sql<Date>`${createdAt}::timestamptz`.as('created_at'),
            ])
            .where('accounts.id', '=', accountId)
            .forKeyShare(),
        )
        .returningAll()
        .executeTakeFirst()
      if (!row) return undefined
      await sendJob(db, schema, id, -(await countOpen(db, accountId)))
      added()
      return toJob(row)
    },

    async start(id, run) {
      if (!isUuid(id)) return undefined
      const row = await db
        .updateTable('jobs')
        .set(({ ref }) => ({ status: 'running', run, attempts: sql<number>`${ref('attempts')} + 1` }))
        .where('id', '=', id)
        .where('status', 'in', ['queued', 'running'])
        .returningAll()
        .executeTakeFirst()
      return row && { job: toJob(row), attempt: row.attempts }
    },

    async progress(id, run, percent) {
      const { numUpdatedRows } = await running(id, run)
        .set(({ ref }) => ({ progress: sql<number>`greatest(${ref('progress')}, ${percent}::int)` }))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async finish(id, run, outcome) {
      const { status, finishedAt } = outcome
      const row = await running(id, run)
        .set({ status, finished_at: finishedAt, run: null })
        .set(
          outcome.status === 'succeeded'
            ? { progress: 100, result: json(outcome.result) }
            : { error: json(outcome.error) },
        )
        .returningAll()
        .executeTakeFirst()
      return row && toJob(row)
    },

    async cancel(id, at) {
      if (!isUuid(id)) return undefined
      const row = await db
        .updateTable('jobs')
        .set({ status: 'cancelled', finished_at: at, run: null })
        .where('id', '=', id)
        .where('status', 'in', ['queued', 'running'])
        .returningAll()
        .executeTakeFirst()
      return row && toJob(row)
    },

    async requeue(id, run, counts) {
      const { numUpdatedRows } = await running(id, run)
        .set(({ ref }) => ({
          status: 'queued',
          run: null,
          attempts: sql<number>`${ref('attempts')} - ${counts ? 0 : 1}::int`,
        }))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async deleteEnded(before, limit) {
      return deleteSelected(db, 'jobs', ['id'], (rows) =>
        rows.where('finished_at', '<', before).orderBy('finished_at').limit(limit),
      )
    },

    async eraseAccount({ id }) {
      await db.deleteFrom('jobs').where('account_id', '=', id).execute()
    },
  }
}

/** Counts unfinished jobs of an account, up to a limit. */
async function countOpen(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom((from) =>
      from
        .selectFrom('jobs')
        .select('id')
        .where('account_id', '=', accountId)
        .where('finished_at', 'is', null)
        .limit(MAX_COUNTED)
        .as('open'),
    )
    .select((from) => from.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
const MAX_COUNTED = 1_000

async function listOfAccount(
  db: Db,
  accountId: string,
  { profileId, status, kind, exceptKinds = [] }: JobFilter,
  request: PageRequest,
) {
  if (!isUuid(accountId) || !isText(kind ?? '')) return { items: [], total: 0 }
  let all = db.selectFrom('jobs').where('account_id', '=', accountId)
  if (profileId !== undefined) all = all.where('profile_id', profileId === null ? 'is' : '=', profileId)
  if (status !== undefined) all = all.where('status', '=', status)
  if (kind !== undefined) all = all.where('kind', '=', kind)
  if (exceptKinds.length > 0) all = all.where('kind', 'not in', exceptKinds)
  const counted = all.select((query) => query.fn.countAll<string>().as('count'))
  const query = all.selectAll().select(counted.as('total'))
  const page = await listPage(query, request, {
    order: [desc('seq', 'number')],
    item: (row) => row,
    key: ({ seq }) => [Number(seq)],
    counted,
  })
  return { ...page, items: page.items.map(toJob) }
}

const toJob = (row: Row<'jobs'>): Job => ({
  id: row.id,
  kind: row.kind,
  accountId: row.account_id,
  profileId: toNumberOrNull(row.profile_id),
  input: row.input,
  status: row.status,
  progress: Number(row.progress),
  result: row.result,
  error: row.error,
  origin: row.origin,
  createdAt: toDate(row.created_at),
  finishedAt: toDateOrNull(row.finished_at),
})
