import { type AccountExporter, jsonListMember } from '../../../framework/module/export-member.ts'
import { allPages } from '../../../kernel/all-pages.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { SITE_SCAN } from './scan-job.ts'
import { serializeSiteScan } from './schemas.ts'

/** The scans of an account with their reports, newest first. */
export const createScanExporter = (read: Pick<Readers<'jobs'>, 'jobs'>): AccountExporter =>
  async function* ({ account }) {
    const scans = () => allPages((page) => read.jobs.listOfAccount(account.id, { kind: SITE_SCAN }, page))
    yield jsonListMember('site-scans.json', async function* () {
      for await (const job of scans()) yield { ...serializeSiteScan(job), requested_at: job.createdAt.toISOString() }
    })
  }
