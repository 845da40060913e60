import { z } from 'zod'
import { sendWithEtag } from '../../../http/documents/send-with-etag.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { notFound } from '../../../kernel/errors.ts'
import { lazy } from '../../../kernel/lazy.ts'
import type { DocumentRoutes } from './document-routes.ts'
import { skillsIndexSchema } from './schemas.ts'
import type { DiscoveryService } from './service.ts'
import { SKILLS_INDEX, skillsIndex } from './skills.ts'

const CACHE_CONTROL = 'public, max-age=300'
const MARKDOWN = 'text/markdown; charset=utf-8'

/** The index of agent skills, and their files. */
export function skillRoutes(
  app: EepRoutes,
  { discovery }: { readonly discovery: DiscoveryService },
  { offer }: DocumentRoutes,
): void {
  const skills = lazy(() => discovery.skills(offer()))
  const index = lazy(() => Buffer.from(JSON.stringify(skillsIndex(discovery.publicUrl, skills()))))
  const tag = 'discovery'

  app.get(
    SKILLS_INDEX,
    {
      config: routeConfig({
        auth: 'none',
        tag,
        operationId: 'listAgentSkills',
        summary: 'List the agent skills of the service, with digests of their files',
      }),
      schema: { response: { 200: skillsIndexSchema, 304: z.undefined() } },
    },
    async (request, reply) => sendWithEtag(request, reply, { body: index(), cacheControl: CACHE_CONTROL }),
  )

  app.get(
    '/.well-known/agent-skills/:name/SKILL.md',
    {
      config: routeConfig({
        auth: 'none',
        tag,
        operationId: 'getAgentSkill',
        summary: 'Get the file of an agent skill',
        errors: [notFound],
        produces: ['text/markdown'],
      }),
      schema: {
        params: z.object({ name: z.string().max(64) }),
        response: { 200: z.string(), 304: z.undefined() },
      },
      // Digests are of the bytes of the file.
      compress: false,
    },
    async (request, reply) => {
      const skill = skills().find(({ name }) => name === request.params.name)
      if (!skill) throw notFound({ message: 'The service has no such skill' })
      return sendWithEtag(request, reply, { body: skill.file, type: MARKDOWN, cacheControl: CACHE_CONTROL })
    },
  )
}
