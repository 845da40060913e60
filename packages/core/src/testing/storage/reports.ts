import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { invalidCursor } from '../../kernel/page.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { NewReport, Report, ReportDecision, ReportSubject } from '../../ports/storage/reports.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { eraseAccount } from '../erase-account.ts'
import { casesFor, ODD_TEXT, present } from './bench.ts'

type Tx = Stores<'reports'>

const AT = new Date('2026-06-06T06:06:06.006Z')
const later = (ms: number) => new Date(AT.getTime() + ms)
const post = (): ReportSubject => ({ type: 'post', id: randomUUID() })
const named = ({ id, ownerAccountId, type, username }: Profile) => ({ id, ownerAccountId, type, username })

export const reportCases = casesFor(['reports'], (it, bench) => {
  const newReport = (reporter: Profile, reported: Profile, changes: Partial<NewReport> = {}): NewReport => ({
    id: randomUUID(),
    subject: post(),
    reason: 'Spam',
    evidence: 'Buy now',
    reporterAccountId: reporter.ownerAccountId,
    reporterProfileId: reporter.id,
    reportedProfileId: reported.id,
    createdAt: AT,
    ...changes,
  })
  const opening = (report: NewReport) => (tx: Tx) => tx.reports.open(report)
  const opened = async (...report: Parameters<typeof newReport>): Promise<Report> =>
    present(await bench.write(opening(newReport(...report)))).report
  const deciding = (id: string, decision: Partial<ReportDecision>) => (tx: Tx) =>
    tx.reports.decide(id, { status: 'resolved', at: later(1), ...decision })
  const pair = async (): Promise<readonly [Profile, Profile]> => [await bench.profile(), await bench.profile()]

  it('stores a report as it was written', async () => {
    const [reporter, reported] = await pair()
    const {
      reporterProfileId: _,
      reportedProfileId: __,
      ...draft
    } = newReport(reporter, reported, { reason: ODD_TEXT })
    const made = present(await bench.write(opening(newReport(reporter, reported, { ...draft, evidence: ODD_TEXT }))))
    const report: Report = {
      ...draft,
      evidence: ODD_TEXT,
      status: 'open',
      note: null,
      updatedAt: AT,
      reporter: named(reporter),
      reported: named(reported),
    }
    assert.deepEqual(made, { report, isNew: true })
    assert.deepEqual(await bench.read.reports.get(report.id), report)
    assert.deepEqual(await bench.read.reports.getOpen(report.subject, reporter.ownerAccountId), report)
    assert.equal(await bench.read.reports.getOpen(report.subject, reported.ownerAccountId), undefined)
    assert.equal(await bench.read.reports.getOpen({ type: 'post', id: '\0' }, 'no uuid'), undefined)
    for (const id of [randomUUID(), 'no uuid']) assert.equal(await bench.read.reports.get(id), undefined)
    const bare = await opened(reporter, reported, { evidence: null, reporterProfileId: null })
    assert.deepEqual([bare.evidence, bare.reporter], [null, null])
  })

  it('stores one open report of an account about a subject, also under concurrent calls', async () => {
    const [reporter, reported] = await pair()
    const other = await bench.profile()
    const subject = post()
    const again = (of: Profile, more: Partial<NewReport> = {}) => opening(newReport(of, reported, { subject, ...more }))
    const { first, others } = await bench.overlap(again(reporter), [
      again(reporter, { reason: 'Again', evidence: 'Changed' }),
      again(other),
      again(reporter, { subject: { ...subject, type: 'message' } }),
    ])
    assert.deepEqual(others[0], { report: first?.report, isNew: false })
    assert.deepEqual([others[1]?.isNew, others[2]?.isNew], [true, true])
    await bench.write(deciding(present(first).report.id, { status: 'dismissed' }))
    assert.equal((await bench.write(again(reporter)))?.isNew, true, 'the first one is decided')
  })

  it('stores no report by a deleted account or about a deleted profile, nor by or about one being deleted', async () => {
    const [reporter, reported] = await pair()
    const unknown = { reporterAccountId: randomUUID() }
    assert.equal(await bench.write(opening(newReport(reporter, reported, unknown))), undefined)
    const { others } = await bench.overlap(
      (tx) => eraseAccount(tx, reported.ownerAccountId),
      [opening(newReport(reporter, reported)), opening(newReport(reported, reporter))],
    )
    assert.deepEqual(others, [undefined, undefined])
  })

  it('deletes the oldest decided reports from before a time, up to the given limit, and no open report', async () => {
    const [reporter, reported] = await pair()
    // Earlier than every other report of the cases.
    const at = (ms: number) => new Date(Date.UTC(1990, 0, 1) + ms)
    const reportAt = async (ms: number) => (await opened(reporter, reported, { createdAt: at(ms) })).id
    const [open, first, second, third, late] = [
      await reportAt(0),
      await reportAt(1),
      await reportAt(2),
      await reportAt(3),
      await reportAt(4),
    ]
    for (const id of [third, first, second]) await bench.write(deciding(id, { status: 'dismissed', at: at(10) }))
    await bench.write(deciding(late, { at: at(20) }))
    const prune = (before: Date) => (tx: Tx) => tx.reports.prune(before, 2)
    assert.equal(await bench.write(prune(at(10))), 0)
    const { first: pruned, others } = await bench.overlap(prune(at(20)), [prune(at(20))])
    assert.equal(Number(pruned) + Number(others[0]), 3)
    for (const id of [first, second, third]) assert.equal(await bench.read.reports.get(id), undefined)
    for (const id of [open, late]) assert.equal((await bench.read.reports.get(id))?.evidence, 'Buy now')
  })

  it('lists reports newest first, in pages, filtered by status', async () => {
    const [reporter, reported] = await pair()
    const made: string[] = []
    // Of two at the same time, the one with the higher id comes first.
    for (const ms of [0, 1, 1, 2]) made.push((await opened(reporter, reported, { createdAt: later(ms) })).id)
    const [first = '', second = '', third = '', last = ''] = made
    const newestFirst = [last, ...[second, third].sort().reverse(), first]
    const seen: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await bench.read.reports.list({ status: 'open' }, { limit: 2, cursor })
      seen.push(...page.items.map(({ id }) => id).filter((id) => made.includes(id)))
      // Reports that are added between pages do not move the others.
      await opened(reporter, reported, { createdAt: later(9) })
      cursor = page.nextCursor
      if (cursor === undefined || seen.length === made.length) break
    }
    assert.deepEqual(seen, newestFirst)
    await bench.write(deciding(second, {}))
    const all = async (status?: 'open' | 'resolved') => {
      const found: Report[] = []
      for (let cursor: string | undefined; ; ) {
        const page = await bench.read.reports.list({ status }, { limit: 100, cursor })
        found.push(...page.items.filter((report) => report.reported?.id === reported.id))
        cursor = page.nextCursor
        if (cursor === undefined) return found
      }
    }
    assert.deepEqual(
      (await all('resolved')).map(({ id }) => id),
      [second],
    )
    assert.equal(
      (await all('open')).some(({ id }) => id === second),
      false,
    )
    assert.deepEqual(
      (await all()).find(({ id }) => id === second),
      await bench.read.reports.get(second),
    )
    await assert.rejects(bench.read.reports.list({}, { limit: 2, cursor: 'x' }), { code: invalidCursor.code })
  })

  it('decides a report, and returns its previous state', async () => {
    const [reporter, reported] = await pair()
    const report = await opened(reporter, reported)
    const decide = (decision: Partial<ReportDecision>) => bench.write(deciding(report.id, decision))
    const resolved: Report = { ...report, status: 'resolved', note: ODD_TEXT, updatedAt: later(1) }
    const first = await decide({ note: ODD_TEXT })
    assert.deepEqual(first, { outcome: 'decided', before: report, report: resolved, isChanged: true })
    const again = { outcome: 'decided', before: resolved, report: resolved, isChanged: false }
    assert.deepEqual(await decide({ note: ODD_TEXT, at: later(2) }), again)
    assert.deepEqual(await decide({ at: later(2) }), again, 'the note is kept')
    const reopened: Report = { ...resolved, status: 'open', note: null, updatedAt: later(3) }
    const third = await decide({ status: 'open', note: null, at: later(3) })
    assert.deepEqual(third, { outcome: 'decided', before: resolved, report: reopened, isChanged: true })
    for (const id of [randomUUID(), 'no uuid']) {
      assert.deepEqual(await bench.write(deciding(id, {})), { outcome: 'not_found' })
    }
  })

  it('serializes concurrent decisions', async () => {
    const { id } = await opened(...(await pair()))
    const { first, others } = await bench.overlap(deciding(id, { note: 'first' }), [
      deciding(id, { status: 'dismissed', note: 'second' }),
    ])
    assert.equal(first?.outcome === 'decided' && first.before.status, 'open')
    const [second] = others
    assert.deepEqual(second?.outcome === 'decided' && [second.before.note, second.report.note], ['first', 'second'])
  })

  it('reopens no report beside another open one of the same account and subject', async () => {
    const [reporter, reported] = await pair()
    const subject = post()
    const old = await opened(reporter, reported, { subject })
    await bench.write(deciding(old.id, {}))
    const { others } = await bench.overlap(opening(newReport(reporter, reported, { subject })), [
      deciding(old.id, { status: 'open' }),
    ])
    assert.deepEqual(others, [{ outcome: 'another_open' }])
    const outcome = await bench.write(async (tx) => [
      (await tx.reports.decide(old.id, { status: 'open', at: AT })).outcome,
      (await tx.reports.decide(old.id, { status: 'dismissed', at: AT })).outcome,
    ])
    assert.deepEqual(outcome, ['another_open', 'decided'], 'the transaction is usable')
  })

  it('erases the reporter and the reasons, and keeps the evidence', async () => {
    const [reporter, reported] = await pair()
    const report = await opened(reporter, reported)
    const other = await opened(await bench.profile(), reported)
    await bench.write(deciding(report.id, { note: 'Known' }))
    await bench.write((tx) => eraseAccount(tx, reporter.ownerAccountId))
    assert.deepEqual(await bench.read.reports.get(report.id), {
      ...report,
      status: 'resolved',
      reason: null,
      note: null,
      updatedAt: later(1),
      reporterAccountId: null,
      reporter: null,
    })
    assert.deepEqual(await bench.read.reports.get(other.id), other)
  })

  it('erases the evidence about an account, and the reasons of its reporters', async () => {
    const [reporter, reported] = await pair()
    const report = await opened(reporter, reported)
    const byIt = await opened(reported, reporter)
    await bench.write((tx) => eraseAccount(tx, reported.ownerAccountId))
    const kept = { ...report, reason: null, evidence: null, reported: null }
    assert.deepEqual(await bench.read.reports.get(report.id), kept)
    const { evidence, reason, reporterAccountId } = present(await bench.read.reports.get(byIt.id))
    assert.deepEqual([evidence, reason, reporterAccountId], ['Buy now', null, null])
    // The report remains open: its subject still exists.
    assert.deepEqual(await bench.read.reports.getOpen(report.subject, reporter.ownerAccountId), kept)
  })

  it('deletes evidence with the profile that wrote it', async () => {
    const [reporter, reported] = await pair()
    const report = await opened(reporter, reported)
    await bench.write((tx) => tx.profiles.delete(reported.id))
    assert.deepEqual(await bench.read.reports.get(report.id), { ...report, evidence: null, reported: null })
  })
})
