import type { McpObject } from '../../../../ports/mcp-toolkit.ts'

/** The member of a tool that names the profile: the id in the request of the route, or the acting profile. */
export const PROFILE_MEMBER = {
  type: ['string', 'integer'],
  description: 'The acting profile: its username or id',
} as const

/** The input for callers that act for one profile: they need not name it. */
export function withoutProfile(input: McpObject): McpObject {
  const { required, ...rest } = input
  const others = (Array.isArray(required) ? required : []).filter((name) => name !== 'profile')
  return { ...rest, ...(others.length > 0 && { required: others }) }
}
