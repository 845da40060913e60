import type { CheckStatus, SiteCheck, SiteRule } from './rule.ts'

export const GRADES = ['A', 'B', 'C', 'D', 'F'] as const

/** A grade: A from 90 points, B from 80, C from 70, D from 60, F below. */
export type Grade = (typeof GRADES)[number]

export const LEVELS = ['none', 'core', 'standard', 'full'] as const

/** The highest level of EEP whose checks pass. */
export type EepLevel = (typeof LEVELS)[number]

const POINTS: Readonly<Record<Exclude<CheckStatus, 'skip'>, number>> = { pass: 1, warn: 0.5, fail: 0 }

/**
 * Returns the points of a scan, from 0 to 100: each check counts by the weight of its rule, a warning half, and skipped checks
 * not at all. 100 means that every check that applies passes.
 */
export function scoreOf(checks: readonly Pick<SiteCheck, 'id' | 'status'>[], rules: readonly SiteRule[]): number {
  const weights = new Map(rules.map(({ id, weight }) => [id, weight]))
  let reached = 0
  let possible = 0
  for (const { id, status } of checks) {
    if (status === 'skip') continue
    const weight = weights.get(id) ?? 0
    reached += weight * POINTS[status]
    possible += weight
  }
  return possible === 0 ? 0 : Math.floor((100 * reached) / possible)
}

/** Returns the grade of a score. */
export function gradeOf(score: number): Grade {
  if (score >= 90) return 'A'
  if (score >= 80) return 'B'
  if (score >= 70) return 'C'
  return score >= 60 ? 'D' : 'F'
}

/** Returns the highest level of EEP: each level also needs those below it. */
export function levelOf(checks: readonly Pick<SiteCheck, 'id' | 'status'>[]): EepLevel {
  const passes = (level: string) => checks.some(({ id, status }) => id === `eep-${level}` && status === 'pass')
  if (!passes('core')) return 'none'
  if (!passes('standard')) return 'core'
  return passes('full') ? 'full' : 'standard'
}
