import type { AddedMcpParts, McpPromptPart } from '../../../framework/module/mcp-parts.ts'
import type { RegisteredRoute } from '../../../http/openapi/registered-route.ts'
import { hostResources } from './host-resources.ts'
import { BASE_PROMPTS } from './prompts.ts'
import { resourceTemplates, serviceDocuments } from './resources/service-documents.ts'
import type { Catalogue } from './serving.ts'
import { BASE_TOOLS } from './tools/base-tools.ts'
import { hostTools } from './tools/host-tools.ts'
import { priceTool } from './tools/price-tool.ts'
import { readTools } from './tools/read-tools.ts'
import { type ProfileIdOf, toolsOfRoutes } from './tools/route-tools.ts'
import type { Tool } from './tools/tool.ts'

const NAME = /^[a-z][a-z0-9_]{0,63}$/
const MAX_DESCRIPTION = 300

/**
 * Collects the tools: those that read, those of routes, then those of hosts.
 *
 * @throws TypeError for two tools of one name, and for names and descriptions that assistants do not accept
 */
export function catalogueOf(
  routes: readonly RegisteredRoute[],
  {
    without,
    parts,
    publicUrl,
    path,
    profileIdOf,
  }: {
    readonly without: readonly string[]
    /** What modules add beside their routes. */
    readonly parts: readonly AddedMcpParts[]
    readonly publicUrl: string
    /** The path of the server. */
    readonly path: string
    readonly profileIdOf: ProfileIdOf
  },
): Catalogue {
  const read = readTools(routes)
  const left = new Set(without)
  const byName = new Map<string, Tool>()
  const all = [
    ...read,
    ...(read.length > 0 ? [priceTool] : []),
    ...toolsOfRoutes(routes, BASE_TOOLS, profileIdOf),
    ...hostTools(parts, path),
  ]
  for (const tool of all) {
    const { name, description, module } = tool
    if (!NAME.test(name)) throw new TypeError(`"${name}" is not a name of a tool: lower case, digits and _`)
    if (description.length > MAX_DESCRIPTION)
      throw new TypeError(`The description of the tool "${name}" is longer than ${MAX_DESCRIPTION} characters`)
    const other = byName.get(name)
    if (other) throw new TypeError(`The modules "${other.module}" and "${module}" both have a tool "${name}"`)
    byName.set(name, tool)
  }
  const tools = [...byName.values()].filter(({ name, module }) => !left.has(name) && !left.has(module))
  const { host } = new URL(publicUrl)
  const paths = new Set(
    routes.filter(({ method, config }) => method === 'GET' && !config.unavailable).map(({ path }) => path),
  )
  const has = (path: string) => paths.has(path)
  return {
    tools,
    byName: new Map(tools.map((tool) => [tool.name, tool])),
    documents: serviceDocuments(host, has),
    templates: resourceTemplates(host, has),
    resources: hostResources(parts),
    prompts: promptsOf(parts),
  }
}

/** @throws TypeError for two prompts of one name */
function promptsOf(parts: readonly AddedMcpParts[]): readonly McpPromptPart[] {
  const all = [...BASE_PROMPTS, ...parts.flatMap(({ prompts = [] }) => prompts)]
  const names = new Set<string>()
  for (const { name } of all) {
    if (names.has(name)) throw new TypeError(`Two modules have the prompt "${name}"`)
    names.add(name)
  }
  return all
}
