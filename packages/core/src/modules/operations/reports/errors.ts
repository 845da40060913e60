import { defineError } from '../../../kernel/errors.ts'

export const reportNotFound = defineError('report_not_found', 404, 'Report not found')
export const cannotReportItself = defineError(
  'cannot_report_itself',
  400,
  'A profile cannot be reported by its own team',
)
export const anotherReportOpen = defineError(
  'another_report_open',
  409,
  'The reporter has another open report about this item; resolve that one',
)
export const tooManyReports = defineError('too_many_reports', 429, 'Too many reports; try again later')
