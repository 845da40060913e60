import { groupsWithoutFeature } from '../../modules/account-data.ts'
import type { EepLogger } from '../../ports/logger.ts'
import type { OptionalGroup, Storage } from '../../ports/storage/storage.ts'

/**
 * Logs the groups of the storage that have data while their feature is off. The data is kept, ends with its account, and is in
 * the exports of accounts and profiles, except for files, events and what is encrypted with a key of the feature, but no route
 * shows or deletes it. A failing query is logged too, and fails no start.
 */
export async function warnOfUnusedData(
  storage: Pick<Storage, 'groups' | 'groupsWithData'>,
  modules: readonly string[],
  logger: EepLogger | undefined,
): Promise<void> {
  if (!logger || !storage.groupsWithData) return
  const without = groupsWithoutFeature(storage.groups, new Set(modules))
  try {
    const groups = await storage.groupsWithData(without.map(({ group }) => group))
    const isIn = (group: OptionalGroup) => groups.includes(group)
    const features = [...new Set(without.filter(({ group }) => isIn(group)).map(({ feature }) => feature))]
    if (groups.length > 0) {
      logger.warn(
        { groups, features },
        'the storage has data of features that are off; it is kept until its accounts are deleted',
      )
    }
  } catch (error) {
    logger.warn({ err: error }, 'the storage could not be searched for data of features that are off')
  }
}
