import type { AccountExportFile } from '../../../framework/module/account-data.ts'
import { jsonListMember } from '../../../framework/module/export-member.ts'
import { allPages } from '../../../kernel/all-pages.ts'
import { serializeWebhook } from './serialize.ts'

/** The webhooks of an account, without their secrets. */
export const exportOfAccount: AccountExportFile<'webhooks'>['exportOfAccount'] = ({ read }) =>
  async function* ({ account: { id } }) {
    yield jsonListMember('webhooks.json', async function* () {
      for await (const webhook of allPages((request) => read.webhooks.listOfAccount(id, request)))
        yield serializeWebhook(webhook)
    })
  }
