import { z } from 'zod'
import type { Job } from '../../../ports/storage/jobs.ts'
import { jobSchema } from '../../jobs/index.ts'
import { CATEGORIES, type SiteRule } from './rule.ts'
import { scanInput } from './scan-job.ts'
import { SCANNER_AGENT } from './scan-limits.ts'
import { GRADES, LEVELS } from './score.ts'

const MAX_URL = 1_024

export const scanBody = z.strictObject({
  url: z.string().min(1).max(MAX_URL).describe('The page to scan, with https. Checks of the host use its root'),
})
export const scanParams = z.object({ id: z.string().min(1).max(128).meta({ format: 'uuid' }) })

const siteCheck = z.object({
  id: z.string(),
  category: z.enum(CATEGORIES),
  status: z.enum(['pass', 'warn', 'fail', 'skip']),
  detail: z.string(),
  evidence: z.string().nullable(),
  fix: z.string().nullable(),
  doc: z.url(),
})

/** The result of the job. */
const reportSchema = z.object({
  url: z.url(),
  score: z.int().min(0).max(100),
  grade: z.enum(GRADES),
  level: z.enum(LEVELS).describe('The highest level of EEP whose checks pass'),
  checks: z.array(siteCheck),
  scanned_at: z.iso.datetime(),
})

/** A serialized scan. The members of the report are null until the scan has succeeded. */
export const siteScanSchema = z
  .object({
    id: z.uuid(),
    url: z.url(),
    status: jobSchema.shape.status,
    error: jobSchema.shape.error,
    score: reportSchema.shape.score.nullable(),
    grade: reportSchema.shape.grade.nullable(),
    level: reportSchema.shape.level.nullable(),
    checks: reportSchema.shape.checks,
    scanned_at: reportSchema.shape.scanned_at.nullable(),
  })
  .meta({ id: 'SiteScan' })

/** The report of a job; undefined until it has succeeded. */
export const reportOf = ({ status, result }: Job): z.output<typeof reportSchema> | undefined =>
  status === 'succeeded' ? reportSchema.parse(result) : undefined

/** Serializes a scan. */
export function serializeSiteScan(job: Job): z.input<typeof siteScanSchema> {
  const report = reportOf(job)
  return {
    id: job.id,
    url: scanInput.parse(job.input).url,
    status: job.status,
    error: job.error,
    score: report?.score ?? null,
    grade: report?.grade ?? null,
    level: report?.level ?? null,
    checks: report?.checks ?? [],
    scanned_at: report?.scanned_at ?? null,
  }
}

const siteRule = z.object({
  id: z.string(),
  category: z.enum(CATEGORIES),
  summary: z.string(),
  weight: z.int().min(1).max(10),
  fix: z.string(),
  doc: z.url(),
})

export const siteRuleList = z
  .object({
    user_agent: z.string().describe('The name of the scanner in robots.txt'),
    rules: z.array(siteRule),
  })
  .meta({ id: 'SiteRuleList' })

/** Serializes the rules. */
export const serializeSiteRules = (rules: readonly SiteRule[]): z.input<typeof siteRuleList> => ({
  user_agent: SCANNER_AGENT,
  rules: rules.map(({ id, category, summary, weight, fix, doc }) => ({ id, category, summary, weight, fix, doc })),
})
