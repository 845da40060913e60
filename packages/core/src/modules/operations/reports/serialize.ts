import type { z } from 'zod'
import type { Report, ReportProfile } from '../../../ports/storage/reports.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import type { ownReportSchema, reportSchema } from './schemas.ts'

type Names = Pick<ProfileService, 'didOf' | 'urlOf'>

/** Serializes a report for its reporter. */
export const serializeOwnReport = ({
  id,
  subject,
  status,
  reason,
  createdAt,
}: Report): z.input<typeof ownReportSchema> => ({
  id,
  subject: { type: subject.type, id: subject.id },
  status,
  reason,
  created_at: createdAt.toISOString(),
})

const serializeProfile = (profile: ReportProfile, { didOf, urlOf }: Names) => ({
  id: profile.id,
  did: didOf(profile),
  profile_type: profile.type,
  username: profile.username,
  url: urlOf(profile),
  owner_account_id: profile.ownerAccountId,
})

/** Serializes a report for administrators. */
export const serializeReport = (report: Report, names: Names): z.input<typeof reportSchema> => ({
  ...serializeOwnReport(report),
  evidence: report.evidence,
  reporter_account_id: report.reporterAccountId,
  reporter: report.reporter && serializeProfile(report.reporter, names),
  reported: report.reported && serializeProfile(report.reported, names),
  note: report.note,
  updated_at: report.updatedAt.toISOString(),
})
