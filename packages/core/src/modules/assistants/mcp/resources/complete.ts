import { PROFILE_PREFIXES } from '../../../../model/profile-type.ts'
import type { McpObject } from '../../../../ports/mcp-toolkit.ts'
import { resourceAddress } from '../tools/resource-address.ts'
import { isObject } from '../tools/schema.ts'
import type { ToolCall } from '../tools/tool.ts'

const MAX_VALUES = 10

/** Completes an argument of a template: prefixes, and usernames from the suggestions of the search. */
export async function complete(
  params: McpObject,
  { send, publicUrl }: Pick<ToolCall, 'send' | 'publicUrl'>,
): Promise<McpObject> {
  const argument = isObject(params.argument) ? params.argument : {}
  const value = String(argument.value ?? '')
  const values =
    argument.name === 'prefix'
      ? PROFILE_PREFIXES.filter((prefix) => prefix.startsWith(value))
      : argument.name === 'username' && value !== ''
        ? await usernames(value, { send, publicUrl })
        : []
  return { completion: { values: values.slice(0, MAX_VALUES), hasMore: values.length > MAX_VALUES } }
}

async function usernames(
  value: string,
  { send, publicUrl }: Pick<ToolCall, 'send' | 'publicUrl'>,
): Promise<readonly string[]> {
  const { status, text } = await send({ method: 'GET', path: `/search/suggest?${new URLSearchParams({ q: value })}` })
  if (status !== 200) return []
  const body: unknown = JSON.parse(text)
  const data: readonly unknown[] = isObject(body) && Array.isArray(body.data) ? body.data : []
  const names = data.filter(isObject).flatMap(({ path }) => {
    const address = resourceAddress(String(path), publicUrl)
    return address && 'profile' in address ? [address.profile.split('/')[2] ?? ''] : []
  })
  return [...new Set(names)].filter((name) => name.startsWith(value))
}
