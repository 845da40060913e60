import { allPages } from '../../../../kernel/all-pages.ts'
import { type Caller, hasScope, isApp } from '../../../../model/caller.ts'
import type { McpObject } from '../../../../ports/mcp-toolkit.ts'
import type { ProfileReader } from '../../../../ports/storage/profiles.ts'
import { isObject } from '../tools/schema.ts'
import type { ToolCall } from '../tools/tool.ts'

const MAX_PROFILES = 10
const PER_PROFILE = 100

/** Returns the ids of the profiles that a caller owns and acts for. */
export const createOwnProfiles =
  (profiles: Pick<ProfileReader, 'listOfAccount'>) =>
  async ({ account, profileId }: Caller): Promise<ReadonlySet<number>> => {
    const ids = new Set<number>()
    for await (const { id } of allPages((page) => profiles.listOfAccount(account.id, page)))
      if (profileId === undefined || profileId === id) ids.add(id)
    return ids
  }

/** Lists the published pages of the profiles of a person, for a connected app that may read them: 100 of each of ten profiles. */
export async function ownPages(
  caller: Caller | undefined,
  ownProfiles: (caller: Caller) => Promise<ReadonlySet<number>>,
  { send, publicUrl }: Pick<ToolCall, 'send' | 'publicUrl'>,
): Promise<readonly McpObject[]> {
  // The routes that manage pages are closed to API keys.
  if (!caller || !isApp(caller) || !hasScope(caller, 'read:content')) return []
  const { host } = new URL(publicUrl)
  const resources: McpObject[] = []
  for (const id of [...(await ownProfiles(caller))].slice(0, MAX_PROFILES)) {
    const query = new URLSearchParams({ profile_id: String(id), status: 'published', limit: String(PER_PROFILE) })
    const { status, text } = await send({ method: 'GET', path: `/manage/pages?${query}` })
    if (status !== 200) continue
    const body: unknown = JSON.parse(text)
    const data: readonly unknown[] = isObject(body) && Array.isArray(body.data) ? body.data : []
    for (const { path, title } of data.filter(isObject))
      resources.push({ uri: `eep://${host}${path}`, name: String(path).slice(1), title, mimeType: 'text/markdown' })
  }
  return resources
}
