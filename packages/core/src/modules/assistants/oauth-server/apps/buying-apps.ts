import type { ActingApp } from '../../../../model/acting-app.ts'
import { actingAppText } from '../../../../model/acting-app-text.ts'
import type { PageLanguage } from '../../../../model/messages.ts'
import type { GuardedStorage } from '../../../../runtime/storage/guard.ts'
import { boughtMessages } from '../messages.ts'

/** Finds by which apps people bought. */
export const createBuyingApps = ({ read }: Pick<GuardedStorage<'connectedApps'>, 'read'>) => ({
  async of(accountId: string, receiptIds: readonly string[]): Promise<ReadonlyMap<string, ActingApp>> {
    const found = await read.appSpending.getReceiptApps(accountId, receiptIds)
    return new Map([...found].map(([id, { name, host }]): [string, ActingApp] => [id, { name, host }]))
  },
  text: (page: PageLanguage, app: ActingApp): string => boughtMessages(page)('text', { app: actingAppText(app) }),
})
