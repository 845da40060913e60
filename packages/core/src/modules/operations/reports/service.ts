import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { HOUR_MS } from '../../../kernel/durations.ts'
import type { ErrorDefinition } from '../../../kernel/errors.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { RateLimitStore } from '../../../ports/rate-limit-store.ts'
import type { Conversation } from '../../../ports/storage/messages.ts'
import type { NewReport, Report, ReportDecision, ReportStatus } from '../../../ports/storage/reports.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import { msUntilReset } from '../../../runtime/rate-limits/ms-until-reset.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { lockAdministrator } from '../../../runtime/storage/lock-caller.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { type FeedService, postNotFound } from '../../publishing/feed/index.ts'
import { type Acting, conversationClosed, type MessageService, messageNotFound } from '../../trade/messages/index.ts'
import { anotherReportOpen, cannotReportItself, reportNotFound, tooManyReports } from './errors.ts'

export interface ReportDeps extends GuardedStorage<'reports' | 'audit'> {
  readonly clock: Clock
  readonly profiles: Pick<ProfileService, 'roleOf' | 'requirePermissionIn'>
  readonly counters: Pick<RateLimitStore, 'hit'>
  /** The maximum number of reports of an account in an hour. */
  readonly perHour: number
}

/** A report, and whether this call stored it. */
export interface OpenedReport {
  readonly report: Report
  readonly isNew: boolean
}

/** A report before the store assigns its id. */
type Draft = Omit<NewReport, 'id' | 'createdAt' | 'reporterAccountId'>

interface Submission {
  readonly caller: Caller
  /** The error to throw when the account or a profile is deleted in the meantime. */
  readonly gone: ErrorDefinition
  /** Runs in the transaction, and throws when the caller may no longer report. */
  readonly check?: (tx: Stores<'reports' | 'audit'>) => Promise<void>
}

/** How many entries of a reported conversation are read, and how many messages of them are kept as evidence. */
const EVIDENCE_ENTRIES = 100
const EVIDENCE_MESSAGES = 10

export function createReportService({ read, write, clock, profiles, counters, perHour }: ReportDeps) {
  async function count({ account }: Caller): Promise<void> {
    const hit = await counters.hit(`reports:${account.id}`, HOUR_MS)
    if (hit.count <= perHour) return
    throw tooManyReports({ retryAfterMs: msUntilReset(hit) })
  }

  async function submit(draft: Draft, { caller, gone, check }: Submission): Promise<OpenedReport> {
    const reporterAccountId = caller.account.id
    const known = await read.reports.getOpen(draft.subject, reporterAccountId)
    // Repeated reports do not count against the limit.
    if (known) return { report: known, isNew: false }
    await count(caller)
    const report = { ...draft, id: randomUUID(), reporterAccountId }
    return write(async (tx) => {
      await check?.(tx)
      const opened = await tx.reports.open({ ...report, createdAt: clock() })
      if (!opened) throw gone()
      return opened
    })
  }

  /**
   * Returns the last messages of the other profile of a conversation, oldest first. Those of the reporter are left out,
   * because evidence is erased with the profile that is reported.
   */
  async function evidenceOf(
    conversation: Conversation,
    messages: Pick<MessageService, 'before'>,
  ): Promise<string | null> {
    const { items } = await messages.before(conversation, undefined, EVIDENCE_ENTRIES)
    const texts = items.flatMap(({ seq, senderProfileId, createdAt, body }) =>
      senderProfileId === conversation.otherProfileId && body !== null
        ? `${seq}. ${createdAt.toISOString()}\n${body}`
        : [],
    )
    return texts.length === 0 ? null : texts.slice(0, EVIDENCE_MESSAGES).reverse().join('\n\n')
  }

  return {
    /**
     * Reports a conversation of the acting profile, or a message of the other profile in it. Returns the open report of the
     * account about the same item if there is one.
     *
     * @throws `conversation_not_found`, `message_not_found`, `not_profile_owner`, `cannot_report_itself`,
     * `conversation_closed` when the other profile was deleted, `too_many_reports`
     */
    async reportConversation(
      messages: Pick<MessageService, 'locate' | 'before' | 'lock'>,
      id: string,
      { reason, messageId }: { readonly reason: string; readonly messageId?: string | undefined },
      actor: Acting,
    ): Promise<OpenedReport> {
      const { conversation, message } = await messages.locate(id, messageId, actor)
      const { profileId, otherProfileId } = conversation
      if (message?.senderProfileId === profileId) throw cannotReportItself()
      // Moves have no text to report, and are disputed in their negotiation.
      if (message && message.kind !== 'message') throw messageNotFound()
      const evidence = message ? message.body : await evidenceOf(conversation, messages)
      return submit(
        {
          subject: message ? { type: 'message', id: message.id } : { type: 'conversation', id: conversation.id },
          reason,
          evidence,
          reporterProfileId: profileId,
          reportedProfileId: otherProfileId,
        },
        {
          caller: actor.caller,
          gone: conversationClosed,
          async check(tx) {
            await messages.lock(tx, conversation)
            await profiles.requirePermissionIn(tx, profileId, actor.caller, 'messages.send')
          },
        },
      )
    },

    /**
     * Reports a post that the caller can see. Returns the open report of the account about the same post, if there is one.
     *
     * @throws `post_not_found`, `cannot_report_itself`, `too_many_reports`
     */
    async reportPost(
      feed: Pick<FeedService, 'get'>,
      id: number,
      reason: string,
      caller: Caller,
    ): Promise<OpenedReport> {
      const post = await feed.get(id, caller)
      const author = await read.profiles.get(post.profile.id)
      if (!author) throw postNotFound()
      if ((await profiles.roleOf(author, caller)) !== undefined) throw cannotReportItself()
      const subject = { type: 'post', id: String(id) } as const
      const draft = { subject, reason, evidence: post.body, reporterProfileId: null, reportedProfileId: author.id }
      return submit(draft, { caller, gone: postNotFound })
    },

    /** Returns reports, newest first. Throws `invalid_cursor`. */
    list: (query: { readonly status?: ReportStatus | undefined }, request: PageRequest): Promise<Page<Report>> =>
      read.reports.list(query, request),

    /** @throws `report_not_found` */
    async get(id: string): Promise<Report> {
      const report = await read.reports.get(id)
      if (!report) throw reportNotFound()
      return report
    },

    /**
     * Changes the status and note of a report as an administrator, with an audit entry. Does nothing when nothing changes.
     *
     * @throws `report_not_found`, `another_report_open`; `forbidden` when the caller has lost
     *   administrator rights, `unauthenticated` when the session has ended
     */
    decide: (id: string, decision: Omit<ReportDecision, 'at'>, caller: Caller): Promise<Report> =>
      write(async (tx) => {
        const account = await lockAdministrator(tx, caller)
        const at = clock()
        const decided = await tx.reports.decide(id, { ...decision, at })
        switch (decided.outcome) {
          case 'not_found':
            throw reportNotFound()
          case 'another_open':
            throw anotherReportOpen()
          case 'decided': {
            const { before, report, isChanged } = decided
            if (isChanged) {
              await tx.audit.append({
                actorAccountId: account.id,
                action: 'report.decided',
                target: `reports/${id}`,
                // The note is left out because it may name people and must be erasable, while the audit log is kept.
                before: { status: before.status, has_note: before.note !== null },
                after: { status: report.status, has_note: report.note !== null },
                at,
              })
            }
            return report
          }
        }
      }),
  }
}

/** Reports of messages and posts to administrators. */
export type ReportService = ReturnType<typeof createReportService>
