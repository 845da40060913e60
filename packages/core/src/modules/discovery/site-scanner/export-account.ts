import type { AccountExportFile } from '../../../framework/module/account-data.ts'
import { jsonListMember } from '../../../framework/module/export-member.ts'
import { allPages } from '../../../kernel/all-pages.ts'
import { SITE_SCAN } from './scan-job.ts'
import { serializeSiteScan } from './schemas.ts'

/** The scans of an account with their reports, newest first. */
export const exportOfAccount: AccountExportFile<'siteScans'>['exportOfAccount'] = ({ read: { jobs } }) =>
  async function* ({ account }) {
    if (!jobs) return
    const scans = () => allPages((page) => jobs.listOfAccount(account.id, { kind: SITE_SCAN }, page))
    yield jsonListMember('site-scans.json', async function* () {
      for await (const job of scans()) yield { ...serializeSiteScan(job), requested_at: job.createdAt.toISOString() }
    })
  }
