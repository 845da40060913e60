import type { McpObject } from '../../../../ports/mcp-toolkit.ts'
import type { ToolCall } from '../tools/tool.ts'

/** Clients show lists to people. The others are found by searching. */
const MAX_PROFILES = 1_000

/** Its profiles have the first ids; the parts are numbered from 0. */
const FIRST_PART = '/sitemap-profiles-0.xml'

const LOCATION = /<loc>([^<]+)<\/loc>/g

/** Lists the profiles in the first part of the sitemap, by their URI. */
export async function listedProfiles({
  send,
  publicUrl,
}: Pick<ToolCall, 'send' | 'publicUrl'>): Promise<readonly McpObject[]> {
  const { status, text } = await send({ method: 'GET', path: FIRST_PART })
  if (status !== 200) return []
  const { host } = new URL(publicUrl)
  const resources: McpObject[] = []
  for (const [, url = ''] of text.matchAll(LOCATION)) {
    if (resources.length >= MAX_PROFILES) break
    if (!url.startsWith(publicUrl)) continue
    const path = url.slice(publicUrl.length)
    resources.push({ uri: `eep://${host}${path}`, name: path.slice(1), mimeType: 'text/markdown' })
  }
  return resources
}
