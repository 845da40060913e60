import type { Page, PageRequest } from '../../kernel/page.ts'
import type { ErasedAccount } from './erasure.ts'
import type { Profile } from './profiles.ts'

/** The items that can be reported. */
export const REPORT_SUBJECTS = ['conversation', 'message', 'post'] as const
/** The type of a reported item. */
export type ReportSubjectType = (typeof REPORT_SUBJECTS)[number]

/** `open` until an administrator decides. */
export const REPORT_STATUSES = ['open', 'resolved', 'dismissed'] as const
/** The status of a report. */
export type ReportStatus = (typeof REPORT_STATUSES)[number]

/** The subject of a report, which may no longer exist. */
export interface ReportSubject {
  readonly type: ReportSubjectType
  /** Its id, as text. */
  readonly id: string
}

/** A profile that a report names. */
export type ReportProfile = Pick<Profile, 'id' | 'ownerAccountId' | 'type' | 'username'>

/** What an account reports to administrators. */
export interface Report {
  /** UUID. */
  readonly id: string
  readonly subject: ReportSubject
  readonly status: ReportStatus
  /** What the reporter wrote; null once its account, or that of the reported profile, is erased. */
  readonly reason: string | null
  /** The text of the message or post when it was reported; null for a subject without text, and once the reported profile is gone. */
  readonly evidence: string | null
  /** Null once it is erased. */
  readonly reporterAccountId: string | null
  /** The profile that the reporter acted for; null without one, and when it is gone. */
  readonly reporter: ReportProfile | null
  /** The profile that wrote the message or post, or the other one of the conversation; null when it is gone. */
  readonly reported: ReportProfile | null
  /** What administrators wrote; erased with the reason. */
  readonly note: string | null
  readonly createdAt: Date
  /** When it was decided last; the time of the report before. */
  readonly updatedAt: Date
}

/** A report to store. */
export interface NewReport extends Pick<Report, 'id' | 'subject' | 'evidence' | 'createdAt'> {
  readonly reason: string
  readonly reporterAccountId: string
  readonly reporterProfileId: number | null
  readonly reportedProfileId: number
}

/** What an administrator decides. */
export interface ReportDecision {
  readonly status: ReportStatus
  /** Default: keeps the note. */
  readonly note?: string | null | undefined
  readonly at: Date
}

/** The result of a decision. */
export type DecidedReport =
  /** `before` is the report as it was; `isChanged` is false when the decision changed nothing. */
  | { readonly outcome: 'decided'; readonly before: Report; readonly report: Report; readonly isChanged: boolean }
  | { readonly outcome: 'not_found' }
  /** It would be opened again, and its reporter has another open report about the same subject. */
  | { readonly outcome: 'another_open' }

/** Reports to administrators, for reading. */
export interface ReportReader {
  /** Returns a report in any state; undefined when it does not exist. */
  get(id: string): Promise<Report | undefined>
  /** The open report of an account about a subject. */
  getOpen(subject: ReportSubject, reporterAccountId: string): Promise<Report | undefined>
  /** Reports by (created_at, id) descending. */
  list(query: { readonly status?: ReportStatus | undefined }, page: PageRequest): Promise<Page<Report>>
}

/** Reports to administrators. */
export interface ReportStore extends ReportReader {
  /**
   * Stores a report, or returns the open one of the same account about the same subject. Of concurrent calls one stores it.
   * Undefined when the account or one of the profiles does not exist, or is deleted by a transaction that commits
   * first.
   */
  open(report: NewReport): Promise<{ readonly report: Report; readonly isNew: boolean } | undefined>
  /** Changes the status and note of a report. Concurrent decisions are made one after another. */
  decide(id: string, decision: ReportDecision): Promise<DecidedReport>
  /**
   * Deletes reports that are not open and were last changed before a time, the oldest first, at most `limit`. Returns their
   * number. Concurrent calls delete different reports.
   */
  prune(before: Date, limit: number): Promise<number>
  /**
   * Removes the account as a reporter, with its reasons, and from reports about its profiles the evidence and what others
   * wrote about them. The reports stay, with their subjects and decisions.
   */
  eraseAccount(account: ErasedAccount): Promise<void>
}
