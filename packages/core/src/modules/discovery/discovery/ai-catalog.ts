import type { Offer } from './available-routes.ts'
import type { ServiceInfo } from './manifest.ts'
import { type Skill, skillPath } from './skills.ts'

/** The version of the AI Catalog that the document follows. */
const SPEC_VERSION = '0.9'

/** The path of the catalogue. */
export const AI_CATALOG = '/.well-known/ai-catalog.json'

const AGENT_CARD = '/.well-known/agent-card.json'
const PAID_OPENAPI = '/openapi.json'

/** What the service has for agents, as an AI Catalog. `updatedAt` is when its documents were generated. */
export function aiCatalog(service: ServiceInfo, offer: Offer, skills: readonly Skill[], updatedAt: Date) {
  const { name, description, publicUrl, did } = service
  const { hostname } = new URL(publicUrl)
  const at = updatedAt.toISOString()
  const mcpCard = offer.pathOf('getServerCard')
  const entry = (id: string, type: string, path: string, displayName: string, text: string) => ({
    identifier: `urn:air:${hostname}:${id}`,
    displayName,
    type,
    url: publicUrl + path,
    description: text,
    updatedAt: at,
  })
  return {
    specVersion: SPEC_VERSION,
    host: {
      displayName: name,
      identifier: did,
      documentationUrl: `${publicUrl}/.well-known/eep/agent-guide.md`,
    },
    entries: [
      ...(offer.has(AGENT_CARD)
        ? [entry('a2a:service', 'application/a2a-agent-card+json', AGENT_CARD, name, description)]
        : []),
      ...(mcpCard === undefined
        ? []
        : [entry('mcp:service', 'application/mcp-server-card+json', mcpCard, name, description)]),
      ...(offer.has(skillPath('{name}'))
        ? skills.map((skill) =>
            entry(
              `skill:${skill.name}`,
              'application/agent-skills+md',
              skillPath(skill.name),
              skill.title,
              skill.description,
            ),
          )
        : []),
      ...(offer.has(PAID_OPENAPI)
        ? [
            entry(
              'api:paid',
              'application/json',
              PAID_OPENAPI,
              `${name}: paid resources`,
              'What can be bought, as OpenAPI.',
            ),
          ]
        : []),
    ],
  }
}
