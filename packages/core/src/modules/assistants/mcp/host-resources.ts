import type { AddedMcpParts, McpCallContext, McpResourcePart } from '../../../framework/module/mcp-parts.ts'
import type { McpObject } from '../../../ports/mcp-toolkit.ts'

/** A resource of a module, and how its URIs are read. */
export interface HostResource {
  readonly part: McpResourcePart
  readonly isTemplate: boolean
  /** Returns the parameters in a URI; undefined for other URIs. */
  readonly match: (uri: string) => Readonly<Record<string, string>> | undefined
}

const VARIABLE = /\{(\w+)\}/g

function matcherOf(template: string): HostResource['match'] {
  const names = [...template.matchAll(VARIABLE)].map(([, name = '']) => name)
  const parts = template.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`^${parts.join('([^/?#]+)')}$`)
  return (uri) => {
    const found = pattern.exec(uri)
    if (!found) return undefined
    try {
      return Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(found[at + 1] ?? '')]))
    } catch {
      // It is not a URI: a percent sign stands for nothing.
      return undefined
    }
  }
}

/** @throws TypeError when two modules have a resource of one URI */
export function hostResources(added: readonly AddedMcpParts[]): readonly HostResource[] {
  const parts = added.flatMap(({ resources = [] }) => resources)
  const uris = new Set<string>()
  for (const { uri } of parts) {
    if (uris.has(uri)) throw new TypeError(`Two modules have the resource "${uri}"`)
    uris.add(uri)
  }
  return parts.map((part) => ({ part, isTemplate: part.uri.includes('{'), match: matcherOf(part.uri) }))
}

export const describedResource = ({ part, isTemplate }: HostResource): McpObject => {
  const { uri, name, title, description, mimeType } = part
  return { ...(isTemplate ? { uriTemplate: uri } : { uri }), name, title, description, mimeType }
}

/** Reads the resource of a module; undefined when none of them has the URI. */
export async function readHostResource(
  resources: readonly HostResource[],
  uri: string,
  context: McpCallContext,
): Promise<McpObject | undefined> {
  for (const { part, match } of resources) {
    const parameters = match(uri)
    const content = parameters && (await part.read(uri, parameters, context))
    if (content) return { contents: [{ mimeType: part.mimeType, ...content }] }
  }
  return undefined
}
