import type { Site } from './site.ts'

/** The outcome of a check. `skip` does not count: the check does not apply, or the site forbids its request. */
export type CheckStatus = 'pass' | 'warn' | 'fail' | 'skip'

export const CATEGORIES = ['crawling', 'content', 'http', 'discovery', 'payments', 'protocol'] as const

/** What a rule is about. */
export type RuleCategory = (typeof CATEGORIES)[number]

/** What a rule found. */
export interface Finding {
  readonly status: CheckStatus
  /** One sentence. */
  readonly detail: string
  /** What the site answered, shortened. */
  readonly evidence?: string | undefined
}

/** One rule of the scanner. */
export interface SiteRule {
  /** Unique, in kebab-case. */
  readonly id: string
  readonly category: RuleCategory
  /** What the rule checks, in one sentence. */
  readonly summary: string
  /** How much it counts, from 1 to 10. */
  readonly weight: number
  /** What to do when the check does not pass. */
  readonly fix: string
  /** The URL of the specification or guide. */
  readonly doc: string
  check(site: Site): Promise<Finding>
}

/** The result of one rule. */
export interface SiteCheck {
  readonly id: string
  readonly category: RuleCategory
  readonly status: CheckStatus
  readonly detail: string
  readonly evidence: string | null
  /** What to do; null for a check that passed or was skipped. */
  readonly fix: string | null
  readonly doc: string
}

const MAX_DETAIL = 400
const MAX_EVIDENCE = 300

/** Removes control characters and shortens: the text comes from another site. */
const shortened = (text: string, length: number): string => {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return line.length <= length ? line.toWellFormed() : `${line.slice(0, length - 1).toWellFormed()}…`
}

/** Completes a finding to the result of its rule. */
export const checkOf = ({ id, category, fix, doc }: SiteRule, { status, detail, evidence }: Finding): SiteCheck => ({
  id,
  category,
  status,
  detail: shortened(detail, MAX_DETAIL),
  evidence: evidence === undefined ? null : shortened(evidence, MAX_EVIDENCE),
  fix: status === 'warn' || status === 'fail' ? fix : null,
  doc,
})

export const pass = (detail: string, evidence?: string): Finding => ({ status: 'pass', detail, evidence })
export const warn = (detail: string, evidence?: string): Finding => ({ status: 'warn', detail, evidence })
export const fail = (detail: string, evidence?: string): Finding => ({ status: 'fail', detail, evidence })
export const skip = (detail: string): Finding => ({ status: 'skip', detail })
