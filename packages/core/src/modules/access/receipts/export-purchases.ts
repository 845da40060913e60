import { type AccountExporter, jsonListMember } from '../../../framework/module/export-member.ts'
import { allPages } from '../../../kernel/all-pages.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { serializeReceipt } from './receipt.ts'

/** The receipts of what an account bought. */
export const createPurchaseExporter = (read: Readers): AccountExporter =>
  async function* ({ account: { id: accountId } }) {
    yield jsonListMember('purchases.json', async function* () {
      for await (const receipt of allPages((request) => read.receipts.list({ accountId }, request)))
        yield serializeReceipt(receipt)
    })
  }
